import SceneStore
import SceneStoreTesting

/// R-60: the power is cut at every step of a random life of a store, several times each.
///
/// After each cut the store must open without an alarm, every row must bear its checksum, and what
/// it holds must be exactly what one transaction left: the last durable one that was acknowledged,
/// or a later one. Episodes of a flawed workload come along that must break this.
enum PowerCutRig: Rig {
    static let watchdogSeconds: UInt32 = 3_000

    static func jobs(_ plan: RigPlan) -> [Job] {
        var jobs: [Job] = []
        for flaw in [Workload.Flaw.normalMode, .lyingDisk, .believedCache] {
            jobs.append(
                Job(.powerCuts, seed: plan.seed).with("flaw", flaw.rawValue).with("steps", 60)
                    .with("outcomes", 2))
        }
        for episode in 0..<UInt64(plan.isLong ? 100 : 6) {
            jobs.append(
                Job(.powerCuts, seed: plan.seed).with("episode", episode)
                    .with("steps", plan.isLong ? 60 : 21).with("outcomes", 24)
                    .with("beginning", episode % 3))
        }
        return jobs + FileCuts.jobs(plan) + BlameCuts.jobs(plan)
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        guard job.optional("files") == nil else {
            return try FileCuts.run(job, report)
        }
        guard job.optional("blame") == nil else {
            return try BlameCuts.run(job, report)
        }
        let seed = SeededRandom.value(job.seed, job["episode"])
        // The salts of the logs are part of what must be the same in a replay.
        guard FaultDisk.configureRigProcess(seed: UInt32(truncatingIfNeeded: seed)) else {
            throw StoreTruth.Wrong(description: "SQLite was in use already")
        }
        let beginning = Workload.Beginning(rawValue: job["beginning"]) ?? .emptyStore
        guard beginning == .olderSchema else {
            return try run(job, report, seed, beginning)
        }
        try MadeMigrations.added { try run(job, report, seed, beginning) }
    }

    private static func run(
        _ job: Job, _ report: JobReport, _ seed: UInt64, _ beginning: Workload.Beginning
    ) throws {
        let flaw = Workload.Flaw(rawValue: job["flaw"]) ?? .none
        let workload: Workload
        do {
            workload = try Workload(
                seed: seed, steps: job.int("steps"), flaw: flaw, beginning: beginning)
        } catch  where flaw == .believedCache {
            // The flaw has shown before any cut, which is as good.
            report.count("flawed episodes noticed")
            return
        }
        guard let trace = workload.disk.endTrace() else {
            throw StoreTruth.Wrong(description: "nothing was recorded")
        }
        let judge = try PowerCutJudge(workload, hasRealFile: beginning != .nothing)
        var positions: Range<Int>?
        if let position = job.optional("position") {
            positions = Int(clamping: position)..<Int(clamping: position) + 1
        }
        var number = 0
        var violations = 0
        trace.forEachPowerCut(
            seed: seed, outcomes: job.int("outcomes"), positions: positions
        ) { cut, disk in
            number += 1
            guard job.optional("outcome").map({ $0 == UInt64(cut.outcome) }) ?? true else {
                return true
            }
            let failure = judge.failure(
                after: cut, disk, number: number, isReplay: positions != nil)
            guard let failure else {
                return true
            }
            violations += 1
            if flaw == .none {
                report.violation(
                    failure,
                    replay: job.with("position", UInt64(cut.position))
                        .with("outcome", UInt64(cut.outcome)))
            }
            return flaw == .none ? violations < 20 : true
        }
        guard flaw == .none else {
            report.count("cuts of controls", UInt64(number))
            report.count("of them noticed", UInt64(violations))
            if violations == 0 {
                report.violation("the control \(flaw) lost nothing: the rig is blind", replay: job)
            } else {
                report.count("flawed episodes noticed")
            }
            return
        }
        report.count("cuts", UInt64(number))
        report.count("episodes")
        report.count("steps", UInt64(workload.truths.count - 1))
        report.count("different disks opened", UInt64(judge.openings))
        report.count("of them as real files", UInt64(judge.realOpenings))
    }
}

