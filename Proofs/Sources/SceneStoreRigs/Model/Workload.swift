import SceneStore
import SceneStoreMigrations
import SceneStoreTesting

/// A random life of a store on a disk that is being recorded, and what the store owes after each
/// step of it.
///
/// Step `n` is acknowledged by mark `n` of the recording. A power cut between marks `n` and `n + 1`
/// must leave one of ``acceptable(after:)``: transactions are ordered, so that it is the truth of a
/// step that was not overtaken by a durable one, or that of the step under way, and nothing else.
struct Workload {
    /// What is deliberately wrong, so that the rig must notice.
    enum Flaw: UInt64 {
        case none = 0
        /// Saves run in mode normal and are taken for durable.
        case normalMode
        /// The disk says that it has synced, and has not.
        case lyingDisk
        /// A sync failed, and what the cache shows is believed afterwards.
        case believedCache
    }

    /// What is there before.
    enum Beginning: UInt64 {
        /// The file that a container gets before SQLite sees it.
        case emptyStore = 0
        /// Nothing: SQLite makes the file.
        case nothing
        /// A store with the schema of an older version.
        case olderSchema
    }

    let flaw: Flaw
    let disk: FaultDisk
    private let clock = VirtualClock()
    private var random: SeededRandom
    private var store: SceneSessionStore
    private var current = StoreTruth()
    private var nextNumber: Int64 = 1
    /// The truth after each step; nothing before the first.
    private(set) var truths: [StoreTruth] = [StoreTruth()]
    /// For each step the last one up to it that must survive.
    private var floors = [0]
    /// The owner's epoch that was acknowledged with each step.
    private(set) var epochs: [Int64] = [0]
    /// The generation that was durable with each step, as the owner writes it down.
    private(set) var durableGenerations: [Int64] = [0]
    /// What a step under way may leave apart from its result.
    private var alternatives: [Int: [StoreTruth]] = [:]
    private var epoch: Int64 = 0

    /// Lives through so many steps.
    init(seed: UInt64, steps: Int, flaw: Flaw, beginning: Beginning) throws {
        self.flaw = flaw
        random = SeededRandom(seed, 60)
        disk = FaultDisk(seed: seed)
        disk.configure { $0.liesAboutSync = flaw == .lyingDisk }
        switch beginning {
        case .nothing: break
        case .emptyStore:
            disk.importFile(Simulation.file, bytes: try RealContainer.emptyStore())
        case .olderSchema:
            let (disk, clock) = (disk, clock)
            try SchemaMigration.$made.withValue([]) {
                let older = try Simulation.open(disk, clock: clock)
                try Self.insert("old", into: older)
                try older.close()
            }
            current.open["old"] = SessionTruth(info: 1, isFront: true)
            truths = [current]
            epoch = 1
            epochs = [1]
        }
        disk.startTrace()
        store = try Simulation.open(disk, clock: clock)
        epoch += 1
        acknowledge(isDurable: true)
        for step in 1...max(steps, 1) {
            let isDurable = try perform()
            acknowledge(isDurable: isDurable)
            let found = try StoreTruth.read(store)
            guard found == current else {
                throw StoreTruth.Wrong(
                    description: "step \(step): \(found.difference(from: current))")
            }
        }
        store.abandon()
    }

    private static func insert(
        _ identifier: String, into store: SceneSessionStore
    ) throws(SceneStoreError) {
        _ = try store.insertSession(
            identifier: identifier, configuration: StoreTruth.configuration,
            userInfo: StoreTruth.info(identifier, 1), isFront: true, becameActive: true,
            durability: .full)
    }

    private mutating func acknowledge(isDurable: Bool) {
        let step = truths.count
        truths.append(current)
        floors.append(isDurable ? step : floors[step - 1])
        epochs.append(epoch)
        // Of a step with several commits the last one need not be durable.
        durableGenerations.append(
            isDurable ? store.currentGeneration() : durableGenerations[step - 1])
        disk.mark(UInt64(step))
    }

    /// What may be found when the last mark is this one.
    func acceptable(after mark: Int) -> [StoreTruth] {
        guard floors.indices.contains(mark) else {
            return []
        }
        let last = min(mark + 1, truths.count - 1)
        return Array(truths[floors[mark]...last]) + (alternatives[mark + 1] ?? [])
    }

    // MARK: - Steps

