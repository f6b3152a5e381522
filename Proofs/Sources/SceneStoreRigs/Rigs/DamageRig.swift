import SceneStore
import SceneStoreSQLite
import SceneStoreTesting

/// bytes of a store and of its log are flipped and zeroed, pages vanish or change places,
/// files are cut off.
///
/// Whatever is opened and read afterwards is a typed error, or rows that say what they said
/// before: a row that is damaged is missing and reported, never wrong, and no commit that was
/// durable is missing in silence.
///
/// Two controls must fail: a store that tells of no damaged row, and a lock that doesn't say what is
/// durable.
enum DamageRig: Rig {
    static let watchdogSeconds: UInt32 = 1_800

    /// What is damaged.
    enum Target: UInt64, CaseIterable {
        /// A store that was closed: one file.
        case closedStore
        /// The log of a process that died.
        case log
        /// The log of a process that died some time after a checkpoint.
        case logAfterCheckpoint
        /// The log of a process that died before the first checkpoint: all that there is.
        case logOfNewStore
        /// The file beside a log.
        case storeBesideLog
        /// Pages, or a log, that went back to older versions.
        case stale
        /// Each file and folder of a container, alone and in pairs.
        case container
    }

    static let untold = RigControl(
        number: 1, flaw: "no damaged row is told of", text: "in silence")
    static let unnoted = RigControl(
        number: 2, flaw: "the lock does not say what is durable", text: "in silence")

    static func jobs(_ plan: RigPlan) -> [Job] {
        let scale: UInt64 = plan.isLong ? 10 : 1
        func parts(_ target: Target, _ cases: UInt64, _ count: UInt64) -> [Job] {
            (0..<count).map { part in
                Job(.damage, seed: plan.seed).with("target", target.rawValue)
                    .with("from", part * (cases * scale / count))
                    .with("count", cases * scale / count)
            }
        }
        let controls = [(Target.closedStore, untold), (.log, unnoted)].map { target, control in
            Job(.damage, seed: plan.seed).with("target", target.rawValue)
                .with("from", 0).with("count", 200).with(control)
        }
        return controls + parts(.closedStore, 16_000, 4) + parts(.storeBesideLog, 4_000, 2)
            + parts(.log, 4_000, 2) + parts(.logAfterCheckpoint, 4_000, 2)
            + parts(.logOfNewStore, 2_000, 2)
            + StalePageRig.jobs(plan, target: Target.stale.rawValue)
            + ContainerRig.jobs(plan, target: Target.container.rawValue)
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        guard let target = Target(rawValue: job["target"]) else {
            throw StoreTruth.Wrong(description: "there is no such target")
        }
        switch target {
        case .stale: return try StalePageRig.run(job, report)
        case .container: return try ContainerRig.run(job, report)
        default: break
        }
        let image = try DamageImage(target)
        let control = job.control(of: [untold, unnoted])
        var findings = RigFindings(control, report)
        let judge = try DamageJudge(image, control)
        let range = job["from"]..<job["from"] + max(job["count"], 1)
        for number in range {
            let again = job.with("from", number).with("count", 1)
            if number % 64 == 0 || job["count"] <= 1 {
                report.at(job.with("from", number).with("count", 64))
            }
            let damage = Damage(number, of: image.damaged, seed: job.seed)
            let verdict = judge.verdict(on: damage)
            if case .wrong(let text) = verdict {
                findings.add("\(target), \(damage.description): \(text)", replay: again)
            }
            guard control == nil else {
                report.count("damaged files of controls")
                continue
            }
            switch verdict {
            case .wrong: break
            case .refused(let code): report.count("refused as \(code)")
            case .isolated: report.count("with rows set aside")
            case .harmless: report.count("without effect")
            case .outOfReach: report.count("with rows out of reach, noticed by the idle check")
            }
            report.count("damaged files")
        }
        findings.finish(job)
    }
}

/// One damage, which follows from its number and the seed.
struct Damage {
    var bytes: [UInt8]
    var description: String
    private static let pageSize = 4_096

