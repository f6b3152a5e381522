import SceneStore
import SceneStoreExchange
import SceneStoreFileFaults
import SceneStoreSQLite
import SceneStoreTesting
import Testing

@testable import SceneStoreRigs

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Small pieces of the rigs; `Scripts/rigs.sh` runs them whole.
@Suite("Rigs")
struct RigTests {
    private func judge(_ seed: UInt64, _ flaw: Workload.Flaw) throws -> (cuts: Int, failures: Int) {
        let workload = try Workload(seed: seed, steps: 12, flaw: flaw, beginning: .emptyStore)
        let trace = try #require(workload.disk.endTrace())
        let judge = try PowerCutJudge(workload, hasRealFile: true)
        var number = 0
        var failures = 0
        trace.forEachPowerCut(seed: seed, outcomes: 1) { cut, disk in
            number += 1
            failures +=
                judge.failure(after: cut, disk, number: number, isReplay: false) == nil ? 0 : 1
            return true
        }
        return (number, failures)
    }

    @Test("R-60 a power cut at every step of a store's life loses nothing that was acknowledged")
    func powerCuts() throws {
        let result = try judge(3, .none)
        #expect(result.cuts > 50)
        #expect(result.failures == 0)
    }

    @Test(
        "R-60 what is known to lose saves is noticed",
        arguments: [Workload.Flaw.normalMode, .lyingDisk])
    func controls(_ flaw: Workload.Flaw) throws {
        #expect(try judge(3, flaw).failures > 0)
    }

    @Test(
        "R-61 a rig's control must fail, and with the words that belong to its fault",
        arguments: [
            ([], true), (["two owners at once"], false), (["the counter is gone"], true),
            (["two owners at once", "the counter is gone"], true),
        ])
    func findings(_ texts: [String], _ isViolation: Bool) {
        let report = JobReport()
        let control = RigControl(number: 1, flaw: "no lock", text: "two owners")
        let job = Job(.owners, seed: 1).with(control)
        var findings = RigFindings(control, report)
        texts.forEach { findings.add($0, replay: job) }
        findings.finish(job)
        #expect(report.hasViolation == isViolation)
        #expect(job.control(of: [control]) == control)
    }

    @Test("R-61 what a rig finds outside its controls is a violation")
    func violations() {
        let report = JobReport()
        var findings = RigFindings(nil, report)
        findings.finish(Job(.owners, seed: 1))
        #expect(!report.hasViolation)
        findings.add("two owners at once", replay: Job(.owners, seed: 1))
        #expect(report.hasViolation)
    }

    @Test("R-61 every rig has controls in every run", arguments: RigKind.allCases)
    func everyRigHasControls(_ kind: RigKind) {
        for isLong in [false, true] {
            let jobs = kind.rig.jobs(RigPlan(isLong: isLong, seed: 1))
            let controls = jobs.filter {
                $0.optional(RigControl.key) ?? 0 > 0 || $0.optional("flaw") ?? 0 > 0
            }
            #expect(controls.count >= 2)
            #expect(controls.count < jobs.count)
        }
    }

    @Test(
        "R-61, R-63 the controls fail",
        .enabled(if: SystemFault.isAvailable), arguments: [RigKind.sweep, .damage])
    func controlsFail(_ kind: RigKind) throws {
        let jobs = kind.rig.jobs(RigPlan(isLong: false, seed: 2)).filter {
            $0.optional(RigControl.key) != nil
        }
        for job in jobs {
            let report = JobReport()
            try kind.rig.run(job, report)
            #expect(!report.hasViolation, "\(job.command)")
            #expect(report.counted("controls that fail, as they must") == 1)
        }
    }

    @Test(
        "R-61 every failing call of a save leaves a whole store",
        arguments: [SweepRig.Kind.refused, .doneButReported, .full])
    func sweep(_ kind: SweepRig.Kind) throws {
        let sweep = try Sweep(.save, kind, seed: 1)
        var place: UInt64 = 1
        while place < 1_000 {
            let outcome = sweep.run(place, isPermanent: false)
            #expect(outcome.problem == nil, "call \(place)")
            guard outcome.isHit else {
                break
            }
            place += 1
        }
        #expect((2..<1_000).contains(place))
    }

