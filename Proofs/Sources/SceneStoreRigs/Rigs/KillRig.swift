import SceneStore
import SceneStoreSQLite
import SceneStoreTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// a process that saves is killed at random moments while another one reads.
///
/// Transaction `n` saves the sessions that ``touched(by:)`` names, each with the number `n`, and
/// one look of a reader sees the skeleton of one moment: from the highest number in it all others
/// follow. After each kill nothing that was acknowledged may be missing, and the next launch is a
/// recovery.
///
/// Two controls must fail: a process that acknowledges a save before it makes it, and one that saves
/// each session in a transaction of its own.
enum KillRig: Rig {
    static let watchdogSeconds: UInt32 = 3_000
    static let sessions = 12

    static let early = RigControl(
        number: 1, flaw: "a save is acknowledged before it is made", text: "is the last one")
    static let torn = RigControl(
        number: 2, flaw: "each session is saved in a transaction of its own",
        text: "no moment had this")

    static func jobs(_ plan: RigPlan) -> [Job] {
        let controls = [early, torn].map {
            Job(.kills, seed: plan.seed).with("part", 2).with("kills", 60).with($0)
        }
        return controls
            + (0..<2).map { part in
                Job(.kills, seed: plan.seed).with("part", part)
                    .with("kills", plan.isLong ? 1_000 : 120)
            }
    }

    /// Which sessions a transaction saves; the first ones save all, so that all have a number.
    static func touched(by number: Int64, seed: UInt64) -> [Int] {
        guard number > 1 else {
            return Array(0..<sessions)
        }
        var random = SeededRandom(seed, UInt64(bitPattern: number), 62)
        return Array((0..<sessions).shuffled(using: &random).prefix(1 + random.below(4)))
    }

    static func identifier(_ index: Int) -> String { "K-\(index)" }

    static func run(_ job: Job, _ report: JobReport) throws {
        let seed = SeededRandom.value(job.seed, job["part"])
        var random = SeededRandom(seed, 620)
        let container = try RealContainer()
        try setUp(container)
        var watch = SnapshotWatch(container: container, seed: seed)
        let control = job.control(of: [early, torn])
        var findings = RigFindings(control, report)
        for kill in 0..<job.int("kills") {
            report.at(job.with("kill", UInt64(kill)))
            do {
                try killOnce(&watch, &random, control, report)
                report.count(control == nil ? "kills" : "kills of controls")
            } catch {
                findings.add("kill \(kill): \(error)", replay: job)
                break
            }
        }
        findings.finish(job)
        guard control == nil else {
            return
        }
        report.count("snapshots", watch.snapshots)
        report.count("readers told to come again", watch.refusals)
        report.count("acknowledged saves", UInt64(clamping: watch.acknowledged))
    }

    private static func setUp(_ container: RealContainer) throws {
        let store = try container.openStore()
        var records: [(record: SessionRecord, number: Int64?)] = []
        for index in 0..<sessions {
            let record = try store.insertSession(
                identifier: identifier(index), configuration: StoreTruth.configuration)
            records.append((record, 1))
        }
        _ = try store.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 1))
        try store.save(records, savedAt: 1)
        store.abandon()
    }

    private static func killOnce(
        _ watch: inout SnapshotWatch, _ random: inout SeededRandom, _ control: RigControl?,
        _ report: JobReport
    ) throws {
        let child = try ChildProcess([
            "--job", "saver", watch.container.path, String(watch.seed),
            String(control?.number ?? 0),
        ])
        let saves = random.below(30)
        var seen = 0
        var isReady = false
        let readsWhileOpening = random.oneIn(4)
        while seen < saves || !isReady {
            guard let lines = child.lines(timeout: isReady || readsWhileOpening ? 0 : 5) else {
                throw StoreTruth.Wrong(description: "the saver ended by itself: \(child.wait())")
            }
            for line in lines {
                isReady = true
                try watch.take(line)
                seen += 1
            }
            if isReady || readsWhileOpening {
                try watch.look()
            }
        }
        // Somewhere within the next save, checkpoint or opening.
        usleep(UInt32(random.below(1_500)))
        child.send(SIGKILL)
        try watch.look()
        guard child.wait() == .signaled(SIGKILL) else {
            throw StoreTruth.Wrong(description: "the saver ended otherwise: \(child.wait())")
        }
        while let lines = child.lines(timeout: 0) {
            for line in lines {
                try watch.take(line)
            }
        }
        try watch.look()
        try watch.reopen()
        report.count(control == nil ? "reopened" : "reopened after kills of controls")
    }
}

/// What the one who watches a saver knows.
struct SnapshotWatch {
    let container: RealContainer
    let seed: UInt64
    private(set) var acknowledged: Int64 = 1
    private(set) var snapshots: UInt64 = 0
    private(set) var refusals: UInt64 = 0
    /// The newest state that anybody saw: no later look may see an older one.
    private var newest: Int64 = 1

    init(container: RealContainer, seed: UInt64) {
        self.container = container
        self.seed = seed
    }