    /// Goes through the file in steps of 64 bytes, kind by kind; then other bytes of the same
    /// steps.
    init(_ number: UInt64, of original: [UInt8], seed: UInt64) {
        let slots = max(original.count / 64, 1)
        var random = SeededRandom(seed, number, 63)
        // A stride that shares no factor with most sizes spreads a short run over the file.
        let slot = Int(truncatingIfNeeded: (number &* 7_919) % UInt64(slots))
        let offset = min(slot * 64 + random.below(64), max(original.count - 1, 0))
        bytes = original
        switch random.below(16) {
        case 0...6:
            let mask = UInt8(1) << UInt8(random.below(8))
            bytes[offset] ^= mask
            description = "a flipped bit at \(offset)"
        case 7...9:
            bytes[offset] = UInt8(truncatingIfNeeded: random.next())
            description = "another byte at \(offset)"
        case 10, 11:
            let end = min(slot * 64 + 64, bytes.count)
            for index in slot * 64..<end {
                bytes[index] = 0
            }
            description = "zeros from \(slot * 64) to \(end)"
        case 12:
            let start = offset / Self.pageSize * Self.pageSize
            for index in start..<min(start + Self.pageSize, bytes.count) {
                bytes[index] = random.oneIn(2) ? 0 : UInt8(truncatingIfNeeded: random.next())
            }
            description = "junk from \(start)"
        case 13:
            let pages = bytes.count / Self.pageSize
            let from = random.below(pages) * Self.pageSize
            let to = offset / Self.pageSize * Self.pageSize
            let length = min(Self.pageSize, bytes.count - max(from, to))
            for index in 0..<max(length, 0) {
                bytes[to + index] = original[from + index]
            }
            description = "page at \(from) copied to \(to)"
        default:
            bytes.removeLast(bytes.count - offset / 512 * 512)
            description = "cut off at \(bytes.count)"
        }
    }
}

/// A store whose content is known, and which file of it is damaged.
struct DamageImage {
    let target: DamageRig.Target
    let store: [UInt8]
    let log: [UInt8]?
    /// The owner's epoch, as the lock file has it.
    let epoch: Int64
    /// The generation of the last durable commit, as the lock file has it.
    let generation: Int64
    /// What the store held after each commit since the log was begun; the last one is the truth.
    let truths: [StoreTruth]

    var damaged: [UInt8] {
        target == .closedStore || target == .storeBesideLog ? store : log ?? []
    }

    init(_ target: DamageRig.Target) throws {
        self.target = target
        let container = try RealContainer()
        let clock = VirtualClock()
        var store = try container.openStore(clock: clock)
        try Self.fill(store)
        if target != .logOfNewStore {
            try store.close()
        }
        var truths: [StoreTruth] = []
        var log: [UInt8]?
        if target != .closedStore {
            if target != .logOfNewStore {
                store = try container.openStore(clock: clock)
            }
            truths.append(try StoreTruth.read(store))
            if target == .logAfterCheckpoint {
                try Self.save(store, 500..<506, &truths)
                clock.now += 31_000
                try store.log.checkpoint()
                // What is in the file is no longer the log's.
                truths = [truths[truths.count - 1]]
            }
            try Self.save(store, 600..<610, &truths)
            // The files as a death of the process at this moment leaves them.
            log = container.bytes(ContainerName.log)
            guard log != nil else {
                throw StoreTruth.Wrong(description: "there is no log")
            }
        } else {
            store = try container.openStore(.reader, clock: clock)
            truths.append(try StoreTruth.read(store))
        }
        guard let bytes = container.bytes(ContainerName.store) else {
            throw StoreTruth.Wrong(description: "there is no store")
        }
        generation = store.currentGeneration()
        store.abandon()
        self.store = bytes
        self.log = log
        epoch = target == .closedStore || target == .logOfNewStore ? 1 : 2
        self.truths = truths
    }

    private static func fill(_ store: SceneSessionStore) throws {
        var records: [(record: SessionRecord, number: Int64?)] = []
        for index in 0..<14 {
            let identifier = "D-\(index)"
            let record = try store.insertSession(
                identifier: identifier, configuration: StoreTruth.configuration,
                userInfo: StoreTruth.info(identifier, Int64(index % 4 + 1)),
                isFront: index % 3 == 0, becameActive: true)
            if index % 2 == 0 {
                try store.values.setTitle(StoreTruth.title(Int64(index)), key: record.key)
            }
            if index % 3 == 1 {
                try store.values.setStorage(
                    [StoreTruth.storageKey: .integer(Int64(index))], key: record.key)
            }
            records.append((record, Int64(index + 1)))
        }
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 1))
        for round in 0..<3 {
            try store.save(records.map { ($0.record, ($0.number ?? 0) + Int64(round * 20)) })
        }
        try store.discard(
            [records[12].record.key, records[13].record.key], cause: .user, deliveredNow: false)
    }

    private static func save(
        _ store: SceneSessionStore, _ numbers: Range<Int64>, _ truths: inout [StoreTruth]
    ) throws {
        let records = Array(try store.openRecords())
        for number in numbers {
            let index = Int(number) % records.count
            try store.save([(records[index], number)])
            truths.append(try StoreTruth.read(store))
        }
    }
}

/// Opens damaged files and reads everything.
final class DamageJudge {
    enum Verdict {
        case wrong(String)
        case refused(String)
        case isolated
        case harmless
        case outOfReach
    }

    private let image: DamageImage
    /// The generation of the last durable commit, as the lock's file is to have it.
    private let durable: Int64
    private let isTold: Bool
    private let container: RealContainer
    private let disk = FaultDisk(seed: 63)

