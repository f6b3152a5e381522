import SceneStore
import SceneStoreBenchmarkFloor

/// Saves, one of ten sessions after the other, and ten windows at once.
///
/// Two floors: one encodes the state as the store does, with a C codec; the other is given the
/// bytes. The three stores are copies of one and have to hold the same rows afterwards.
enum SaveBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let states = try SampleStates(count: 64)
        var measurements: [Measurement] = []
        for durability in [Durability.full, .normal] {
            measurements += try run(context, states, durability, windows: 1)
        }
        measurements += try run(context, states, .full, windows: 10)
        return measurements
    }

    private static func run(
        _ context: BenchmarkContext, _ states: SampleStates, _ durability: Durability,
        windows: Int
    ) throws -> [Measurement] {
        let trio = try SaveTrio(context.folder, states, durability, windows: windows)
        // The rings fill up and statements are prepared before anything is timed.
        _ = try Interleaving.run(rounds: 1, trio.sides(saves: 110 / windows))
        let times = try Interleaving.run(
            rounds: context.isQuick ? 20 : 100, seconds: context.isQuick ? 1.5 : 20,
            trio.sides(saves: durability == .full ? 20 : 200))
        let rows = try trio.closeAndCompare()
        let name =
            windows == 1
            ? durability == .full ? "durable" : "normal"
            : "ten windows in one transaction, durable"
        let library = Summary(rounds: times[0])
        var first = Measurement(name, .microseconds, library)
        first.floor = Summary(rounds: times[1])
        first.ratio = Summary(ratioOf: times[0], to: times[1])
        if windows == 1 {
            first.target = .ratioAtMost(durability == .full ? 1.15 : 1.3)
        }
        first.note = "\(rows) rows equal"
        var second = Measurement("\(name), floor given the bytes", .microseconds, library)
        second.floor = Summary(rounds: times[2])
        second.ratio = Summary(ratioOf: times[0], to: times[2])
        return [first, second]
    }
}

/// Three copies of a store with ten sessions, and the saves that all of them do.
final class SaveTrio {
    private let states: SampleStates
    private let durability: Durability
    private let windows: Int
    private let library: LibrarySide
    private let encoding: FloorSide
    private let ready: FloorSide

    init(
        _ folder: BenchmarkFolder, _ states: SampleStates, _ durability: Durability, windows: Int
    ) throws {
        self.states = states
        self.durability = durability
        self.windows = windows
        let origin = try LibrarySide.make(sessions: 10, in: folder)
        library = try LibrarySide(container: try folder.copyStore(of: origin))
        encoding = try FloorSide(container: try folder.copyStore(of: origin))
        ready = try FloorSide(container: try folder.copyStore(of: origin))
        for floor in [encoding, ready] {
            try floor.setDurable(durability == .full)
        }
    }

    /// How many saves each side has done.
    private var done = [0, 0, 0]

    /// What each side does in a round; every round goes on where the last one ended.
    func sides(saves: Int) -> [Interleaving.Side] {
        [
            { [self] in try runLibrary(from: advance(0, saves), saves: saves) },
            { [self] in try runFloor(encoding, true, from: advance(1, saves), saves: saves) },
            { [self] in try runFloor(ready, false, from: advance(2, saves), saves: saves) },
        ]
    }

    private func advance(_ side: Int, _ saves: Int) -> Int {
        defer { done[side] += saves }
        return done[side]
    }

    private func runLibrary(from first: Int, saves: Int) throws -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(saves)
        var written = 0
        for number in first..<first + saves {
            let batch = (0..<windows).map { window in
                StateToSave(
                    key: library.keys[session(number, window)],
                    activity: states.activities[state(number, window)])
            }
            times.append(
                try Interleaving.time {
                    written += try library.store.save(
                        batch, context: LibrarySide.context, durability: durability
                    ).count
                })
        }
        try check(written, saves)
        try library.checkpoint()
        return times
    }

    private func runFloor(
        _ floor: FloorSide, _ encodes: Bool, from first: Int, saves: Int
    ) throws -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(saves)
        var written = 0
        for number in first..<first + saves {
            var batch = (0..<windows).map { window in
                states.floorState(
                    state(number, window), session: library.keys[session(number, window)],
                    encodes: encodes)
            }
            times.append(try Interleaving.time { written += try floor.save(&batch) })
        }
        try check(written, saves)
        try floor.checkpoint()
        return times
    }

    private func session(_ number: Int, _ window: Int) -> Int {
        windows == 1 ? number % 10 : window
    }

    /// No state comes back while an equal one is in the session's history.
    private func state(_ number: Int, _ window: Int) -> Int {
        windows == 1 ? number / 10 % states.count : (number + window) % states.count
    }

    private func check(_ written: Int, _ saves: Int) throws {
        guard written == saves * windows else {
            throw BenchmarkFailure("\(saves * windows - written) states were not written")
        }
    }

    /// Closes all and holds them against each other; answers how many rows are equal.
    func closeAndCompare() throws -> Int {
        try library.store.close()
        try encoding.close()
        try ready.close()
        try Comparison.check(library.container, ready.container)
        return try Comparison.check(library.container, encoding.container)
    }
}
