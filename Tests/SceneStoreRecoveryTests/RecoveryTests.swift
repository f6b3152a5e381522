import Foundation
import SceneStoreSQLite
import Synchronization
import Testing

import SceneStore
import SceneStoreTestContainers

@Suite("Opening a damaged store")
struct RecoveryTests {
    /// A store whose schema page is damaged beyond what SQLite opens.
    private func damaged(
        _ container: TestContainer, sessions: Int = 20, backsUp: Bool = false
    ) throws -> SalvageFigureTests.Truth {
        let truth = try SalvageFigureTests.make(container, sessions: sessions)
        if backsUp {
            let store = try container.open()
            try store.backUp(before: "test")
            _ = try store.add("after-the-backup")
            try store.close()
        }
        var file = try DamagedFile(container.store)
        for offset in 100..<4_096 {
            file.bytes[offset] = 0x5A
        }
        try file.write()
        return truth
    }

    @Test("S-11 a damaged store is set aside whole and salvaged, and the ledger says so")
    func salvages() throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let broken = container.files[ContainerName.store]
        let store = try container.open()
        #expect(Set(try store.openRecords().map(\.identifier)) == Set(truth.numbers.keys))
        #expect(store.openingDiagnostics.contains { $0.code == .storeSetAside })
        let names = container.quarantined()
        #expect(names.count == 2)
        let kept = try #require(names.first { $0.hasSuffix(".sqlite") })
        #expect(container.files["quarantine/" + kept] == broken)
        let ledger = try #require(
            container.files["quarantine/" + kept.dropLast(6) + "json"])
        let json = try CanonicalJSON(parsing: Array(ledger))
        #expect(json.objectValue?["cause"]?.stringValue == "corrupt")
        #expect(json.objectValue?["report"]?.objectValue?["openSessions"]?.integerValue == 20)
        let start = try store.launch()
        #expect(start.reason == .recover || start.reason == .launch)
        try store.close()
        // The next opening finds nothing to do.
        let again = try container.open()
        #expect(again.openingDiagnostics.isEmpty)
        #expect(container.quarantined() == names)
    }

    /// What a recovery told: the pages that it looked at and the rows that it wrote.
    private func work(_ container: TestContainer) throws -> (pages: Int, rows: Int, stages: Int) {
        let told = Mutex<[WorkProgress]>([])
        let store = try container.open {
            $0.workObserver = { progress in
                told.withLock { $0.append(progress) }
                return true
            }
        }
        try store.close()
        let all = told.withLock { $0 }
        func most(_ stage: String) -> Int {
            all.filter { $0.stage == stage }.map(\.total).max() ?? 0
        }
        return (most("carving"), most("rebuilding"), Set(all.map(\.stage)).count)
    }

    @Test("R-28 a recovery tells how far it is, and does twice the work for twice the sessions")
    func linear() throws {
        var found: [(pages: Int, rows: Int, stages: Int)] = []
        for sessions in [200, 400] {
            let container = TestContainer()
            _ = try damaged(container, sessions: sessions)
            found.append(try work(container))
        }
        #expect(found[0].pages > 0 && found[0].rows > 400)
        #expect(found[1].pages < found[0].pages * 22 / 10)
        #expect(found[1].rows < found[0].rows * 22 / 10)
        #expect(found.allSatisfy { $0.stages >= 2 })
    }

    @Test("R-28 a recovery that is ended has changed nothing, and the next one begins again")
    func ended() throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let broken = container.files[ContainerName.store]
        for stage in ["carving", "rebuilding"] {
            #expect(throws: SceneStoreError(.cancelled, "")) {
                try container.open { $0.workObserver = { $0.stage != stage } }
            }
            #expect(container.files[ContainerName.store] == broken)
            #expect(container.quarantined().isEmpty)
        }
        let store = try container.open()
        #expect(Set(try store.openRecords().map(\.identifier)) == Set(truth.numbers.keys))
    }

    @Test("S-11 the policy decides: backup, empty, or an error that changes nothing")
    func policies() throws {
        for policy in SceneSessionStore.CorruptionPolicy.allCases {
            let container = TestContainer()
            let truth = try damaged(container, backsUp: true)
            let before = container.files
            func open() throws -> SceneSessionStore {
                try container.open { $0.corruption = policy }
            }
            switch policy {
            case .fail:
                #expect(failure { _ = try open() } == .corrupt)
                var after = container.files
                after[ContainerName.lock] = before[ContainerName.lock]
                after[ContainerName.index] = nil
                after[ContainerName.log] = nil
                #expect(after == before)
            case .startEmpty:
                #expect(try open().openCount() == 0)
            case .restoreBackup:
                #expect(try open().openCount() == truth.numbers.count)
            case .salvage:
                #expect(try open().openCount() == truth.numbers.count + 1)
            }
            #expect(container.quarantined().isEmpty == (policy == .fail))
        }
    }

    @Test(
        "S-41 what takes a damaged store's place tells which commits and sessions it lacks",
        arguments: [SceneSessionStore.CorruptionPolicy.restoreBackup, .startEmpty])
    func tellsLosses(_ policy: SceneSessionStore.CorruptionPolicy) throws {
        let container = TestContainer()
        // After the backup one session was added.
        let truth = try damaged(container, backsUp: true)
        let open = truth.numbers.count + 1
        let store = try container.open { $0.corruption = policy }
        let told = store.openingDiagnostics.map(\.code)
        #expect(told.contains(.lostCommits))
        #expect(told.contains(.lostSessions) == (policy == .startEmpty))
        let start = try store.launch()
        let losses = try store.journal.losses(beforeLaunch: start.number)
        #expect(losses.unnamed == (policy == .startEmpty ? open : 0))
        let event = try #require(
            try store.journal.events(limit: 100).first { $0.kind == .lostCommits })
        #expect(Int64(event.detail ?? "").map { $0 > 0 } == true)
        try store.close()
        let again = try container.open()
        #expect(again.openingDiagnostics.isEmpty)
    }

    @Test("S-10 only an owner sets aside; a tool and a reader get the error")
    func tools() throws {
        let container = TestContainer()
        _ = try damaged(container)
        #expect(failure { _ = try container.open(.editor) } == .corrupt)
        #expect(failure { _ = try container.open(.reader) } == .corrupt)
        #expect(container.quarantined().isEmpty)
    }

    @Test("S-10 a foreign file is never set aside")
    func foreign() throws {
        let container = TestContainer()
        try container.open().close()
        for bytes in [Data("hello".utf8), Data(count: 9_000), Data()] {
            try bytes.write(to: URL(fileURLWithPath: container.store))
            #expect(failure { _ = try container.open() } == .notAStore)
            #expect(container.files[ContainerName.store] == bytes)
        }
        #expect(container.quarantined().isEmpty)
    }

    @Test("R-64 a store whose first page is lost opens again with everything")
    func firstPage() throws {
        let container = TestContainer()
        let truth = try SalvageFigureTests.make(container, sessions: 30)
        var file = try DamagedFile(container.store)
        file.overwrite(page: 0) { _ in 0 }
        try file.write()
        let store = try container.open()
        #expect(Set(try store.openRecords().map(\.identifier)) == Set(truth.numbers.keys))
    }

    @Test("S-40 sessions that are lost are named for the launch's ledger")
    func losses() throws {
        let container = TestContainer()
        let truth = try SalvageFigureTests.make(container, sessions: 200)
        var file = try DamagedFile(container.store)
        let needle = Array("session-150-".utf8)
        // Every page that holds this session, and the schema.
        for page in 0..<file.pages {
            let bytes = file.bytes[page * 4_096..<min((page + 1) * 4_096, file.bytes.count)]
            let isHit = bytes.indices.contains { offset in
                bytes[offset...].starts(with: needle)
            }
            // The journal's pages hold many "create" entries; the sessions' are of another kind.
            let isJournal = bytes.indices.contains {
                bytes[$0...].starts(with: Array("create".utf8))
            }
            if isHit, !isJournal {
                file.overwrite(page: page) { _ in 0 }
            }
        }
        file.overwrite(page: 0) { _ in 0 }
        try file.write()
        let store = try container.open()
        let back = Set(try store.openRecords().map(\.identifier))
        #expect(back.isSubset(of: Set(truth.numbers.keys)))
        let lost = Set(truth.numbers.keys).subtracting(back)
        #expect(!lost.isEmpty)
        let start = try store.launch()
        let named = try store.journal.losses(beforeLaunch: start.number)
        #expect(Set(named.entries.map(\.sessionIdentifier.rawValue)) == lost)
        #expect(named.entries.allSatisfy { $0.outcome == .lost })
        #expect(named.unnamed == 0)
        let next = try store.launch()
        #expect(try store.journal.losses(beforeLaunch: next.number) == StoreLosses())
    }

    @Test("R-24 salvage resurrects no discarded and no forgotten session")
    func tombstones() throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let store = try container.open()
        let names = Set(try store.openRecords().map(\.identifier))
        #expect(names.isDisjoint(with: truth.gone))
        #expect(try store.discards.recentlyClosed().count == 10)
        #expect(try store.discards.pending().count == 10)
    }

    @Test("design: a reset container's rows are not salvaged as live")
    func reset() throws {
        let container = TestContainer()
        _ = try SalvageFigureTests.make(container, sessions: 20)
        let store = try container.open()
        try store.reset()
        _ = try store.add("after")
        try store.close()
        var file = try DamagedFile(container.store)
        file.overwrite(page: 0) { _ in 0 }
        try file.write()
        #expect(try container.open().openRecords().map(\.identifier) == ["after"])
    }

    @Test("R-02 commits behind a bad frame are noticed, the files set aside, the rows brought back")
    func lostCommits() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        _ = try store.add("first")
        for number in 0..<6 {
            let record = try store.add("later-\(number)")
            try store.save(record, activity(number))
        }
        store.abandon()
        let log = container.path + "/" + ContainerName.log
        var file = try DamagedFile(log)
        // The payload of an early frame: SQLite would stop there without a word.
        let frame = 4_096 + 24
        file.bytes[32 + frame * 8 + 24 + 2_000] ^= 0xFF
        try file.write()
        #expect(failure { _ = try container.open { $0.corruption = .fail } } == .corrupt)
        let back = try container.open()
        let names = Set(try back.openRecords().map(\.identifier))
        #expect(names.isSuperset(of: ["later-3", "later-4", "later-5"]))
        #expect(container.quarantined().contains { $0.hasSuffix(".sqlite-wal") })
        let ledger = try #require(container.quarantined().first { $0.hasSuffix(".json") })
        let text = String(
            decoding: container.files["quarantine/" + ledger] ?? Data(), as: UTF8.self)
        #expect(text.contains("\"commitsBehind\":"))
        #expect(!text.contains("\"commitsBehind\":0"))
        #expect(try back.verify(.full).isSound)
    }

    @Test("R-02 a torn tail is normal: nothing is set aside")
    func tornTail() throws {
        let container = TestContainer()
        let store = try container.open()
        try store.launch()
        for number in 0..<6 {
            let record = try store.add("session-\(number)")
            try store.save(record, activity(number))
        }
        // The last commit was never promised to be durable.
        let last = try #require(try store.mostRecentRecord())
        try store.values.setTitle("torn", key: last.key)
        store.abandon()
        let log = container.path + "/" + ContainerName.log
        var file = try DamagedFile(log)
        file.bytes.removeLast(1_000)
        try file.write()
        let back = try container.open()
        #expect(back.openingDiagnostics.isEmpty)
        #expect(try back.openCount() == 6)
        #expect(container.quarantined().isEmpty)
    }

    @Test("S-12 many that open one damaged store at once make one quarantine and one new store")
    func together() async throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let counts = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    var options = container.options()
                    options.ownerTimeout = 60_000
                    guard
                        let store = try? SceneSessionStore.open(
                            at: container.location, options: options),
                        let count = try? store.openCount()
                    else {
                        return nil
                    }
                    try? store.close()
                    return count
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: truth.numbers.count, count: 10))
        #expect(container.quarantined().filter { $0.hasSuffix(".sqlite") }.count == 1)
    }

    @Test("S-12 ten processes that open one damaged store make one quarantine and share one store")
    func processes() async throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let path = container.path
        let expected = truth.numbers.count
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    await #expect(processExitsWith: .success) {
                        [path = path as String, expected = expected as Int] in
                        var options = SceneSessionStore.Options()
                        options.ownerTimeout = 60_000
                        let store = try SceneSessionStore.open(
                            at: .directory(path), options: options)
                        guard try store.openCount() == expected else {
                            throw SceneStoreError(.corrupt, "not all sessions are back")
                        }
                        try store.close()
                    }
                }
            }
        }
        #expect(container.quarantined().filter { $0.hasSuffix(".sqlite") }.count == 1)
    }

    @Test("S-11 killed while it salvages, a process leaves a store that opens with everything")
    func killed() async throws {
        let container = TestContainer()
        let truth = try damaged(container, sessions: 100)
        let path = container.path
        for step in [1, 2, 3, 5, 20, 60, 100] {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, step = step as Int] in
                // The clock is read all along: its n-th reading is the end.
                let readings = Atomic<Int>(0)
                var options = SceneSessionStore.Options()
                options.clock = {
                    if readings.add(1, ordering: .relaxed).newValue == step {
                        kill(getpid(), SIGKILL)
                    }
                    return 1_767_225_600_000
                }
                _ = try SceneSessionStore.open(at: .directory(path), options: options)
                kill(getpid(), SIGKILL)
            }
        }
        let store = try container.open()
        #expect(try store.openCount() == truth.numbers.count)
        #expect(container.quarantined().filter { $0.hasSuffix(".sqlite") }.count == 1)
        #expect(!container.quarantined().contains { $0.hasSuffix(".unfinished") })
    }

    @Test(
        "S-11 a process that dies while it sets aside leaves the old store or the new one",
        arguments: 0..<4)
    func interrupted(_ step: Int) throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let folder = try ContainerFolder.open(container.path, access: .owner)
        let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
        // What each step leaves behind.
        let base = "20260101T000000.000Z-corrupt"
        try Data("null\n".utf8).write(
            to: URL(fileURLWithPath: quarantine.path + "/\(base).unfinished"))
        if step >= 1 {
            try folder.move(ContainerName.store, to: quarantine, as: base + ".sqlite")
        }
        if step >= 2 {
            try Data([1, 2]).write(
                to: URL(fileURLWithPath: quarantine.path + "/\(base).sqlite-wal"))
        }
        if step == 3 {
            // The new store is in its place already.
            try FileManager.default.removeItem(
                atPath: quarantine.path + "/\(base).sqlite-wal")
            let recovery = StoreRebuilder(options: container.options(), ownerEpoch: 50)
            let file = try AtomicFile(in: folder, name: ContainerName.store)
            try recovery.buildEmpty(at: file.temporaryPath, losing: 0, commits: 0)
            try file.commit()
        }
        let store = try container.open()
        #expect(try store.openCount() == (step == 3 ? 0 : truth.numbers.count))
        #expect(!container.quarantined().contains { $0.hasSuffix(".unfinished") })
        #expect(container.quarantined().filter { $0.hasSuffix(".sqlite") }.count == 1)
    }

    /// Replaces a store by an empty one in a process that dies when the old one's files are gone.
    private func dieWhileReplacing(_ container: TestContainer, putsLog: Bool) async {
        let path = container.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, putsLog = putsLog as Bool] in
            let folder = try ContainerFolder.open(path, access: .owner)
            let setAside = SetAside(folder: folder, time: 1_767_225_600_000)
            try setAside.replace(reason: "replaced") { target throws(SceneStoreError) in
                try StoreRebuilder(options: SceneSessionStore.Options(), ownerEpoch: 50)
                    .buildEmpty(at: target, losing: 0, commits: 0)
                return .null
            } prepare: { () throws(SceneStoreError) in
                if putsLog {
                    do throws(ContainerError) {
                        var log = try AtomicFile(in: folder, name: ContainerName.log)
                        try log.write([1, 2, 3])
                        try log.commit()
                    } catch {
                        throw SceneStoreError(error)
                    }
                }
                kill(getpid(), SIGKILL)
            }
        }
    }

    @Test(
        "S-11 R-07 a process that really dies while it replaces a store loses nothing of it",
        arguments: [false, true])
    func diedReplacing(putsLog: Bool) async throws {
        let container = TestContainer()
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        // What was saved is in the log alone.
        store.abandon()
        await dieWhileReplacing(container, putsLog: putsLog)
        #expect(container.files[ContainerName.store] == nil)
        #expect(container.quarantined().filter { $0.hasSuffix(".unfinished") }.count == 1)
        let back = try container.open()
        #expect(try back.restorationActivity(key: record.key) == activity(1))
        #expect(container.quarantined().isEmpty)
    }

    @Test("S-11 the database comes back last: until then the next owner does it again")
    func databaseLast() async throws {
        let container = TestContainer()
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        store.abandon()
        await dieWhileReplacing(container, putsLog: false)
        // As if it had died before the new store's log: then none is removed.
        let marker = try #require(container.quarantined().first { $0.hasSuffix(".unfinished") })
        try Data("null\n".utf8).write(
            to: URL(fileURLWithPath: container.path + "/quarantine/" + marker))
        // Something is in the way of the log, which is the first to come back.
        let obstacle = container.path + "/" + ContainerName.log
        try FileManager.default.createDirectory(
            atPath: obstacle, withIntermediateDirectories: false)
        let folder = try ContainerFolder.open(container.path, access: .owner)
        #expect(failure { try SetAside.finishInterrupted(folder) } != nil)
        #expect(container.files[ContainerName.store] == nil)
        try FileManager.default.removeItem(atPath: obstacle)
        #expect(try container.open().restorationActivity(key: record.key) == activity(1))
    }

    @Test("S-61 S-11 repair and restore first end what a process that died began")
    func repairOfInterrupted() async throws {
        for restores in [false, true] {
            let container = TestContainer()
            var store = try container.open()
            let record = try store.add("A")
            try store.save(record, activity(1))
            let backup = container.parent.file("backup.sqlite")
            try store.backUp(to: backup)
            try store.close()
            await dieWhileReplacing(container, putsLog: false)
            if restores {
                // The interrupted store is what is set aside, whole.
                let name = try SceneSessionStore.restore(
                    from: backup, to: container.location, options: container.options())
                #expect(name != nil)
                #expect(
                    container.quarantined().filter { $0.hasSuffix(".sqlite") }
                        == ["\(name ?? "").sqlite"])
            } else {
                let report = try SceneSessionStore.repair(
                    at: container.location, options: container.options())
                #expect(report.findings.isEmpty)
                #expect(container.quarantined().isEmpty)
            }
            store = try container.open()
            #expect(try store.openRecords().map(\.identifier) == ["A"])
            #expect(!container.quarantined().contains { $0.hasSuffix(".unfinished") })
        }
    }

    @Test("S-11 what is not to be kept leaves nothing, and two of one moment have two names")
    func names() throws {
        let container = TestContainer()
        try container.open().close()
        let folder = try ContainerFolder.open(container.path, access: .owner)
        // The last moment of February of a leap year.
        for (number, expected) in [
            "20240229T235959.999Z-test", "20240229T235959.999Z-test-2",
            "20240229T235959.999Z-test-3",
        ].enumerated() {
            let setAside = SetAside(folder: folder, time: 1_709_251_199_999)
            let name = try setAside.replace(reason: "test", keepsOld: true) {
                target throws(SceneStoreError) in
                try StoreRebuilder(options: container.options(), ownerEpoch: 50)
                    .buildEmpty(at: target, losing: 0, commits: 0)
                return .null
            }
            #expect(name == expected)
            #expect(container.quarantined().count == 2 * (number + 1))
        }
        for time in [1_704_067_200_000, 1_709_251_200_000] as [Int64] {
            let before = container.quarantined()
            let name = try SetAside(folder: folder, time: time).replace(
                reason: "test", keepsOld: false
            ) { target throws(SceneStoreError) in
                try StoreRebuilder(options: container.options(), ownerEpoch: 50)
                    .buildEmpty(at: target, losing: 0, commits: 0)
                return .null
            }
            #expect(name == nil)
            #expect(container.quarantined() == before)
        }
    }

    @Test("S-11 a process that dies before the first file is moved leaves no ledger of nothing")
    func interruptedAtOnce() throws {
        let container = TestContainer()
        let folder = try container.closed(holding: "A")
        let quarantine = try folder.folder(ContainerName.quarantine, createsMissing: true)
        for ending in ["json", "unfinished"] {
            let path = quarantine.path + "/20260101T000000.000Z-corrupt." + ending
            try Data("null\n".utf8).write(to: URL(fileURLWithPath: path))
        }
        #expect(try container.open().openRecords().map(\.identifier) == ["A"])
        #expect(container.quarantined().isEmpty)
    }

    @Test("S-11 nothing in quarantine is overwritten, and its size is capped")
    func capped() throws {
        let container = TestContainer()
        for _ in 0..<SetAside.countCapacity + 3 {
            _ = try damaged(container, sessions: 2)
            try container.open { $0.corruption = .startEmpty }.close()
        }
        let stores = container.quarantined().filter { $0.hasSuffix(".sqlite") }
        #expect(stores.count == SetAside.countCapacity)
        // 256 MiB in all, or the newest alone: two that are too large together leave one, and so
        // does one that is too large by itself.
        let folder = try ContainerFolder.open(container.path, access: .owner)
        for round in 0..<3 {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: container.store))
            try handle.truncate(atOffset: UInt64(SetAside.capacity) / (round < 2 ? 2 : 1) + 1)
            try handle.close()
            let name = try SetAside(folder: folder, time: 4_000_000_000_000 + Int64(round)).replace(
                reason: "large"
            ) { target throws(SceneStoreError) in
                try StoreRebuilder(options: container.options(), ownerEpoch: 50)
                    .buildEmpty(at: target, losing: 0, commits: 0)
                return .null
            }
            let kept = container.quarantined().filter { $0.hasSuffix(".sqlite") }
            #expect(kept.contains("\(name ?? "").sqlite"))
            #expect(kept.filter { $0.contains("large") }.count == 1)
            #expect(round == 0 || kept.count == 1)
        }
    }
}
