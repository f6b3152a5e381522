import SceneStore
import SceneStoreBenchmarkFloor

/// What does not grow with the number of sessions: a save, and a reset.
enum ScaleBenchmark {
    private static let sessions = 100_000

    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let states = try SampleStates(count: 64)
        let small = try LibrarySide(
            container: try context.folder.copyStore(of: context.origins.store(sessions: 10)))
        let large = try LibrarySide(
            container: try context.folder.copyStore(of: context.origins.store(sessions: sessions)))
        var measurements: [Measurement] = []
        for durability in [Durability.full, .normal] {
            measurements.append(try saves(context, states, durability, large, small))
        }
        try small.store.close()
        try large.store.close()
        return measurements + (try resets(context))
    }

    private static func saves(
        _ context: BenchmarkContext, _ states: SampleStates, _ durability: Durability,
        _ large: LibrarySide, _ small: LibrarySide
    ) throws -> Measurement {
        // Over the whole of the large store: ten sessions far apart.
        let step = large.keys.count / 10
        func side(_ side: LibrarySide, _ keys: [Int]) -> Interleaving.Side {
            var number = 0
            return {
                var times: [Double] = []
                for _ in 0..<(durability == .full ? 20 : 200) {
                    number += 1
                    let activity = states.activities[number / 10 % states.count]
                    let session = keys[number % 10]
                    var written = 0
                    times.append(
                        try Interleaving.time {
                            written = try side.save(
                                activity, session: session, durability: durability)
                        })
                    guard written == 1 else {
                        throw BenchmarkFailure("a state was not written")
                    }
                }
                try side.checkpoint()
                return times
            }
        }
        let sides = [
            side(large, (0..<10).map { $0 * step }), side(small, Array(0..<10)),
        ]
        _ = try Interleaving.run(rounds: 2, sides)
        let times = try Interleaving.run(
            rounds: context.isQuick ? 10 : 50, seconds: context.isQuick ? 1 : 10, sides)
        var result = Measurement(
            "save, \(durability == .full ? "durable" : "normal"), against ten sessions",
            .microseconds, Summary(rounds: times[0]))
        result.ratio = Summary(ratioOf: times[0], to: times[1])
        result.target = .ratioAtMost(1.2)
        result.note = "ten sessions: \(Decimals.text(Summary(rounds: times[1]).median / 1e3)) µs"
        return result
    }

    private static func resets(_ context: BenchmarkContext) throws -> [Measurement] {
        var times: [[Double]] = []
        var bytes: [[Double]] = []
        for _ in 0..<3 {
            let container = try context.folder.copyStore(
                of: context.origins.store(sessions: sessions))
            let side = try LibrarySide(container: container)
            let before = floor_written_bytes()
            times.append([try Interleaving.time { try side.store.reset() }])
            bytes.append([Double(floor_written_bytes() - before)])
            guard try side.store.openCount() == 0, try side.store.openRecords().isEmpty else {
                throw BenchmarkFailure("sessions survived a reset")
            }
            try side.store.close()
            try context.folder.remove(container)
        }
        var time = Measurement("reset", .milliseconds, Summary(rounds: times))
        time.target = .atMost(5)
        var written = Measurement("bytes written by a reset", .bytes, Summary(rounds: bytes))
        written.target = .atMost(999_999)
        return [time, written]
    }
}
