import SceneStore
import SceneStoreBenchmarkFloor
import SceneStoreExchange

/// A list of 100 000 sessions, as `scenestore sessions --json` prints it: how soon its first row is
/// there, and what each session takes in memory.
///
/// The first rows are found by index, before the rest is read; the floor opens the store and reads
/// the whole skeleton, as a C program does that lists in order. Both begin with a closed store, which
/// the library copies before it looks: that copy is part of the time.
enum ListBenchmark {
    private static let sessions = 100_000
    /// As many as the command writes before it reads the rest.
    private static let first = 32

    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let container = try context.origins.store(sessions: sessions)
        let rounds = context.isQuick ? 5 : 15
        let times = try Interleaving.run(
            rounds: rounds,
            [
                { [try library(container)] }, { [try floor(container)] },
            ])
        var result = Measurement(
            "first row of 100 000", .milliseconds, Summary(rounds: times[0]))
        result.floor = Summary(rounds: times[1])
        result.ratio = Summary(ratioOf: times[0], to: times[1])
        result.target = .atMost(100)
        result.note = "the floor reads every row first"
        return [result, try memory(container)]
    }

    private static func library(_ container: String) throws -> Double {
        try Interleaving.time {
            let store = try open(container)
            let records = try store.leadingRecords(first)
            let labels = try SessionLabel.labels(of: records[...], in: store)
            guard records.count == first, labels.count == first else {
                throw BenchmarkFailure("sessions are missing")
            }
            try store.close()
        }
    }

    private static func floor(_ container: String) throws -> Double {
        try Interleaving.time {
            let store = try FloorSide.open(container)
            let skeleton = floor_read_skeleton(store)
            let count = skeleton.map { floor_skeleton_count($0) } ?? 0
            floor_skeleton_free(skeleton)
            guard floor_close(store) == 1, count == sessions else {
                throw BenchmarkFailure.floor
            }
        }
    }

    /// What the list keeps of each session until the last one is written.
    private static func memory(_ container: String) throws -> Measurement {
        let store = try open(container)
        let before = floor_memory_in_use()
        let records = try store.openRecords()
        let after = floor_memory_in_use()
        guard records.count == sessions, before > 0 else {
            throw BenchmarkFailure("memory cannot be measured")
        }
        try store.close()
        return Measurement(
            "memory of a session", .bytes,
            exactly: Double(after - before) / Double(records.count), target: .atMost(200))
    }

    private static func open(_ container: String) throws -> SceneSessionStore {
        var options = LibrarySide.options
        options.access = .reader
        return try SceneSessionStore.open(at: .directory(container), options: options)
    }
}
