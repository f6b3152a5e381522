import SceneStore
import SceneStoreTesting

/// R-61: every call to the disk fails, once and for good, in every way that a disk has; every
/// allocation fails; the disk is full at every 512 bytes.
///
/// The operation must say what failed in the right words or succeed truly, leave a whole store, and
/// the next save works, or the store says that it is poisoned and a new opening works.
///
/// Three controls must fail: a save whose error nobody hears of, a save in several transactions, and
/// an export that is written in its place.
enum SweepRig: Rig {
    static let watchdogSeconds: UInt32 = 1_200

    /// What fails.
    enum Kind: UInt64, CaseIterable {
        case refused, short, doneButReported, full, noMemory, allocation, space, compound
    }

    static let silent = RigControl(
        number: 1, flaw: "an error is not told", text: "said done")
    static let halved = RigControl(
        number: 2, flaw: "each session is saved in a transaction of its own",
        text: "said failed, did")

    static func jobs(_ plan: RigPlan) -> [Job] {
        var jobs = [silent, halved].map {
            Job(.sweep, seed: plan.seed).with("operation", SweepOperation.saveMany.rawValue)
                .with("kind", Kind.refused.rawValue).with("dense", 60).with($0)
        }
        for operation in SweepOperation.allCases {
            for kind in Kind.allCases where plan.isLong || kind != .compound {
                jobs.append(
                    Job(.sweep, seed: plan.seed).with("operation", operation.rawValue)
                        .with("kind", kind.rawValue).with("dense", plan.isLong ? 60_000 : 60))
            }
        }
        return jobs + FileSweep.jobs(plan)
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        guard job.optional("files") == nil else {
            return try FileSweep.run(job, report)
        }
        guard let operation = SweepOperation(rawValue: job["operation"]),
            let kind = Kind(rawValue: job["kind"])
        else {
            throw StoreTruth.Wrong(description: "there is no such operation or kind")
        }
        if kind == .allocation {
            guard AllocationFaults.install() else {
                throw StoreTruth.Wrong(description: "SQLite was in use already")
            }
        } else {
            _ = FaultDisk.configureRigProcess(seed: UInt32(truncatingIfNeeded: job.seed))
        }
        let control = job.control(of: [silent, halved])
        var findings = RigFindings(control, report)
        let sweep = try Sweep(operation, kind, seed: job.seed, control: control)
        for isPermanent in [false, true] where kind != .space || !isPermanent {
            var place = job.optional("at") ?? 1
            let limit: UInt64 = 1_000_000
            while place < limit {
                let again = job.with("at", place).with("permanent", isPermanent ? 1 : 0)
                if job.optional("permanent").map({ ($0 == 1) == isPermanent }) ?? true {
                    let outcome = sweep.run(place, isPermanent: isPermanent)
                    if let problem = outcome.problem {
                        findings.add("\(operation), \(kind): \(problem)", replay: again)
                    }
                    if let code = outcome.code, control == nil {
                        report.count("answered \(code)")
                    }
                    guard outcome.isHit else {
                        break
                    }
                    let figure = kind == .allocation ? "failed allocations" : "faults"
                    report.count(control == nil ? figure : "faults of controls")
                }
                guard job.optional("at") == nil else {
                    break
                }
                // A quick run thins out the many allocations and sizes of a long operation.
                place += place < job["dense"] ? 1 : 1 + place / 12
            }
            if place >= limit, job.optional("at") == nil {
                report.violation("\(operation), \(kind): no end", replay: job)
            }
        }
        findings.finish(job)
    }
}

/// One operation under one kind of failure.
struct Sweep {
    /// What one try showed.
    struct Outcome {
        var isHit = true
        var code: String?
        var problem: String?
    }

    private let operation: SweepOperation
    private let kind: SweepRig.Kind
    private let control: RigControl?
    private let base: FaultDisk
    private let before: StoreTruth
    private let after: StoreTruth

    init(
        _ operation: SweepOperation, _ kind: SweepRig.Kind, seed: UInt64,
        control: RigControl? = nil
    ) throws {
        self.operation = operation
        self.kind = kind
        self.control = control
        base = try SweepOperation.baseDisk(operation, seed: seed)
        if operation == .create {
            before = StoreTruth()
        } else {
            let store = try Simulation.open(base.copy())
            before = try StoreTruth.read(store)
            store.abandon()
        }
        let disk = base.copy()
        let store = operation.opens ? nil : try Simulation.open(disk)
        try operation.perform(store, disk)?.abandon()
        let result = try Simulation.open(disk)
        after = try StoreTruth.read(result)
        result.abandon()
    }

    private func faults(_ place: UInt64, _ isPermanent: Bool) -> [FaultDisk.Fault] {
        switch kind {
        case .refused:
            [FaultDisk.Fault(Self.all, at: place, isPermanent: isPermanent)]
        case .short:
            [
                FaultDisk.Fault(
                    [.read, .write], at: place, isPermanent: isPermanent, effect: .short)
            ]
        case .doneButReported:
            [
                FaultDisk.Fault(
                    [.read, .write, .truncate, .sync, .delete], at: place,
                    isPermanent: isPermanent, effect: .doneButReported)
            ]
        case .full:
            [FaultDisk.Fault([.write], at: place, isPermanent: isPermanent, code: 13)]
        case .noMemory:
            [FaultDisk.Fault(Self.all, at: place, isPermanent: isPermanent, code: 10 | 12 << 8)]
        case .compound:
            [
                FaultDisk.Fault([.write, .sync], at: place, effect: .doneButReported),
                FaultDisk.Fault(Self.all, at: place + 3, isPermanent: isPermanent),
            ]
        case .allocation, .space: []
        }
    }

