import SceneStore
import SceneStoreExchange
import SceneStoreFileFaults
import SceneStoreSQLite
import SceneStoreTesting

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The part of R-61 that needs real files: backup, migration, import, repair and whatever else
/// moves, makes and removes them. Every call to the system fails, once and for good.
///
/// One that fails for good leaves the files as the death of the process at that moment would. What
/// was to be made is whole or not there; the store holds what was before or what was to be.
struct FileSweep {
    typealias Kind = SystemFault.Kind

    let kind: Kind
    private let judge: FileJudge
    private let control: RigControl?

    /// One of the controls of ``SweepRig``.
    static let inPlace = RigControl(
        number: 3, flaw: "an export is written in its place", text: "the export is in part")

    static func jobs(_ plan: RigPlan) -> [Job] {
        var jobs = [
            Job(.sweep, seed: plan.seed).with("files", FileOperation.export.rawValue)
                .with("kind", Kind.refused.rawValue).with("dense", 1_000).with(inPlace)
        ]
        for operation in FileOperation.allCases {
            for kind in Kind.allCases {
                jobs.append(
                    Job(.sweep, seed: plan.seed).with("files", operation.rawValue)
                        .with("kind", kind.rawValue).with("dense", plan.isLong ? 60_000 : 12))
            }
        }
        return jobs
    }

    static func run(_ job: Job, _ report: JobReport) throws {
        guard let kind = Kind(rawValue: job["kind"]) else {
            throw StoreTruth.Wrong(description: "there is no such kind")
        }
        guard let operation = try FileOperation.named(in: job, report) else {
            return
        }
        try operation.asLaterLibrary { try run(job, report, kind, operation) }
    }

    private static func run(
        _ job: Job, _ report: JobReport, _ kind: Kind, _ operation: FileOperation
    ) throws {
        let control = job.control(of: [inPlace])
        var findings = RigFindings(control, report)
        let sweep = try FileSweep(operation, kind, control)
        for isPermanent in [false, true] where kind != .short || !isPermanent {
            guard job.optional("permanent").map({ ($0 == 1) == isPermanent }) ?? true else {
                continue
            }
            var place = job.optional("at") ?? 1
            while true {
                let outcome = sweep.run(place, isPermanent: isPermanent)
                if let problem = outcome.problem {
                    findings.add(
                        "\(operation), \(kind) \(SystemFault.lastHit): \(problem)",
                        replay: job.with("at", place).with("permanent", isPermanent ? 1 : 0))
                }
                if let code = outcome.code, control == nil {
                    report.count("answered \(code)")
                }
                guard outcome.isHit else {
                    break
                }
                report.count(
                    control == nil ? "failed system calls" : "failed system calls of controls")
                guard job.optional("at") == nil, place < 100_000 else {
                    break
                }
                place += place < job["dense"] ? 1 : 1 + place / 8
            }
        }
        findings.finish(job)
    }

    init(_ operation: FileOperation, _ kind: Kind, _ control: RigControl? = nil) throws {
        self.kind = kind
        self.control = control
        judge = try FileJudge(operation)
    }

    /// The words in which a failure of this kind may be told.
    private var words: Set<SceneStoreError.Code> {
        switch kind {
        case .refused, .doneButReported: [.ioError, .poisoned]
        // Why it got no lock SQLite does not say.
        case .locks: [.ioError, .busy, .erasurePending, .poisoned]
        case .full: [.diskFull, .ioError, .poisoned]
        // A call that does less than it was asked for is no failure.
        case .short: []
        }
    }

    // MARK: - One try

    func run(_ number: UInt64, isPermanent: Bool) -> Sweep.Outcome {
        var outcome = Sweep.Outcome()
        do {
            let operation = judge.operation
            let place = try FilePlace(judge.image)
            let open = operation.needsStore ? try place.openStore() : nil
            let fault = SystemFault(kind, first: number, isPermanent: isPermanent)
            let (result, hits) = fault.whileFailing {
                guard control == Self.inPlace, let open else {
                    return try operation.perform(open, place)
                }
                try Self.exportInPlace(open, place.file(FileOperation.target))
                return open
            }
            outcome.isHit = hits > 0
            var store = open
            var isDone = true
            switch result {
            case .success(let opened): store = opened
            case .failure(let error):
                isDone = false
                guard let error = Self.told(error) else {
                    outcome.problem = "\(error)"
                    return outcome
                }
                outcome.code = error.code.rawValue
                let erases = [.erase, .makeEphemeral, .compact].contains(operation)
                let isPending = erases && error.code == .erasurePending
                if !words.contains(error.code) && !isPending || hits == 0 {
                    outcome.problem = "answers \(error)"
                    store?.abandon()
                    return outcome
                }
            }
            outcome.problem = try look(at: store, place, isDone)
        } catch {
            outcome.problem = "\(error)"
        }
        return outcome
    }

    /// What an export would be without a temporary file: the name is there before the bytes are.
    private static func exportInPlace(_ store: SceneSessionStore, _ path: String) throws {
        let bytes = try store.export()
        try AtomicFile(path: path, protecting: nil).commit()
        try RawFile.fill(path: path, bytes)
    }

    /// The error as people see it.
    private static func told(_ error: any Error) -> SceneStoreError? {
        (error as? SceneStoreError) ?? (error as? ContainerError).map { SceneStoreError($0) }
    }

    private func look(
        at store: SceneSessionStore?, _ place: FilePlace, _ isDone: Bool
    ) throws -> String? {
        var expected = isDone ? [judge.after] : [judge.before, judge.after]
        if let store {
            defer { store.abandon() }
            do {
                var truth = try StoreTruth.read(store)
                guard expected.contains(truth) else {
                    return "open: \(truth.difference(from: expected[0]))"
                }
                let record = try store.openRecords().first
                if let record {
                    try store.save([(record, 909)])
                    truth.open[record.identifier]?.state = 909
                }
                expected = [truth]
            } catch let error as SceneStoreError {
                guard error.code == .poisoned || error.code == .closed else {
                    return "the next save answers \(error)"
                }
            }
        }
        return try judge.problem(place, expected, isDone: isDone)
    }
}