    /// A line of the saver.
    mutating func take(_ line: Substring) throws {
        let words = line.split(separator: " ")
        guard words.count == 2, words[0] == "saved", let number = Int64(words[1]) else {
            throw StoreTruth.Wrong(description: "the saver says: \(line)")
        }
        acknowledged = max(acknowledged, number)
    }

    /// Reads the store beside its owner, and holds what it sees against what can have existed.
    mutating func look() throws {
        let owed = acknowledged
        let store: SceneSessionStore
        do throws(SceneStoreError) {
            store = try container.openStore(.reader)
        } catch {
            // The owner is just making or recovering its log.
            guard error.code == .busy || error.code == .ioError else {
                throw error
            }
            refusals += 1
            return
        }
        defer { store.abandon() }
        do {
            try check(store, owed: owed)
        } catch let error as SceneStoreError where error.code == .busy {
            // The owner died under the reader's eyes: nothing was shown, and it opens anew.
            refusals += 1
            return
        }
        snapshots += 1
    }

    private mutating func check(_ store: SceneSessionStore, owed: Int64) throws {
        let records = Array(try store.openRecords())
        guard records.count == KillRig.sessions else {
            throw StoreTruth.Wrong(description: "\(records.count) sessions are open")
        }
        var saved: [String: Int64] = [:]
        for record in records {
            saved[record.identifier] = record.savedAt
        }
        let number = saved.values.max() ?? 0
        guard number >= max(owed, newest) else {
            throw StoreTruth.Wrong(
                description: "save \(number) is the last one, \(max(owed, newest)) was there")
        }
        newest = number
        try checkMoment(number, saved)
        for record in records {
            // Read by itself, and so perhaps of a later moment.
            let state = try StoreTruth.number(
                try store.restorationActivity(key: record.key), of: record.identifier)
            guard let state, let first = record.savedAt, state >= first else {
                throw StoreTruth.Wrong(
                    description: "\(record.identifier) has state \(state ?? 0), had "
                        + "\(record.savedAt ?? 0)")
            }
        }
        if let finding = store.openingDiagnostics.first ?? store.takeDiagnostics().first {
            throw StoreTruth.Wrong(description: finding.message)
        }
    }

    /// From the last transaction follows what each session holds.
    private func checkMoment(_ number: Int64, _ saved: [String: Int64]) throws {
        var missing = Set(0..<KillRig.sessions)
        var transaction = number
        while transaction >= 1, !missing.isEmpty {
            for index in KillRig.touched(by: transaction, seed: seed)
            where missing.remove(index) != nil {
                guard saved[KillRig.identifier(index)] == transaction else {
                    throw StoreTruth.Wrong(
                        description: "no moment had this: after save \(number) "
                            + "\(KillRig.identifier(index)) has "
                            + "\(saved[KillRig.identifier(index)] ?? 0) instead of \(transaction)")
                }
            }
            transaction -= 1
        }
    }

    /// Opens the store as its next owner.
    mutating func reopen() throws {
        let store = try container.openStore()
        defer { store.abandon() }
        let launch = try store.launches.begin(
            LaunchContext(bootIdentifier: "boot", processIdentifier: 2))
        guard launch.reason == .recover else {
            throw StoreTruth.Wrong(description: "the launch is a \(launch.reason)")
        }
        try check(store, owed: acknowledged)
        if let finding = try store.findings().first {
            throw StoreTruth.Wrong(description: finding.message)
        }
    }
}

/// The process that is killed.
enum Saver {
    static func run(_ words: [String]) -> Int32 {
        guard words.count == 3, let seed = UInt64(words[1]), let control = UInt64(words[2]) else {
            return 2
        }
        do {
            var options = SceneSessionStore.Options()
            let clock = VirtualClock()
            options.clock = { clock.now }
            options.ownerTimeout = 5_000
            options.corruption = .fail
            let store = try SceneSessionStore.open(at: .directory(words[0]), options: options)
            _ = try store.launches.begin(
                LaunchContext(
                    bootIdentifier: "boot", processIdentifier: Terminal.processIdentifier))
            let records = Array(try store.openRecords())
            var number = records.compactMap(\.savedAt).max() ?? 0
            while true {
                number += 1
                let touched = Set(
                    KillRig.touched(by: number, seed: seed).map(KillRig.identifier))
                let changed = records.filter { touched.contains($0.identifier) }
                let sets = control == KillRig.torn.number ? changed.map { [$0] } : [changed]
                if control == KillRig.early.number {
                    Terminal.print("saved \(number)")
                }
                for set in sets {
                    try store.save(
                        set.map { ($0, number) }, savedAt: number,
                        durability: number % 3 == 0 ? .full : .normal)
                }
                if control != KillRig.early.number {
                    Terminal.print("saved \(number)")
                }
                if number % 17 == 0 {
                    clock.now += 31_000
                    if number % 2 == 0 {
                        try store.log.checkpoint()
                    } else {
                        clock.now += 600_000
                        try store.log.tend(now: clock.now)
                    }
                    try store.upkeep.perform(budgetMilliseconds: 5)
                }
            }
        } catch {
            Terminal.print("failed \(error)")
            return 1
        }
    }
}