    @Test(
        "R-61 every failing call to the system leaves what is made whole, or not there at all",
        .enabled(if: SystemFault.isAvailable),
        arguments: [FileOperation.backup, .migrate, .importing, .restore, .replace])
    func files(_ operation: FileOperation) throws {
        for kind in [FileSweep.Kind.refused, .doneButReported, .short] {
            try operation.asLaterLibrary { try sweep(operation, kind) }
        }
    }

    private func sweep(_ operation: FileOperation, _ kind: FileSweep.Kind) throws {
        let sweep = try FileSweep(operation, kind)
        var place: UInt64 = 1
        while true {
            let outcome = sweep.run(place, isPermanent: place % 2 == 0 && kind != .short)
            #expect(outcome.problem == nil, "\(kind), call \(place)")
            guard outcome.isHit else {
                break
            }
            place += 1 + place / 6
        }
        #expect(place > 4)
    }

    /// How many cuts of an operation were tried, and how many of them showed something wrong.
    private func cut(
        _ operation: FileOperation, _ flaw: FileCuts.Flaw = .none
    ) throws -> (count: Int, problems: [String]) {
        var count = 0
        var problems: [String] = []
        let job = Job(.powerCuts, seed: 5).with("outcomes", 5).with("every", 3)
        try FileCuts(operation, flaw).forEach(job) { cut in
            count += 1
            cut.map { problems.append("at \($0.position): \($0.problem)") }
        }
        return (count, problems)
    }

    @Test(
        "R-60 a power cut in an operation on files leaves what it made whole, or what was there",
        .enabled(if: SystemFault.isAvailable),
        arguments: [FileOperation.backup, .migrate, .restore, .repair, .recover, .replace])
    func fileCuts(_ operation: FileOperation) throws {
        let result = try operation.asLaterLibrary { try cut(operation) }
        #expect(result.count > 15)
        #expect(result.problems == [])
    }

    @Test(
        "R-60 a disk that lies about syncs of files or folders is noticed",
        .enabled(if: SystemFault.isAvailable),
        arguments: [FileOperation.backup, .repair], [FileCuts.Flaw.files, .folders])
    func lies(_ operation: FileOperation, _ flaw: FileCuts.Flaw) throws {
        #expect(!(try cut(operation, flaw).problems.isEmpty))
    }

    @Test(
        "R-60 of a rename that was not synced a power cut leaves one of both names",
        .enabled(if: SystemFault.isAvailable))
    func renames() throws {
        let place = try FilePlace(["a/file": [1, 2], "b/": []])
        var tree = try CutTree(place.path, ["a/file": [1, 2], "b/": []])
        let changes = try SystemRecord.changes {
            try #require(rename(place.file("a/file"), place.file("b/new")) == 0)
        }
        changes.forEach { tree.apply($0) }
        var found: Set<[String]> = []
        for seed in UInt64(0)..<50 {
            let files = tree.files(.mixed, seed: seed).filter { !$0.key.hasSuffix("/") }
            #expect(files.values.allSatisfy { $0 == [1, 2] })
            found.insert(files.keys.sorted())
        }
        #expect(found == [["a/file"], ["b/new"]])
    }

    @Test(
        "R-60 a power cut blames no window that restores no more; undated notes are noticed",
        .enabled(if: SystemFault.isAvailable), arguments: [false, true])
    func blame(_ isControl: Bool) throws {
        let job = Job(.powerCuts, seed: 1).with("blame", 1).with("steps", 18).with("outcomes", 2)
        var problems: [String?] = []
        let cuts = try BlameCuts(isControl ? job.with("flaw", 1) : job)
        try cuts.forEach(job) { _, _, problem in problems.append(problem) }
        #expect(problems.count > 200)
        #expect(problems.contains { $0 != nil } == isControl)
    }

    @Test(
        "S-10 a disk that refuses to read is told as that, and never as a damaged store",
        .enabled(if: SystemFault.isAvailable), arguments: [FileOperation.relaunch, .restore])
    func unreadable(_ operation: FileOperation) throws {
        let base = try operation.base()
        var codes: Set<String> = []
        for number in UInt64(1)...1_000 {
            let place = try FilePlace(base)
            let fault = SystemFault(
                calls: [.read], first: number, isPermanent: true, effect: .refused, error: EIO)
            let (result, hits) = fault.whileFailing { try operation.perform(nil, place) }
            guard hits > 0 else {
                break
            }
            let error = #expect(throws: SceneStoreError.self) { try result.get() }
            codes.insert(error?.code.rawValue ?? "")
            #expect(!place.exists("c/quarantine"))
        }
        #expect(codes == ["ioError"])
    }

