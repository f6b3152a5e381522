import Foundation
import SceneStoreFormats
import SceneStoreSQLite
import Synchronization
import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

@Suite("Opening a damaged store")
struct RecoveryTests {
    @Test("S-11 a damaged store is set aside whole and salvaged, and the ledger says so")
    func salvages() throws {
        let container = TestContainer()
        let truth = try damaged(container)
        let broken = container.files[ContainerName.store]
        let store = try container.open()
        #expect(Set(try store.openRecords().map(\.identifier)) == Set(truth.numbers.keys))
        #expect(store.openingDiagnostics.contains { $0.code == .storeSetAside })
        let names = container.quarantined()
        let untold = try #require(names.first { $0.hasSuffix(".untold") })
        #expect(names.count == 3)
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
        #expect(container.quarantined() == names.filter { $0 != untold })
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
        for policy in [
            SceneSessionStore.CorruptionPolicy.salvage, .restoreBackup, .startEmpty, .fail,
        ] {
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
            default:
                #expect(try open().openCount() == truth.numbers.count + 1)
            }
            #expect(container.quarantined().isEmpty == (policy == .fail))
        }
    }

    @Test(
        "S-41 what takes a damaged store's place tells what it is and how many commits it lacks",
        arguments: [SceneSessionStore.CorruptionPolicy.restoreBackup, .startEmpty])
    func tellsLosses(_ policy: SceneSessionStore.CorruptionPolicy) throws {
        let container = TestContainer()
        // After the backup one session was added.
        _ = try damaged(container, backsUp: true)
        let store = try container.open { $0.corruption = policy }
        let told = store.openingDiagnostics.map(\.code)
        #expect(told == [.storeSetAside, .lostCommits])
        #expect(
            store.openingDiagnostics[0].message.contains(
                policy == .startEmpty ? "holds nothing" : "holds the newest backup"))
        try store.launch()
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

    @Test("S-10 a database of another application is never set aside")
    func foreign() throws {
        let container = TestContainer()
        try container.open().close()
        let folder = try ContainerFolder.open(container.path, access: .owner)
        try folder.remove(ContainerName.store)
        try folder.createStore(applicationID: 1)
        let bytes = container.files[ContainerName.store]
        for _ in 0..<2 {
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
        let later = try store.journal.losses(beforeLaunch: next.number)
        #expect(later.entries.isEmpty && later.unnamed == 0)
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
}
