import SceneStore
import SceneStoreBenchmarkFloor

/// Saves that change nothing: encoded, hashed, compared, and that is all.
enum UnchangedBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let states = try SampleStates(count: 2)
        let container = try LibrarySide.make(sessions: 10, in: context.folder)
        let floor = try FloorSide(container: try context.folder.copyStore(of: container))
        let side = try LibrarySide(container: container)
        let key = side.keys[0]
        let save = [StateToSave(key: key, activity: states.activities[0])]
        var floorSave = [states.floorState(0, session: key, encodes: true)]
        guard try side.save(states.activities[0], session: 0, durability: .full) == 1,
            try floor.save(&floorSave) == 1
        else {
            throw BenchmarkFailure("the first save was not written")
        }
        let size = try context.folder.size(of: container)
        let bytes = floor_written_bytes()
        let transactions = side.store.counters.transactions
        let count = 1_000
        var written = 0
        let times = try Interleaving.run(
            rounds: context.isQuick ? 10 : 50,
            [
                {
                    let time = try Interleaving.time {
                        for _ in 0..<count {
                            written +=
                                try side.store.save(save, context: LibrarySide.context).count
                        }
                    }
                    return [time / Double(count)]
                },
                {
                    let time = try Interleaving.time {
                        for _ in 0..<count {
                            written += try floor.save(&floorSave)
                        }
                    }
                    return [time / Double(count)]
                },
            ])
        let isSilent =
            try context.folder.size(of: container) == size
            && side.store.counters.transactions == transactions && written == 0
        let writtenBytes = floor_written_bytes() - bytes
        try side.store.close()
        try floor.close()
        let rows = try Comparison.check(container, floor.container)
        var time = Measurement("one save", .nanoseconds, Summary(rounds: times[0]))
        time.floor = Summary(rounds: times[1])
        time.ratio = Summary(ratioOf: times[0], to: times[1])
        time.target = .atMost(2_000)
        time.note = "\(rows) rows equal"
        var silence = Measurement(
            "bytes written by all of them", .bytes,
            exactly: isSilent ? Double(max(writtenBytes, 0)) : .infinity, target: .exactly(0))
        silence.note = writtenBytes < 0 ? "by the size of the files" : nil
        return [time, silence] + (try systemCalls(context))
    }

    /// A child that may make no system call any more does a thousand of them, or dies of one.
    private static func systemCalls(_ context: BenchmarkContext) throws -> [Measurement] {
        let outcome = try Child.run(
            Child.ownPath,
            [
                "--probe", ProbeKind.silentSaves.rawValue, "--rounds", "1000", "--directory",
                context.folder.path,
            ])
        guard let outcome, outcome.status != Probe.unsupported else {
            return []
        }
        guard outcome.status == 0 || outcome.status == nil else {
            throw BenchmarkFailure("the silent saves failed: \(outcome.errors)")
        }
        var measurement = Measurement(
            "system calls", .count, exactly: outcome.status == 0 ? 0 : 1, target: .exactly(0))
        measurement.note = outcome.status == 0 ? nil : "or more: the first one was forbidden"
        return [measurement]
    }
}
