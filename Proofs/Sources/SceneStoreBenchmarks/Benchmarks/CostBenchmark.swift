import SceneStore
import SceneStoreTesting

/// Counts what saves ask of the disk, through a file system below SQLite that counts. Every number
/// is the same on every machine.
enum CostBenchmark {
    static func run(_ context: BenchmarkContext) throws -> [Measurement] {
        let small = try CostSide(context, bytes: 2_000)
        // The rings fill up, and every table has its last page.
        for _ in 0..<200 {
            _ = try small.save(1, .normal)
        }
        let durable = try (0..<50).map { _ in try small.save(1, .full) }
        let normal = try (0..<100).map { _ in try small.save(1, .normal) }
        let transactions = small.side.store.counters.transactions
        let ten = try (0..<20).map { _ in try small.save(10, .full) }
        let count = small.side.store.counters.transactions - transactions
        let discards = try small.discardAndReopen()
        try small.side.store.close()
        var bytes = measurement("bytes of a durable save", .bytes, durable, nil) {
            $0.bytesWritten
        }
        bytes.gate = .atMost(17_000)
        return [
            measurement("syncs of a durable save", .count, durable, .exactly(1)) { $0.syncs },
            measurement("frames of a durable save", .count, durable, .atMost(3)) { $0.walFrames },
            bytes,
            measurement("syncs of a normal save", .count, normal, .exactly(0)) { $0.syncs },
            measurement("syncs of ten windows", .count, ten, .exactly(1)) { $0.syncs },
            measurement("frames of ten windows", .count, ten, nil) { $0.walFrames },
            Measurement(
                "transactions of ten windows", .count, exactly: Double(count) / 20,
                target: .exactly(1)),
            measurement("syncs of discarding one", .count, discards, .exactly(1)) { $0.syncs },
        ] + (try changes(context))
    }

    /// What a save writes of a large state in which 8 bytes changed.
    ///
    /// Each of a session's first states is a new row. Once its history is full, a save writes over
    /// the row of the oldest one, and SQLite leaves the pages in which nothing changes if the row
    /// keeps its length.
    private static func changes(_ context: BenchmarkContext) throws -> [Measurement] {
        try [(size: 64, target: 20_480.0), (size: 1_024, target: 40_960)].flatMap { size, target in
            // Few enough saves for the numbers of the rows to keep their length.
            let large = try CostSide(context, bytes: size << 10, sessions: 1)
            let first = try (0..<8).map { _ in try large.save(1, .full) }
            for _ in 0..<8 {
                _ = try large.save(1, .normal)
            }
            let later = try (0..<20).map { _ in try large.save(1, .full) }
            try large.side.store.close()
            var filling = measurement("the same while the history fills", .bytes, first, nil) {
                $0.bytesWritten
            }
            filling.gate = .atMost(Double(size) * 1_400)
            let full = measurement(
                "bytes of a save of \(size) KB with 8 changed", .bytes, later, .atMost(target)
            ) { $0.bytesWritten }
            return [full, filling]
        }
    }

    private static func measurement(
        _ name: String, _ unit: Measurement.Unit, _ counters: [FaultDisk.Counters],
        _ target: Measurement.Target?, _ count: (FaultDisk.Counters) -> UInt64
    ) -> Measurement {
        var result = Measurement(
            name, unit, Summary(rounds: counters.map { [Double(count($0))] }))
        result.target = target
        result.gate = target == nil ? nil : .target
        return result
    }
}

/// A store on a disk that counts.
private final class CostSide {
    let side: LibrarySide
    private let states: SampleStates
    private let disk = FaultDisk(seed: 1, kind: .passThrough)
    private var serial = 0

    init(_ context: BenchmarkContext, bytes: Int, sessions: Int = 10) throws {
        // States of one size differ in their number alone.
        states = try SampleStates(count: 64, bytes: bytes)
        let container = try LibrarySide.make(sessions: sessions, in: context.folder)
        side = try LibrarySide(container: container, vfs: disk.vfsName)
    }

    func save(_ windows: Int, _ durability: Durability) throws -> FaultDisk.Counters {
        serial += 1
        let batch = (0..<windows).map { window in
            StateToSave(
                key: side.keys[windows == 1 ? serial % side.keys.count : window],
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

    /// Closes windows, each in a transaction of its own, and gives them back.
    func discardAndReopen() throws -> [FaultDisk.Counters] {
        try side.store.openRecords().map { record in
            let counters = try disk.counting {
                try side.store.discard([record.key], cause: .user, deliveredNow: true)
            }
            _ = try side.store.discards.reopen(identifier: record.id)
            return counters
        }
    }
}
