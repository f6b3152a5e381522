import SceneStore
import SceneStoreBenchmarkFloor

/// Opening a closed store and finding what is remembered: the skeleton of all sessions, sorted,
/// and every state decoded.
///
/// Both sides count what they read, and have to agree on the order and on the states.
enum RelaunchBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        var measurements: [Measurement] = []
        for (sessions, rounds, quickRounds) in [(10, 200, 30), (1_000, 60, 15), (100_000, 9, 3)] {
            let decodes = sessions <= context.origins.states
            let pair = try RelaunchPair(context, sessions: sessions, decodes: decodes)
            let times = try pair.run(rounds: context.isQuick ? quickRounds : rounds)
            measurements += try report(pair, times, sessions: sessions)
        }
        return measurements
    }

    private static func report(
        _ pair: RelaunchPair, _ times: [[RelaunchPair.Times]], sessions: Int
    ) throws -> [Measurement] {
        let rows = try pair.compare()
        func measurement(
            _ name: String, _ part: (RelaunchPair.Times) -> Double
        ) -> Measurement {
            let library = times[0].map { [part($0)] }
            let floor = times[1].map { [part($0)] }
            var result = Measurement(
                "\(Decimals.text(Double(sessions))) sessions, \(name)",
                sessions > 10 ? .milliseconds : .microseconds, Summary(rounds: library))
            result.floor = Summary(rounds: floor)
            result.ratio = Summary(ratioOf: library, to: floor)
            return result
        }
        var skeleton = measurement("opened, skeleton") { $0.opening + $0.skeleton }
        skeleton.note = "\(rows) rows equal"
        var reading = measurement("skeleton alone") { $0.skeleton }
        skeleton.target = .ratioAtMost(1.1)
        reading.target = .ratioAtMost(1.1)
        var result = [measurement("opened") { $0.opening }, reading, skeleton]
        if pair.decodes {
            result.append(measurement("opened, skeleton, decoded") { $0.whole })
        }
        return result
    }
}

/// Two copies of a store, opened in turn.
final class RelaunchPair {
    /// The nanoseconds of one relaunch.
    struct Times {
        var opening = 0.0
        var skeleton = 0.0
        var decoding = 0.0

        var whole: Double { opening + skeleton + decoding }
    }

    /// What a side read.
    struct Findings: Equatable {
        var sessions = 0
        var order: UInt64 = 0
        var states = 0
        var serials: Int64 = 0
    }

    let decodes: Bool
    private let library: String
    private let floor: String
    private let sessions: Int

    init(_ context: BenchmarkContext, sessions: Int, decodes: Bool) throws {
        self.sessions = sessions
        self.decodes = decodes
        let origin = try context.origins.store(sessions: sessions)
        library = try context.folder.copyStore(of: origin)
        floor = try context.folder.copyStore(of: origin)
    }

    /// The times of both sides, by round. The first relaunch of each is not counted.
    func run(rounds: Int) throws -> [[Times]] {
        var times: [[Times]] = [[], []]
        for round in 0...rounds {
            var found: [Findings] = []
            for side in round % 2 == 0 ? [0, 1] : [1, 0] {
                let (time, findings) = try side == 0 ? relaunchLibrary() : relaunchFloor()
                found.append(findings)
                if round > 0 {
                    times[side].append(time)
                }
            }
            guard found[0] == found[1], found[0].sessions == sessions else {
                throw BenchmarkFailure("the two sides read different sessions or states")
            }
        }
        return times
    }

    func compare() throws -> Int {
        try Comparison.check(library, floor)
    }

    private func relaunchLibrary() throws -> (Times, Findings) {
        var times = Times()
        var findings = Findings()
        var opened: SceneSessionStore?
        times.opening = try Interleaving.time {
            opened = try SceneSessionStore.open(
                at: .directory(library), options: LibrarySide.options)
        }
        guard let store = opened else {
            throw BenchmarkFailure("the store was not opened")
        }
        var read: SessionRecords?
        times.skeleton = try Interleaving.time { read = try store.openRecords() }
        guard let records = read else {
            throw BenchmarkFailure("the skeleton was not read")
        }
        if decodes {
            times.decoding = try Interleaving.time {
                for record in records where record.hasState {
                    let activity = try store.restorationActivity(key: record.key)
                    guard let serial = activity?.userInfo[SampleState.serialKey]?.integerValue
                    else {
                        throw BenchmarkFailure("a state is missing")
                    }
                    findings.states += 1
                    findings.serials &+= serial
                }
            }
        }
        findings.sessions = records.count
        for record in records {
            findings.order = floor_order_digest(
                findings.order, record.identifier, record.identifier.utf8.count)
        }
        try store.close()
        return (times, findings)
    }

    private func relaunchFloor() throws -> (Times, Findings) {
        var times = Times()
        var findings = Findings()
        var opened: OpaquePointer?
        times.opening = try Interleaving.time { opened = try FloorSide.open(floor) }
        var read: OpaquePointer?
        times.skeleton = Interleaving.time { read = floor_read_skeleton(opened) }
        guard let store = opened, let skeleton = read else {
            throw BenchmarkFailure.floor
        }
        defer { floor_skeleton_free(skeleton) }
        if decodes {
            times.decoding = Interleaving.time {
                findings.states = Int(
                    floor_decode_states(
                        store, skeleton, SampleState.serialKey, &findings.serials))
            }
        }
        findings.sessions = floor_skeleton_count(skeleton)
        findings.order = floor_skeleton_digest(skeleton)
        guard findings.states >= 0, floor_close(store) == 1 else {
            throw BenchmarkFailure.floor
        }
        return (times, findings)
    }
}