    private static let all = Set(FaultDisk.Operation.failable)

    /// The words in which a failure of this kind may be told.
    private var words: Set<SceneStoreError.Code> {
        switch kind {
        case .full, .space: [.diskFull, .poisoned]
        case .noMemory, .allocation: [.outOfMemory, .poisoned]
        case .short: [.ioError, .diskFull, .poisoned]
        case .refused, .doneButReported, .compound: [.ioError, .diskFull, .poisoned]
        }
    }

    func run(_ place: UInt64, isPermanent: Bool) -> Outcome {
        var outcome = Outcome()
        do {
            let disk = base.copy()
            var store = operation.opens ? nil : try Simulation.open(disk)
            var failure: SceneStoreError?
            do {
                store = try fail(place, isPermanent, store, disk, &outcome)
            } catch let error as SceneStoreError {
                failure = control == SweepRig.silent ? nil : error
                outcome.code = error.code.rawValue
            }
            // Without a fault this is the plain operation, which is looked at all the same.
            // What the disk refuses after an erasure's commit is pending.
            let isPending = operation == .erase && failure?.code == .erasurePending
            if let failure, !words.contains(failure.code), !isPending {
                outcome.problem = "answers \(failure)"
                return outcome
            }
            if let failure, !outcome.isHit {
                outcome.problem = "fails without a fault: \(failure)"
                return outcome
            }
            outcome.problem = try look(at: store, disk, failure, place)
        } catch {
            outcome.problem = "\(error)"
        }
        return outcome
    }

    private func fail(
        _ place: UInt64, _ isPermanent: Bool, _ store: SceneSessionStore?, _ disk: FaultDisk,
        _ outcome: inout Outcome
    ) throws -> SceneSessionStore? {
        switch kind {
        case .allocation:
            defer { outcome.isHit = AllocationFaults.failures > 0 }
            return try AllocationFaults.failing(at: place, isPermanent: isPermanent) {
                try operation.perform(store, disk)
            }
        case .space:
            let used = disk.files.reduce(UInt64(0)) { $0 + (disk.fileSize($1) ?? 0) }
            disk.configure { $0.capacity = (used / 512 + place - 1) * 512 }
            defer { disk.configure { $0.capacity = nil } }
            do {
                let result = try operation.perform(store, disk)
                outcome.isHit = false
                return result
            } catch {
                throw error
            }
        default:
            disk.program = faults(place, isPermanent)
            defer {
                outcome.isHit = disk.firedFaults > 0
                disk.program = []
            }
            guard control == SweepRig.halved, let store else {
                return try operation.perform(store, disk)
            }
            for record in Array(try store.openRecords()) {
                try store.save(
                    [(record, 103)],
                    marks: [MarkChange(key: record.key, isFront: !record.isFront)])
            }
            return store
        }
    }

    // MARK: - What is left

    private func look(
        at store: SceneSessionStore?, _ disk: FaultDisk, _ failure: SceneStoreError?,
        _ place: UInt64
    ) throws -> String? {
        var expected = failure == nil ? [after] : [before, after]
        if let store, operation != .close || failure == nil {
            switch try next(store, failure) {
            case .problem(let text):
                store.abandon()
                return text
            case .acknowledged(let truth): expected = [truth]
            case .refused(let truth): expected = [before, after, truth]
            }
            store.abandon()
        } else {
            store?.abandon()
        }
        // As after a death of the process, or after a power cut: what was acknowledged as durable
        // survives both.
        if place % 2 == 0 {
            disk.reboot(seed: place)
            expected.append(contentsOf: expected == [after] ? [before] : [])
        } else {
            disk.crash()
            disk.dropCache()
        }
        return try reopen(disk, expected)
    }

    private enum Next {
        case acknowledged(StoreTruth)
        case refused(StoreTruth)
        case problem(String)
    }

    /// The open store shows what was before, or what it acknowledged, and takes the next save or
    /// says that it takes none.
    private func next(
        _ store: SceneSessionStore, _ failure: SceneStoreError?
    ) throws -> Next {
        var truth = before
        do {
            truth = try StoreTruth.read(store)
            if failure == nil, truth != after {
                return .problem("said done: \(truth.difference(from: after))")
            }
            if failure != nil, truth != before, operation.isOneTransaction {
                return .problem("said failed, did: \(truth.difference(from: before))")
            }
            let record: SessionRecord
            if let known = try store.openRecords().first {
                record = known
            } else {
                record = try store.insertSession(
                    identifier: "next", configuration: StoreTruth.configuration)
                truth.open["next"] = SessionTruth()
            }
            try store.save([(record, 909)])
            truth.open[record.identifier]?.state = 909
            return .acknowledged(truth)
        } catch let error as SceneStoreError {
            guard error.code == .poisoned || error.code == .closed else {
                return .problem("the next save answers \(error)")
            }
            return .refused(truth)
        }
    }

    private func reopen(_ disk: FaultDisk, _ expected: [StoreTruth]) throws -> String? {
        let store = try Simulation.open(disk)
        defer { store.abandon() }
        let found = try StoreTruth.read(store)
        guard expected.contains(found) else {
            return "opened anew: \(found.difference(from: expected.first ?? before))"
        }
        if let finding = try store.findings().first {
            return "opened anew: \(finding.message)"
        }
        let record = try store.insertSession(
            identifier: "last", configuration: StoreTruth.configuration)
        try store.save([(record, 1)])
        try store.close()
        let problems = try Simulation.problems(disk)
        return problems.isEmpty ? nil : "SQLite finds: \(problems.joined(separator: ", "))"
    }
}
