import SceneStore
import SceneStoreTesting

/// Counts what saves ask of the disk, through a file system below SQLite that counts; and saves
/// that change nothing ask for nothing.
enum CostBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let states = try SampleStates(count: 64)
        let container = try LibrarySide.make(sessions: 10, in: context.folder)
        let disk = FaultDisk(seed: 1, kind: .passThrough)
        let side = try LibrarySide(container: container, vfs: disk.vfsName)
        var serial = 0
        func save(_ windows: Int, _ durability: Durability) throws -> FaultDisk.Counters {
            serial += 1
            let batch = (0..<windows).map { window in
                StateToSave(
                    key: side.keys[windows == 1 ? serial % 10 : window],
                    activity: states.activities[(serial + window) % states.count])
            }
            var written = 0
            let counters = try disk.counting {
                written =
                    try side.store.save(
                        batch, context: LibrarySide.context, durability: durability
                    ).count
            }
            guard written == windows else {
                throw BenchmarkFailure("\(windows - written) states were not written")
            }
            return counters
        }
        // The rings fill up, and every table has its last page.
        for _ in 0..<200 {
            _ = try save(1, .normal)
        }
        let durable = try (0..<50).map { _ in try save(1, .full) }
        let normal = try (0..<100).map { _ in try save(1, .normal) }
        let transactions = side.store.counters.transactions
        let ten = try (0..<20).map { _ in try save(10, .full) }
        let count = side.store.counters.transactions - transactions
        try side.store.close()
        return [
            measurement("syncs of a durable save", durable, .exactly(1)) { $0.syncs },
            measurement("frames of a durable save", durable, .atMost(3)) { $0.walFrames },
            measurement("bytes of a durable save", .bytes, durable) { $0.bytesWritten },
            measurement("syncs of a normal save", normal, .exactly(0)) { $0.syncs },
            measurement("syncs of ten windows", ten, .exactly(1)) { $0.syncs },
            measurement("frames of ten windows", ten, nil) { $0.walFrames },
            Measurement(
                "transactions of ten windows", .count, exactly: Double(count) / 20,
                target: .exactly(1)),
        ]
    }

    private static func measurement(
        _ name: String, _ counters: [FaultDisk.Counters], _ target: Measurement.Target?,
        _ count: (FaultDisk.Counters) -> UInt64
    ) -> Measurement {
        var result = measurement(name, .count, counters, count)
        result.target = target
        return result
    }

    private static func measurement(
        _ name: String, _ unit: Measurement.Unit, _ counters: [FaultDisk.Counters],
        _ count: (FaultDisk.Counters) -> UInt64
    ) -> Measurement {
        Measurement(name, unit, Summary(rounds: counters.map { [Double(count($0))] }))
    }
}
