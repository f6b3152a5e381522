import SceneStore
import SceneStoreFileFaults
import SceneStoreSQLite
import SceneStoreTesting

/// The part of R-60 that needs real files: the power is cut behind every call with which backup,
/// migration, import, repair and the like change a file or a folder.
///
/// What the calls change is recorded once. Each cut leaves of it what a disk may leave, as files in
/// a folder of their own, where the next process opens the store through all its checks. Disks that
/// lie about syncs come along and must break this.
struct FileCuts {
    /// Syncs that aren't made.
    enum Flaw: UInt64 {
        case none, files, folders

        var lie: CutTree.Lie? {
            switch self {
            case .none: nil
            case .files: .aboutFiles
            case .folders: .aboutFolders
            }
        }
    }

    /// A cut to be seen again.
    struct Cut {
        var position: Int
        var outcome: Int
        var problem: String
    }

    let judge: FileJudge
    private let flaw: Flaw
    private let start: CutTree
    private let changes: [SystemRecord.Change]
    /// How many changes were made before the operation began.
    private let opening: Int

    static func jobs(_ plan: RigPlan) -> [Job] {
        let controls: [(FileOperation, Flaw)] = [
            (.backup, .files), (.backup, .folders), (.repair, .folders),
        ]
        let flawed = controls.map { operation, flaw in
            Job(.powerCuts, seed: plan.seed).with("files", operation.rawValue)
                .with("flaw", flaw.rawValue).with("outcomes", 4).with("every", 1)
        }
        let sound = FileOperation.allCases.map { operation in
            Job(.powerCuts, seed: plan.seed).with("files", operation.rawValue)
                .with("outcomes", plan.isLong ? 400 : 6).with("every", plan.isLong ? 1 : 2)
        }
        return flawed + sound
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        guard let flaw = Flaw(rawValue: job["flaw"]) else {
            throw StoreTruth.Wrong(description: "there is no such flaw")
        }
        guard let operation = try FileOperation.named(in: job, report) else {
            return
        }
        try operation.asLaterLibrary { try run(job, report, flaw, operation) }
    }

    private static func run(
        _ job: Job, _ report: JobReport, _ flaw: Flaw, _ operation: FileOperation
    ) throws {
        let cuts = try FileCuts(operation, flaw)
        var count = 0
        var found = 0
        try cuts.forEach(job) { problem in
            count += 1
            guard let problem else {
                return
            }
            found += 1
            if flaw == .none {
                report.violation(
                    "\(operation), cut at \(problem.position): \(problem.problem)",
                    replay: job.with("position", UInt64(problem.position))
                        .with("outcome", UInt64(problem.outcome)))
            }
        }
        guard flaw == .none else {
            report.count("cuts of controls", UInt64(count))
            report.count("of them noticed", UInt64(found))
            if found == 0 {
                report.violation(
                    "\(operation), a disk that lies about its \(flaw): the rig is blind",
                    replay: job)
            } else {
                report.count("flawed episodes noticed")
            }
            return
        }
        report.count("cuts of operations on files", UInt64(count))
    }

    init(_ operation: FileOperation, _ flaw: Flaw) throws {
        self.flaw = flaw
        judge = try FileJudge(operation)
        let place = try FilePlace(judge.image)
        start = try CutTree(place.path, judge.image, lie: flaw.lie)
        var open: SceneSessionStore?
        var opening = 0
        changes = try SystemRecord.changes {
            open = operation.needsStore ? try place.openStore() : nil
            opening = SystemRecord.position
            open = try operation.perform(open, place)
        }
        self.opening = opening
        // The process is gone with the power.
        open?.abandon()
    }

    /// Cuts the power behind each change, in as many ways as a job asks for.
    func forEach(_ job: Job, _ body: (Cut?) throws -> Void) throws {
        var tree = start
        // Two cuts that leave the same files are one. The files themselves would fill the memory.
        var known: Set<Int> = []
        for position in 0...changes.count {
            if position > 0 {
                tree.apply(changes[position - 1])
            }
            let isDone = position == changes.count
            guard position >= opening, isDone || position % max(job.int("every"), 1) == 0,
                job.optional("position").map({ $0 == UInt64(position) }) ?? true
            else {
                continue
            }
            for outcome in 0..<max(job.int("outcomes"), 1)
            where job.optional("outcome").map({ $0 == UInt64(outcome) }) ?? true {
                let manners = CutTree.Manner.allCases
                let image = tree.files(
                    manners[min(outcome, manners.count - 1)],
                    seed: SeededRandom.value(
                        job.seed, UInt64(position) << 16 | UInt64(outcome)))
                guard isDone || known.insert(image.hashValue).inserted else {
                    continue
                }
                try body(
                    problem(image, isDone).map {
                        Cut(position: position, outcome: outcome, problem: $0)
                    })
            }
        }
    }

    private func problem(_ image: FilePlace.Image, _ isDone: Bool) -> String? {
        do {
            if let problem = judge.operation.problem(with: image, base: judge.image) {
                return problem
            }
            let files = image.filter { !$0.key.hasSuffix("/" + ContainerName.index) }
            return try judge.problem(
                try FilePlace(files), isDone ? [judge.after] : [judge.before, judge.after],
                isDone: isDone)
        } catch {
            return "\(error)"
        }
    }
}