    init(_ image: DamageImage, _ control: RigControl? = nil) throws {
        self.image = image
        durable = control == DamageRig.unnoted ? 0 : image.generation
        isTold = control != DamageRig.untold
        container = try RealContainer()
    }

    /// What a person may be told of a damaged file.
    private static let codes: Set<SceneStoreError.Code> = [
        .corrupt, .notAStore, .newerSchema, .schemaTampered, .changedMigration, .orphanedWAL,
        .damagedRow,
    ]

    func verdict(on damage: Damage) -> Verdict {
        do {
            let store = try open(damage.bytes)
            defer { store.abandon() }
            return try judge(store)
        } catch let error as SceneStoreError {
            return Self.codes.contains(error.code)
                ? .refused(error.code.rawValue) : .wrong("answers \(error)")
        } catch {
            return .wrong("\(error)")
        }
    }

    private func open(_ bytes: [UInt8]) throws -> SceneSessionStore {
        switch image.target {
        case .closedStore where bytes.isEmpty:
            // To SQLite alone that is a new database.
            try container.leave(
                store: bytes, log: nil, epoch: image.epoch, durable: durable)
            return try container.openStore()
        case .closedStore:
            for name in disk.files {
                disk.removeFile(name)
            }
            disk.importFile(Simulation.file, bytes: bytes)
            return try Simulation.open(disk)
        case .storeBesideLog:
            try container.leave(
                store: bytes, log: image.log, epoch: image.epoch, durable: durable)
            return try container.openStore()
        case .log, .logAfterCheckpoint, .logOfNewStore, .stale, .container:
            try container.leave(
                store: image.store, log: bytes, epoch: image.epoch, durable: durable)
            return try container.openStore()
        }
    }

    private func judge(_ store: SceneSessionStore) throws -> Verdict {
        guard let truth = image.truths.last else {
            return .wrong("the rig knows no truth")
        }
        var errors = 0
        let found = try Self.read(store, &errors)
        var findings: [Diagnostic] = []
        do {
            findings = try store.findings()
        } catch {
            guard Self.codes.contains(error.code) else {
                throw error
            }
            errors += 1
        }
        if !isTold {
            (findings, errors) = ([], 0)
        }
        if found == truth {
            return findings.isEmpty && errors == 0 ? .harmless : .isolated
        }
        if findings.isEmpty, errors == 0 {
            if let age = image.truths.lastIndex(of: found) {
                return .wrong("\(image.truths.count - 1 - age) commits are lost in silence")
            }
            // What is only out of reach has to be noticed as soon as nobody waits.
            guard found.isPart(of: truth), try isTold && isNoticedWhenIdle(store) else {
                return .wrong("in silence: \(found.difference(from: truth))")
            }
            return .outOfReach
        }
        if found.isPart(of: truth) {
            return .isolated
        }
        return .wrong("beside \(findings.count) findings: \(found.difference(from: truth))")
    }

    /// Whether the work of idle moments says that something is wrong.
    private func isNoticedWhenIdle(_ store: SceneSessionStore) throws -> Bool {
        do {
            while try store.upkeep.perform(budgetMilliseconds: 600_000) {}
        } catch {
            guard Self.codes.contains(error.code) else {
                throw error
            }
            return true
        }
        return store.takeDiagnostics().contains { $0.severity == .error }
    }

    /// Everything that can be read; what is refused is counted.
    static func read(_ store: SceneSessionStore, _ errors: inout Int) throws -> StoreTruth {
        var truth = StoreTruth()
        for record in try store.openRecords() {
            if let session = try session(record, store, &errors) {
                truth.open[record.identifier] = session
            }
        }
        do throws(SceneStoreError) {
            var closed: [SessionRecord] = []
            for session in try store.discards.recentlyClosed() {
                closed.append(session.record)
            }
            truth.pending = Set(try store.discards.pending().map(\.identifier.rawValue))
            for record in closed {
                truth.closed[record.identifier] = SessionTruth()
            }
        } catch {
            guard codes.contains(error.code) else {
                throw error
            }
            errors += 1
        }
        for identifier in truth.closed.keys {
            if let record = try store.record(identifier: identifier) {
                truth.closed[identifier] = try session(record, store, &errors)
            }
        }
        return truth
    }

    private static func session(
        _ record: SessionRecord, _ store: SceneSessionStore, _ errors: inout Int
    ) throws -> SessionTruth? {
        do {
            return try StoreTruth.session(record, store)
        } catch let error as SceneStoreError {
            // Listed, and out of reach when it is looked for: missing, which has to be noticed.
            guard error.code != .noSuchSession else {
                return nil
            }
            guard codes.contains(error.code) else {
                throw error
            }
            errors += 1
            return nil
        }
    }
}