/// Looks at what a power cut left.
final class PowerCutJudge {
    private let workload: Workload
    private let container: RealContainer
    /// What was found on each disk that was opened. Two cuts that leave the same bytes leave the
    /// same store: the second time only what it owes is asked.
    private var known: [DiskDigest: StoreTruth] = [:]
    private(set) var openings = 0
    private(set) var realOpenings = 0

    /// Whether the file is one that a container could have: SQLite's own first page says less.
    private let hasRealFile: Bool

    init(_ workload: Workload, hasRealFile: Bool) throws {
        self.workload = workload
        self.hasRealFile = hasRealFile
        container = try RealContainer()
    }

    /// What is wrong, or nil. Every so many cuts it looks more closely; a replay always does.
    func failure(
        after cut: FaultDisk.PowerCut, _ disk: FaultDisk, number: Int, isReplay: Bool
    ) -> String? {
        do {
            let mark = Int(clamping: cut.mark)
            if hasRealFile, isReplay || number % 47 == 0, mark > 0,
                let problem = try realFailure(mark, disk)
            {
                return "as real files: \(problem)"
            }
            return try simulatedFailure(mark, disk, isReplay: isReplay)
        } catch {
            return "\(error)"
        }
    }

    private func simulatedFailure(
        _ mark: Int, _ disk: FaultDisk, isReplay: Bool
    ) throws -> String? {
        let digest = DiskDigest(disk)
        if let found = known[digest], !isReplay {
            return failure(found, mark)
        }
        openings += 1
        let store = try Simulation.open(disk)
        defer { store.abandon() }
        let found = try StoreTruth.read(store)
        if let problem = try alarm(store) ?? failure(found, mark) {
            return problem
        }
        known[digest] = found
        guard isReplay || openings % 16 == 0 else {
            return nil
        }
        let record = try store.insertSession(
            identifier: "after", configuration: StoreTruth.configuration)
        try store.save([(record, 1)])
        try store.close()
        let problems = try Simulation.problems(disk)
        return problems.isEmpty ? nil : "SQLite finds: \(problems.joined(separator: ", "))"
    }

    private func alarm(_ store: SceneSessionStore) throws -> String? {
        try store.findings().first.map { "a false alarm: \($0.code.rawValue): \($0.message)" }
    }

    private func failure(_ found: StoreTruth, _ mark: Int) -> String? {
        let acceptable = workload.acceptable(after: mark)
        guard !acceptable.contains(found), let expected = acceptable.first else {
            return nil
        }
        return "after mark \(mark): \(found.difference(from: expected))"
    }

    /// The same through the checks of files, which look at the log before SQLite does (R-02).
    private func realFailure(_ mark: Int, _ disk: FaultDisk) throws -> String? {
        guard let bytes = disk.exportFile(Simulation.file), !bytes.isEmpty else {
            return "the store's file is empty"
        }
        try container.leave(
            store: bytes, log: disk.exportFile(Simulation.log), epoch: workload.epochs[mark],
            durable: workload.durableGenerations[mark])
        realOpenings += 1
        let store = try container.openStore()
        defer { store.abandon() }
        return try alarm(store) ?? failure(try StoreTruth.read(store), mark)
    }
}

/// The content of a disk, in short.
private struct DiskDigest: Hashable {
    private var files: [String: UInt64] = [:]

    init(_ disk: FaultDisk) {
        for name in disk.files {
            files[name] = disk.fileDigest(name)
        }
    }
}

extension SeededRandom {
    /// One number made of two.
    static func value(_ seed: UInt64, _ purpose: UInt64) -> UInt64 {
        var random = SeededRandom(seed, purpose)
        return random.next()
    }
}