    /// One step; whether it must survive a power cut.
    private mutating func perform() throws -> Bool {
        clock.now += 1_000
        let records = Array(try store.openRecords())
        guard records.count >= 3 else {
            return try insert()
        }
        switch random.below(24) {
        case 0, 1: return try insert()
        case 2, 3, 4, 5: return try save(records, count: 1)
        case 6, 7, 8: return try save(records, count: 3)
        case 9: return try clearState(records)
        case 10: return try mark(records)
        case 11: return try setValues(records)
        case 12, 13: return try discard(records)
        case 14: return try tell()
        case 15: return try reopen()
        case 16: return try forget(records)
        case 17:
            guard random.below(2) == 0 else {
                try store.log.checkpoint()
                return false
            }
            // By then every commit has been synced, in mode normal too.
            clock.now += 600_000
            try store.log.tend(now: clock.now)
            return true
        case 18:
            try store.upkeep.perform(budgetMilliseconds: 600_000)
            return false
        case 19:
            _ = try store.launches.begin(
                LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
            return false
        case 20: return try reset()
        case 21:
            try store.close()
            return try openAgain()
        case 22:
            store.abandon()
            return try openAgain()
        default:
            // Of these flaws the failed sync alone would tell.
            return flaw == .normalMode || flaw == .lyingDisk
                ? try insert() : try failSync(records)
        }
    }

    private mutating func number() -> Int64 {
        defer { nextNumber += 1 }
        return nextNumber
    }

    private mutating func openAgain() throws -> Bool {
        store = try Simulation.open(disk, clock: clock)
        epoch += 1
        return true
    }

    private mutating func insert() throws -> Bool {
        let identifier = "S-\(number())"
        try Self.insert(identifier, into: store)
        current.open[identifier] = SessionTruth(info: 1, isFront: true)
        return true
    }

    private mutating func save(_ records: [SessionRecord], count: Int) throws -> Bool {
        var states: [(record: SessionRecord, number: Int64?)] = []
        var marks: [MarkChange] = []
        var next = current
        for record in records.shuffled(using: &random).prefix(count) {
            let number = number()
            states.append((record, number))
            let isFront = random.oneIn(2)
            marks.append(MarkChange(key: record.key, isFront: isFront, becameActive: isFront))
            next.open[record.identifier]?.state = number
            next.open[record.identifier]?.isFront = isFront
        }
        clock.now += 1
        try store.save(
            states, marks: marks, savedAt: clock.now,
            durability: flaw == .normalMode ? .normal : .full)
        current = next
        return true
    }

    private mutating func clearState(_ records: [SessionRecord]) throws -> Bool {
        let record = records[random.below(records.count)]
        let changed = try store.save([(record, nil)])
        current.open[record.identifier]?.state = nil
        return !changed.isEmpty
    }

    private mutating func mark(_ records: [SessionRecord]) throws -> Bool {
        let record = records[random.below(records.count)]
        try store.marks.apply([MarkChange(key: record.key, isFront: !record.isFront)])
        current.open[record.identifier]?.isFront = !record.isFront
        return false
    }

    private mutating func setValues(_ records: [SessionRecord]) throws -> Bool {
        let record = records[random.below(records.count)]
        let number = number()
        switch random.below(3) {
        case 0:
            try store.values.setTitle(StoreTruth.title(number), key: record.key)
            current.open[record.identifier]?.title = number
            return false
        case 1:
            try store.values.setUserInfo(
                StoreTruth.info(record.identifier, number), key: record.key, durability: .full)
            current.open[record.identifier]?.info = number
        default:
            try store.values.setStorage(
                [StoreTruth.storageKey: .integer(number)], key: record.key, durability: .full)
            current.open[record.identifier]?.storage = number
        }
        return true
    }

    private mutating func discard(_ records: [SessionRecord]) throws -> Bool {
        let chosen = records.shuffled(using: &random).prefix(1 + random.below(2))
        try store.discard(chosen.map(\.key), cause: .user, deliveredNow: random.oneIn(2))
        for record in chosen {
            var session = current.open.removeValue(forKey: record.identifier)
            session?.isFront = false
            current.closed[record.identifier] = session
            current.pending.insert(record.identifier)
        }
        return true
    }

    private mutating func tell() throws -> Bool {
        let pending = try store.discards.pending()
        guard !pending.isEmpty else {
            return false
        }
        if random.oneIn(2) {
            let keys = pending.map(\.key)
            try store.write(.full) { transaction throws(SceneStoreError) in
                try transaction.mark(discards: keys, .offered)
            }
        }
        // The next step may only be taken for durable when this one is seen apart from it.
        try store.discards.mark(pending.map(\.key), .delivered)
        current.pending = []
        return false
    }

    private mutating func reopen() throws -> Bool {
        guard let closed = try store.discards.recentlyClosed().first else {
            return false
        }
        let identifier = closed.record.identifier
        _ = try store.discards.reopen(identifier: SceneSession.ID(identifier))
        current.open[identifier] = current.closed.removeValue(forKey: identifier)
        current.pending.remove(identifier)
        return true
    }

    private mutating func forget(_ records: [SessionRecord]) throws -> Bool {
        let record = records[random.below(records.count)]
        try store.forget([record.key])
        current.open[record.identifier] = nil
        return true
    }

    private mutating func reset() throws -> Bool {
        try store.reset()
        current = StoreTruth()
        return true
    }

    /// A sync fails: the save is not acknowledged, nothing more is taken, and the next opening
    /// finds what is really on the disk.
    private mutating func failSync(_ records: [SessionRecord]) throws -> Bool {
        let record = records[random.below(records.count)]
        let attempt = number()
        disk.program = [FaultDisk.Fault([.sync], effect: .forgotten)]
        do {
            try store.save([(record, attempt)], durability: .full)
            throw StoreTruth.Wrong(description: "a save whose sync failed was acknowledged")
        } catch let error as SceneStoreError {
            guard error.code == .ioError || error.code == .poisoned else {
                throw error
            }
        }
        disk.program = []
        if flaw == .believedCache {
            store.abandon()
        } else {
            do {
                try store.save([(record, attempt + 1_000_000)])
                throw StoreTruth.Wrong(description: "a save after a failed sync was acknowledged")
            } catch let error as SceneStoreError {
                guard error.code == .poisoned else {
                    throw error
                }
            }
            store.abandon()
            disk.dropCache()
        }
        var attempted = current
        attempted.open[record.identifier]?.state = attempt
        alternatives[truths.count] = [attempted]
        store = try Simulation.open(disk, clock: clock)
        epoch += 1
        let found = try StoreTruth.read(store)
        // What was not durable before may be gone with it.
        guard found == attempted || acceptable(after: truths.count - 1).contains(found) else {
            throw StoreTruth.Wrong(
                description: "after a failed sync: \(found.difference(from: current))")
        }
        current = found
        return true
    }
}