    @Test(
        "S-11 what the disk cannot read is not given up for lost by an opening",
        .enabled(if: SystemFault.isAvailable))
    func unreadableDamage() throws {
        let base = try FileOperation.recover.base()
        var refusals = 0
        for number in stride(from: UInt64(1), to: 400, by: 7) {
            let place = try FilePlace(base)
            let fault = SystemFault(
                calls: [.read], first: number, isPermanent: true, effect: .refused, error: EIO)
            let (result, hits) = fault.whileFailing {
                try FileOperation.recover.perform(nil, place)
            }
            guard hits > 0 else {
                break
            }
            switch result {
            case .success(let store): store?.abandon()
            case .failure(let error):
                refusals += 1
                #expect((error as? SceneStoreError)?.code == .ioError)
            }
            let store = try place.openStore(FilePlace.container, .salvage)
            #expect(try store.openCount() == 7)
            store.abandon()
        }
        #expect(refusals > 3)
    }

    @Test(
        "R-06 a commit whose file could not be looked at afterwards poisons the store",
        .enabled(if: SystemFault.isAvailable))
    func unconfirmedCommit() throws {
        let place = try FilePlace()
        let store = try place.openStore()
        let record = try store.insertSession(
            identifier: "A", configuration: StoreTruth.configuration, durability: .full)
        // Three looks come before the transaction, then one at the log's index, which may fail, and the
        // fifth one behind it.
        var codes: [SceneStoreError.Code?] = []
        for first in UInt64(1)...5 {
            let fault = SystemFault(
                calls: [.look], first: first, isPermanent: false, effect: .refused, error: EIO)
            let (result, _) = fault.whileFailing { try store.save([(record, Int64(first))]) }
            do {
                _ = try result.get()
                codes.append(nil)
            } catch {
                codes.append((error as? SceneStoreError)?.code)
            }
        }
        #expect(codes == [.ioError, .ioError, .ioError, nil, .ioError])
        let next = #expect(throws: SceneStoreError.self) { try store.save([(record, 9)]) }
        #expect(next?.code == .poisoned)
        store.abandon()
        let again = try place.openStore()
        try again.save([(record, 3)])
        try again.close()
    }

    @Test(
        "L-17 a full disk that takes not even the owner's name prevents no launch, and no rival comes",
        .enabled(if: SystemFault.isAvailable))
    func ownerWithoutName() throws {
        let place = try FilePlace()
        let first = try place.openStore()
        let record = try first.insertSession(
            identifier: "A", configuration: StoreTruth.configuration, durability: .full)
        try first.save([(record, 1)])
        try first.close()
        var full = SystemFault(.full, first: 1, isPermanent: true)
        full.folder = place.path
        var options = place.options(.fail)
        options.beginsInMemory = true
        let (result, _) = full.whileFailing {
            try SceneSessionStore.open(at: place.location(), options: options)
        }
        let store = try result.get()
        #expect(store.refusal?.code == .diskFull)
        #expect(try store.openCount() == 1)
        let rival = #expect(throws: SceneStoreError.self) { try place.openStore() }
        #expect(rival?.code == .owned)
        store.holdRefusedWrites()
        try store.save([(record, 2)])
        try store.reopenFile()
        #expect(store.refusal == nil)
        try store.close()
        let last = try place.openStore()
        #expect(try StoreTruth.read(last).open["A"]?.state == 2)
        try last.close()
    }

    @Test("R-04 after a checkpoint whose sync failed the store says that it is poisoned")
    func failedCheckpoint() throws {
        let sweep = try Sweep(.checkpoint, .refused, seed: 1)
        var answered: Set<String> = []
        for place in UInt64(1)...200 {
            let outcome = sweep.run(place, isPermanent: false)
            #expect(outcome.problem == nil, "call \(place)")
            guard outcome.isHit else {
                break
            }
            answered.insert(outcome.code ?? "")
        }
        // A read that fails is done once more (L-17), and the checkpoint is then a whole one.
        #expect(answered == ["", "ioError"])
    }

