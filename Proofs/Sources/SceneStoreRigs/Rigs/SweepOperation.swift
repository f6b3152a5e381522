import SceneStore
import SceneStoreTesting

/// What can be done with a store, each to be tried while the disk fails.
enum SweepOperation: UInt64, CaseIterable {
    case create, open, insert, save, saveMany, mark, setTitle, setInfo, setStorage, launch, discard,
        tell, reopen
    case forget, reset, checkpoint, idleWork, read, erase, close

    /// Whether it opens the store itself.
    var opens: Bool { self == .create || self == .open }

    /// Whether it is one transaction: then a failure leaves what was there before.
    var isOneTransaction: Bool {
        switch self {
        case .insert, .save, .saveMany, .mark, .setTitle, .setInfo, .setStorage: true
        case .discard, .reopen, .forget, .reset: true
        default: false
        }
    }

    /// A disk to begin with: six sessions with states and a discarded one, left by a process that
    /// died, so that there is a log.
    static func baseDisk(_ operation: SweepOperation, seed: UInt64) throws -> FaultDisk {
        let disk = FaultDisk(seed: seed)
        disk.importFile(Simulation.file, bytes: try RealContainer.emptyStore())
        guard operation != .create else {
            return disk
        }
        let store = try Simulation.open(disk)
        try fill(store)
        if operation == .idleWork {
            // Something to be cleared away.
            try store.reset()
            _ = try store.insertSession(
                identifier: "W-9", configuration: StoreTruth.configuration, durability: .full)
        }
        store.abandon()
        return disk
    }

    /// Six open sessions with states, and a discarded one.
    static func fill(_ store: SceneSessionStore) throws {
        var records: [(record: SessionRecord, number: Int64?)] = []
        for index in 0..<7 {
            let record = try store.insertSession(
                identifier: "W-\(index)", configuration: StoreTruth.configuration,
                userInfo: StoreTruth.info("W-\(index)", 1), isFront: index % 2 == 0,
                becameActive: true, durability: .full)
            records.append((record, Int64(index)))
        }
        try store.save(records)
        try store.discard([records[6].record.key], cause: .user, deliveredNow: false)
    }

    /// Does it; answers the store that is open afterwards, if any.
    func perform(
        _ open: SceneSessionStore?, _ disk: FaultDisk
    ) throws -> SceneSessionStore? {
        guard let store = open else {
            return try Simulation.open(disk)
        }
        let records = Array(try store.openRecords())
        guard let first = records.first, let last = records.last else {
            throw StoreTruth.Wrong(description: "the sweep has no sessions")
        }
        switch self {
        case .create, .open: break
        case .insert:
            _ = try store.insertSession(
                identifier: "new", configuration: StoreTruth.configuration,
                userInfo: StoreTruth.info("new", 3), durability: .full)
        case .save: try store.save([(first, 100)])
        case .saveMany:
            try store.save(
                records.map { ($0, 103) },
                marks: records.map { MarkChange(key: $0.key, isFront: !$0.isFront) })
        case .mark:
            try store.marks.apply([MarkChange(key: first.key, isFront: !first.isFront)])
        case .setTitle:
            try store.values.setTitle(StoreTruth.title(5), key: first.key)
        case .setInfo:
            try store.values.setUserInfo(
                StoreTruth.info(first.identifier, 4), key: first.key, durability: .full)
        case .setStorage:
            try store.values.setStorage(
                [StoreTruth.storageKey: .integer(6)], key: first.key, durability: .full)
        case .launch:
            _ = try store.launches.begin(
                LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
            try store.launches.end(.quit)
        case .discard:
            try store.discard([first.key, last.key], cause: .user, deliveredNow: true)
        case .tell: try store.discards.mark(try store.discards.pending().map(\.key), .delivered)
        case .reopen:
            _ = try store.discards.reopen(identifier: "W-6")
        case .forget: try store.forget([first.key])
        case .reset: try store.reset()
        case .checkpoint: try store.log.checkpoint()
        case .idleWork: try store.upkeep.perform(budgetMilliseconds: 600_000)
        case .read: _ = try StoreTruth.read(store)
        case .erase: try store.erase()
        case .close:
            try store.close()
            return nil
        }
        return store
    }
}