    @Test("R-04 a folder whose new log can't be named durably fails the opening")
    func unnamedLog() throws {
        let answers = try (UInt64(1)...3).map { call in
            let place = try FilePlace()
            try place.openStore().close()
            let fault = SystemFault(
                calls: [.sync], first: call, isPermanent: false, effect: .refused, error: EIO)
            let (result, hits) = fault.whileFailing { try place.openStore() }
            switch result {
            case .success(let store):
                store.abandon()
                return hits == 1 ? "opened" : "not hit"
            case .failure(let error): return (error as? SceneStoreError)?.code.rawValue ?? ""
            }
        }
        // The folder, the log, and SQLite's own sync of the folder, which it keeps to itself.
        #expect(answers == ["ioError", "ioError", "opened"])
    }

    /// A store whose owner died, as files that can be damaged.
    private func openingCode(
        _ target: DamageRig.Target, _ damage: (inout [UInt8]) -> Void
    ) throws -> SceneStoreError.Code? {
        let image = try DamageImage(target)
        let container = try RealContainer()
        var log = image.log ?? []
        damage(&log)
        try container.leave(
            store: image.store, log: log.isEmpty ? nil : log, epoch: image.epoch,
            durable: image.generation)
        do throws(SceneStoreError) {
            try container.openStore().abandon()
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "R-02 a log that lost a durable commit is noticed, wherever the damage is",
        arguments: [DamageRig.Target.log, .logAfterCheckpoint, .logOfNewStore])
    func damagedLog(_ target: DamageRig.Target) throws {
        #expect(try openingCode(target) { _ in } == nil)
        let length = try #require(try DamageImage(target).log).count
        for offset in [0, 40, length / 2, length - 100] {
            #expect(try openingCode(target) { $0[offset] ^= 1 } == .corrupt, "byte \(offset)")
        }
    }

    @Test(
        "R-03 a log that is missing or cut off is noticed",
        arguments: [DamageRig.Target.log, .logAfterCheckpoint, .logOfNewStore])
    func missingLog(_ target: DamageRig.Target) throws {
        #expect(try openingCode(target) { $0 = [] } == .corrupt)
        #expect(try openingCode(target) { $0.removeLast($0.count / 2) } == .corrupt)
        #expect(try openingCode(target) { $0.removeLast(512) } == .corrupt)
    }

    @Test("R-02 commits that were not durable may go in a power cut without an alarm")
    func noFalseAlarm() throws {
        let container = try RealContainer()
        let store = try container.openStore()
        let record = try store.insertSession(
            identifier: "A", configuration: StoreTruth.configuration, durability: .full)
        let durable = store.currentGeneration()
        let end = try #require(container.bytes("scenes.sqlite-wal")).count
        for number in 0..<6 {
            try store.save([(record, Int64(number))], durability: .normal)
        }
        var log = try #require(container.bytes("scenes.sqlite-wal"))
        let file = try #require(container.bytes("scenes.sqlite"))
        store.abandon()
        // The first of the six did not reach the disk, the others did.
        for index in end..<end + 4_000 {
            log[index] = 0
        }
        try container.leave(store: file, log: log, epoch: 1, durable: durable)
        let found = try container.openStore()
        #expect(try StoreTruth.read(found).open["A"] == SessionTruth())
        found.abandon()
    }

    @Test("R-63 every kind of damage to each file of a container is tried, alone and in pairs")
    func containers() throws {
        let world = try ContainerWorld()
        var singles: Set<String> = []
        for number in UInt64(0)..<1_760 {
            guard let damaged = world.damaged(number, pairs: false, seed: 1) else { continue }
            for damage in damaged.damages {
                singles.insert("\(damage.name) \(damage.kind)")
            }
            // Alone only another store's whole file goes unnoticed.
            #expect(KnownMiss(damaged, .silent("")) ?? .otherStore == .otherStore)
        }
        for name in ContainerName.all + ContainerName.folders.map({ $0 + "/" })
        where name != ContainerName.socket {
            #expect(singles.contains("\(name) fifo"))
        }
        for kind in ContainerDamage.Kind.allCases {
            #expect(singles.contains("\(ContainerName.store) \(kind)"))
        }
        let pair = try #require(world.damaged(1, pairs: true, seed: 1))
        #expect(pair.damages.count == 2)
        #expect(pair.description == world.damaged(1, pairs: true, seed: 1)?.description)
    }
}
