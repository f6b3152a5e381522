import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTestContainers
import Testing

@testable import SceneStoreStorage

@Suite("Opening a container whose store is lost, or whose log or lock is not its own")
struct LostStoreTests {
    /// What takes a store's file away, or makes it no database.
    enum Loss: CaseIterable {
        case removed, emptied, zeroed, overwritten

        func happen(to container: TestContainer) throws {
            let url = URL(fileURLWithPath: container.store)
            let size = try Data(contentsOf: url).count
            switch self {
            case .removed: try FileManager.default.removeItem(at: url)
            case .emptied: try Data().write(to: url)
            case .zeroed: try Data(count: size).write(to: url)
            case .overwritten: try Data(repeating: 0x5A, count: size).write(to: url)
            }
        }
    }

    private func identifiers(_ store: SceneSessionStore) throws -> [String] {
        try store.openRecords().map(\.identifier).sorted()
    }

    private func put(_ bytes: Data?, _ name: String, in container: TestContainer) throws {
        let url = URL(fileURLWithPath: container.path + "/" + name)
        guard let bytes else {
            try? FileManager.default.removeItem(at: url)
            return
        }
        try bytes.write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
    }

    /// A closed store with two sessions, the first of which is in a backup.
    private func backedUp(_ container: TestContainer) throws {
        let store = try container.open()
        _ = try store.add("A")
        try store.backUp(before: "test")
        _ = try store.add("B")
        try store.close()
    }

    /// A store whose owner died with everything in the log.
    private func died(_ container: TestContainer) throws {
        let store = try container.open()
        for name in ["A", "B", "C"] {
            try store.save(try store.add(name), activity(1))
        }
        store.abandon()
    }

    @Test(
        "S-15 a store whose file is lost opens from the newest backup, and says so",
        arguments: Loss.allCases)
    func backup(_ loss: Loss) throws {
        let container = TestContainer()
        try backedUp(container)
        try loss.happen(to: container)
        for access in [SceneSessionStore.Access.reader, .editor] {
            #expect(failure { _ = try container.open(access) } == .corrupt)
        }
        let store = try container.open()
        #expect(try identifiers(store) == ["A"])
        let told = store.openingDiagnostics
        #expect(told.contains { $0.code == .storeSetAside && $0.message.contains("newest backup") })
        #expect(told.contains { $0.code == .lostCommits })
        #expect(container.quarantined().contains { $0.hasSuffix(".sqlite") } == (loss != .removed))
        try store.close()
        #expect(try container.open().openingDiagnostics.isEmpty)
    }

    @Test(
        "S-15 S-11 a first page from the store's beginning is damage, and no new store",
        arguments: [true, false])
    func firstPage(isAlone: Bool) throws {
        let container = TestContainer()
        let store = try container.open()
        let first = try Data(contentsOf: URL(fileURLWithPath: container.store))
        #expect(first.count == 4_096)
        _ = try store.add("A")
        try store.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: container.store))
        try put(isAlone ? first : first + whole.dropFirst(4_096), "scenes.sqlite", in: container)
        if !isAlone {
            // Nothing but the pages tells then.
            try put(nil, "owner.lock", in: container)
        }
        for access in [SceneSessionStore.Access.reader, .editor] {
            #expect(failure { _ = try container.open(access) } == .corrupt)
        }
        let next = try container.open()
        #expect(next.openingDiagnostics.contains { $0.code == .storeSetAside })
        #expect(try identifiers(next) == (isAlone ? [] : ["A"]))
        try next.close()
    }

    @Test("S-15 beside a log, it opens from the log", arguments: Loss.allCases)
    func log(_ loss: Loss) throws {
        let container = TestContainer()
        try died(container)
        try loss.happen(to: container)
        let store = try container.open()
        #expect(try identifiers(store) == ["A", "B", "C"])
        // Of a file that was destroyed the log has all pages, as after a checkpoint that a power cut tore.
        let isTold = loss == .removed || loss == .emptied
        #expect(store.openingDiagnostics.contains { $0.code == .storeSetAside } == isTold)
        #expect(container.quarantined().contains { $0.hasSuffix(".sqlite-wal") } == isTold)
    }

    @Test("R-03 S-15 another store's log beside a file that is gone takes no backup's place")
    func othersLogAlone() throws {
        let container = try beside(own: ["A", "B", "C"], ["X"])
        let log = container.files[ContainerName.log]
        try put(nil, ContainerName.log, in: container)
        let store = try container.open()
        try store.backUp(before: "test")
        try store.close()
        try Loss.removed.happen(to: container)
        try put(log, ContainerName.log, in: container)
        let opened = try container.open()
        let told = opened.openingDiagnostics
        #expect(try identifiers(opened) == ["A", "B", "C"], "\(told)")
        #expect(told.contains { $0.message.contains("newest backup") })
    }

    /// What a salvage brings, by numbers alone.
    private struct Rest: Salvaging, SalvagedStore {
        let openSessions: Int
        let lostSessions: Int
        let draftKey: UInt64 = 0

        func provesRows(in folder: ContainerFolder) -> Bool { true }
        func lastRow(in folder: ContainerFolder) -> LastRow? { nil }
        func salvage(_ recovery: FileReplacement) -> (any SalvagedStore)? { self }
        func build(at path: String) throws(SceneStoreError) -> FileReplacement.Made {
            throw SceneStoreError(.internalError, "not built")
        }
        func inMemory() throws(SceneStoreError) -> (db: Database, found: [Diagnostic]) {
            throw SceneStoreError(.internalError, "not built")
        }
    }

    @Test(
        "S-11 S-15 a backup is taken only where it has more sessions than what is left of the store",
        arguments: [(0, 1, true), (1, 1, false), (0, 0, false)])
    func fewerLeft(open: Int, lost: Int, takesBackup: Bool) throws {
        let container = TestContainer()
        try backedUp(container)
        var options = container.options()
        options.corruption = .init(salvager: Rest(openSessions: open, lostSessions: lost))
        let recovery = FileReplacement(
            folder: try ContainerFolder.open(container.path, access: .owner), options: options,
            ownerEpoch: 1)
        let isBackup = if case .backup = try recovery.source() { true } else { false }
        #expect(isBackup == takesBackup)
    }

    @Test("S-15 L-42 backups alone show that a store was here")
    func backupsAlone() throws {
        let container = TestContainer()
        try backedUp(container)
        try Loss.removed.happen(to: container)
        try put(nil, ContainerName.lock, in: container)
        let store = try container.open()
        #expect(try identifiers(store) == ["A"])
        #expect(store.openingDiagnostics.contains { $0.code == .storeSetAside })
    }

    @Test(
        "S-15 with the lock alone it begins anew, and tells what was there",
        arguments: Loss.allCases)
    func lockAlone(_ loss: Loss) throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        try loss.happen(to: container)
        let store = try container.open()
        #expect(try store.openCount() == 0)
        #expect(store.openingDiagnostics.map(\.code).starts(with: [.storeSetAside, .lostCommits]))
    }

    @Test(
        "S-15 the policy decides, and an opening that fails changes nothing",
        arguments: Loss.allCases)
    func policy(_ loss: Loss) throws {
        let container = TestContainer(.fail)
        try backedUp(container)
        try loss.happen(to: container)
        let before = container.files
        for _ in 0..<2 {
            #expect(failure { _ = try container.open() } == .corrupt)
            #expect(container.files == before)
        }
        #expect(try container.open { $0.corruption = .startEmpty }.openCount() == 0)
    }

    @Test("L-42 a container without store, lock, log and backups is a first launch")
    func firstLaunch() throws {
        let container = TestContainer()
        try FileManager.default.createDirectory(
            atPath: container.path + "/quarantine", withIntermediateDirectories: true)
        let store = try container.open()
        #expect(store.openingDiagnostics.isEmpty)
        #expect(try store.launch().reason == .first)
    }

    @Test("L-42 a process that was killed before it made its first store lost nothing")
    func killedBefore() throws {
        let container = TestContainer()
        let folder = try ContainerFolder.open(container.path, access: .owner, createsMissing: true)
        do { _ = try OwnerLock.acquire(folder) }
        #expect(try container.open().openingDiagnostics.isEmpty)
    }

    @Test("S-15 a repair does the same, and a second one nothing", arguments: Loss.allCases)
    func repair(_ loss: Loss) throws {
        let container = TestContainer()
        try backedUp(container)
        try loss.happen(to: container)
        let options = container.options(.editor)
        let report = try SceneSessionStore.repair(at: container.location, options: options)
        #expect(report.findings.map(\.code.rawValue) == ["corrupt"])
        #expect(report.backup != nil && report.salvage == nil && report.remaining.isEmpty)
        #expect(try identifiers(container.open(.reader)) == ["A"])
        #expect(
            try SceneSessionStore.repair(at: container.location, options: options).backup == nil)
    }

    // MARK: - The schema

    @Test("R-21 a flipped bit in the schema's text is damage, and every session comes back")
    func flippedSchema() throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        let sound = try DamagedFile(container.store)
        let text = Array("CREATE TABLE session (".utf8)
        let places = sound.bytes.indices.filter { sound.bytes[$0...].starts(with: text) }
        try #require(!places.isEmpty)
        for offset in [3, 14, 40, 200] {
            var file = sound
            for place in places {
                file.bytes[place + offset] ^= 1
            }
            try file.write()
            let store = try container.open()
            #expect(try identifiers(store) == ["A"], "offset \(offset)")
            #expect(store.openingDiagnostics.contains { $0.code == .storeSetAside })
            #expect(try store.verify(.full).findings.isEmpty)
            try store.close()
            #expect(try container.open().openingDiagnostics.isEmpty)
        }
    }

    @Test("R-21 code that somebody put beside a damaged schema never runs")
    func trigger() throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        try container.sql(
            "CREATE TRIGGER spy AFTER INSERT ON session BEGIN DELETE FROM session; END; "
                + "DROP VIEW events")
        let store = try container.open()
        _ = try store.add("B")
        #expect(try identifiers(store) == ["A", "B"])
    }

    // MARK: - Another log

    /// A closed store with `own`, and another one's log beside it.
    private func beside(own: [String], _ other: [String]) throws -> TestContainer {
        let (container, foreign) = (TestContainer(seed: 1), TestContainer(seed: 2))
        for (container, names) in [(container, own), (foreign, other)] {
            let store = try container.open()
            for name in names { try store.save(try store.add(name), activity(1)) }
            try store.close()
        }
        let store = try foreign.open()
        try store.save(try store.add("late"), activity(2))
        try put(foreign.files[ContainerName.log], ContainerName.log, in: container)
        store.abandon()
        return container
    }

    @Test("R-03 another store's log is set aside before SQLite writes, and told")
    func foreignLog() throws {
        let container = try beside(own: ["A", "B"], ["X"])
        #expect(failure { _ = try container.open(.editor) } == .orphanedWAL)
        let reader = try container.open(.reader)
        #expect(try identifiers(reader) == ["A", "B"])
        #expect(reader.openingDiagnostics.map(\.code) == [.foreignLog])
        let log = container.files[ContainerName.log]
        let store = try container.open()
        #expect(try identifiers(store) == ["A", "B"])
        #expect(store.openingDiagnostics.map(\.code) == [.foreignLog])
        let kept = try #require(
            container.quarantined().first { $0.hasSuffix("-foreign.sqlite-wal") })
        #expect(container.files["quarantine/" + kept] == log)
        try store.close()
        #expect(try container.open().openingDiagnostics.isEmpty)
    }

    @Test("R-03 what a damaged store's own row says is not read from another store's log")
    func rowBesideForeignLog() throws {
        let container = try beside(own: ["A", "B"], ["X"])
        let folder = try ContainerFolder.open(container.path, access: .reader)
        let row = try #require(StoreBackup.storeRow(of: folder))
        #expect(row.uuid == StoreBackup.storeRow(container.store)?.uuid)
        #expect(row.openCount == 2)
    }

    @Test("R-03 a repair leaves another store's log out")
    func repairsForeignLog() throws {
        let container = try beside(own: ["A", "B"], ["X"])
        let report = try SceneSessionStore.repair(
            at: container.location, options: container.options(.editor))
        #expect(report.findings.contains { $0.code == .foreignLog })
        #expect(report.remaining.isEmpty)
        #expect(try identifiers(container.open()) == ["A", "B"])
    }

    /// A journal that SQLite plays back: it turns a file of `new` into one of `old`.
    private func hotJournal(from new: Data, to old: Data) -> Data {
        func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
        var records: [UInt8] = []
        let pages = (0..<old.count / 4_096).filter { page in
            let range = page * 4_096..<(page + 1) * 4_096
            return new.count < range.upperBound || old[range] != new[range]
        }
        for page in pages {
            let bytes = Array(old[page * 4_096..<(page + 1) * 4_096])
            let sum = stride(from: 3_896, to: 0, by: -200).reduce(0) { $0 + Int(bytes[$1]) }
            records += word(page + 1) + bytes + word(sum)
        }
        let header: [UInt8] =
            [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + word(pages.count) + word(0)
            + word(old.count / 4_096) + word(512) + word(4_096)
        return Data(header + [UInt8](repeating: 0, count: 512 - header.count) + records)
    }

    /// A store with A and B, and a journal beside it that leads back to A.
    private func besideJournal(isLive: Bool = false) throws -> (TestContainer, journal: Data) {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        let old = try #require(container.files[ContainerName.store])
        let store = try container.open()
        _ = try store.add("B")
        if isLive {
            store.abandon()
        } else {
            try store.close()
        }
        let new = try #require(container.files[ContainerName.store])
        let journal = hotJournal(from: new, to: old)
        try put(journal, ContainerName.journal, in: container)
        return (container, journal)
    }

    @Test("R-03 no journal is played back over a store: it is set aside", arguments: [false, true])
    func journal(_ isLive: Bool) throws {
        let (container, journal) = try besideJournal(isLive: isLive)
        let names = [ContainerName.store, ContainerName.log, ContainerName.journal]
        let before = names.map { container.files[$0] }
        #expect(failure { _ = try container.open(.editor) } == .orphanedWAL)
        #expect(failure { try ClosedContainer.hold(container.path).release() } == .orphanedWAL)
        let reader = try container.open(.reader)
        #expect(try identifiers(reader) == ["A", "B"])
        #expect(reader.openingDiagnostics.map(\.code) == [.foreignLog])
        #expect(names.map { container.files[$0] } == before)
        let store = try container.open()
        #expect(try identifiers(store) == ["A", "B"])
        #expect(store.openingDiagnostics.map(\.code) == [.foreignLog])
        #expect(try store.verify(.full).findings.isEmpty)
        let kept = try #require(container.quarantined().first { $0.hasSuffix("sqlite-journal") })
        #expect(container.files["quarantine/" + kept] == journal)
    }

    @Test("R-03 a repair leaves a journal out, and takes the log", arguments: [false, true])
    func repairBesideJournal(_ isLive: Bool) throws {
        let (container, _) = try besideJournal(isLive: isLive)
        let options = container.options(.editor)
        let report = try SceneSessionStore.repair(at: container.location, options: options)
        #expect(report.findings.map(\.code).contains(.foreignLog) && report.remaining.isEmpty)
        #expect(try identifiers(container.open()) == ["A", "B"])
    }

    @Test("R-03 a journal beside a store that is in use is met by nobody")
    func journalInUse() throws {
        let container = TestContainer()
        let store = try container.open()
        _ = try store.add("A")
        try put(Data(repeating: 0x5A, count: 600), ContainerName.journal, in: container)
        #expect(failure { _ = try container.open(.reader) } == .orphanedWAL)
        _ = try store.add("B")
        try store.close()
        let again = try container.open()
        #expect(try identifiers(again) == ["A", "B"])
        #expect(again.openingDiagnostics.map(\.code) == [.foreignLog])
    }

    @Test("R-03 the first opening of a store that was built makes no journal beside it")
    func noJournal() throws {
        let container = TestContainer()
        try backedUp(container)
        try Loss.zeroed.happen(to: container)
        try SceneSessionStore.repair(at: container.location, options: container.options(.editor))
        // SQLite removes a journal that it made, of whatever size.
        try put(Data(), ContainerName.journal, in: container)
        try container.open().close()
        #expect(container.names.contains(ContainerName.journal))
    }

    @Test("R-03 R-60 a log that leads on is the store's, though the lock notes a proper close")
    func laterLog() throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        let (closed, lock) = (container.files[ContainerName.store], container.files["owner.lock"])
        let store = try container.open()
        _ = try store.add("B")
        let log = container.files[ContainerName.log]
        store.abandon()
        try put(nil, ContainerName.index, in: container)
        try put(closed, ContainerName.store, in: container)
        try put(lock, ContainerName.lock, in: container)
        try put(log, ContainerName.log, in: container)
        let again = try container.open()
        #expect(try identifiers(again) == ["A", "B"])
        #expect(again.openingDiagnostics.isEmpty)
    }

    /// Closes a store with A and B; answers the log that had B.
    private func closedAfterLogging(_ container: TestContainer) throws -> Data? {
        _ = try container.closed(holding: "A")
        let store = try container.open()
        _ = try store.add("B")
        let log = container.files[ContainerName.log]
        try store.close()
        return log
    }

    @Test("R-03 a log that a reader kept from being emptied is the store's own")
    func ownLog() throws {
        let container = TestContainer()
        let log = try closedAfterLogging(container)
        try put(log, ContainerName.log, in: container)
        let again = try container.open()
        #expect(try identifiers(again) == ["A", "B"])
        #expect(again.openingDiagnostics.isEmpty)
    }

    @Test(
        "R-03 of a log that is partly another store's, salvage takes what the file doesn't outweigh"
    )
    func partlyForeign() throws {
        let container = try beside(own: ["A", "B", "C"], ["X", "Y"])
        let folder = TemporaryFolder()
        // The header of the log is another one's, too, and one page of the file is damaged.
        let report = try SceneSessionStore.salvage(
            from: container.store, to: folder.file("out"), options: container.options())
        #expect(report.openSessions == 3)
        let store = try SceneSessionStore.open(
            at: .directory(folder.file("out")), options: container.options(.reader))
        #expect(try identifiers(store) == ["A", "B", "C"])
    }

    @Test("R-03 an earlier log of the store, which leads back, is set aside")
    func earlierLog() throws {
        let container = TestContainer()
        let log = try closedAfterLogging(container)
        _ = try container.closed(holding: "C")
        try put(log, ContainerName.log, in: container)
        let again = try container.open()
        #expect(try identifiers(again) == ["A", "B", "C"])
        #expect(again.openingDiagnostics.map(\.code) == [.foreignLog])
    }

    @Test(
        "R-03 beside another store's log, a file without its own row is known by its journal",
        arguments: [true, false])
    func foreignBesideDamagedRow(hasLock: Bool) throws {
        let container = try beside(own: ["A", "B", "C"], ["X", "Y"])
        let log = container.files[ContainerName.log]
        try put(nil, ContainerName.log, in: container)
        try container.sql("UPDATE store SET generation = generation + 1")
        try put(log, ContainerName.log, in: container)
        if !hasLock {
            try put(nil, ContainerName.lock, in: container)
        }
        let store = try container.open()
        #expect(try identifiers(store) == ["A", "B", "C"])
        #expect(store.openingDiagnostics.contains { $0.code == .storeSetAside })
    }

    @Test(
        "R-03 beside another store's log, a file whose schema is damaged stays whole and brings its own back",
        arguments: [false, true])
    func foreignBesideDamagedSchema(_ isWholeLog: Bool) throws {
        let container = try beside(own: ["A", "B", "C"], ["X", "Y"])
        let foreign = TestContainer(seed: 2)
        let other = try foreign.open()
        if isWholeLog {
            // It has a schema of its own, so SQLite opens the file with it.
            try other.save(try other.add("X"), activity(1))
            try put(foreign.files[ContainerName.log], ContainerName.log, in: container)
        }
        other.abandon()
        var file = try DamagedFile(container.store)
        let text = Array("CREATE TABLE session (".utf8)
        for place in file.bytes.indices where file.bytes[place...].starts(with: text) {
            file.bytes[place + 3] ^= 1
        }
        try file.write()
        let files = container.files
        let (bytes, log) = (files[ContainerName.store], files[ContainerName.log])
        let store = try container.open()
        #expect(try identifiers(store) == ["A", "B", "C"])
        let told = store.openingDiagnostics.map(\.code)
        #expect(told.contains(.storeSetAside) && told.contains(.foreignLog) == isWholeLog)
        let kept = container.quarantined().map { container.files["quarantine/" + $0] }
        #expect(kept.contains(bytes) && kept.contains(log))
    }

    @Test(
        "R-03 R-24 a page of another store hides neither the rows nor the log",
        arguments: [false, true])
    @MainActor
    func othersPage(_ isLive: Bool) throws {
        let (container, other) = (TestContainer(seed: 1), TestContainer(seed: 2))
        // The other one has more commits.
        for (container, names) in [
            (container, ["A", "B", "C"]), (other, ["T", "U", "V", "X", "Y"]),
        ] {
            let store = try container.open()
            for name in names { try store.save(try store.add(name), activity(1)) }
            try store.close()
        }
        var expected = ["A", "B", "C"]
        if isLive {
            let store = try container.open()
            _ = try store.add("D")
            store.abandon()
            expected.append("D")
            try put(nil, ContainerName.index, in: container)
        }
        let page = try DamagedLaunchTests.firstPage("store", in: other.store)
        let (foreign, sound) = (try DamagedFile(other.store), try DamagedFile(container.store))
        var file = sound
        file.overwrite(page: page) { foreign.bytes[$0] }
        #expect(file.bytes != sound.bytes)
        try file.write()
        let folder = TemporaryFolder()
        let report = try SceneSessionStore.salvage(
            from: container.store, to: folder.file("out"), options: container.options())
        #expect(report.openSessions == expected.count)
        #expect(try identifiers(container.open(isLive ? .reader : .owner)) == expected)
        let store = try container.open()
        #expect(try identifiers(store) == expected)
        #expect(!store.openingDiagnostics.contains { $0.code == .foreignLog })
    }

    // MARK: - What is no file, and other stores' backups

    @Test(
        "S-10 R-63 what is no file beside a store is named, and the store stays",
        arguments: [ContainerName.log, ContainerName.index, ContainerName.journal])
    func noFile(_ name: String) throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        try FileManager.default.createDirectory(
            atPath: container.path + "/" + name, withIntermediateDirectories: false)
        let before = container.files[ContainerName.store]
        let options = container.options(.editor)
        for open in [
            { _ = try container.open() },
            { _ = try SceneSessionStore.repair(at: container.location, options: options) },
        ] {
            let error = #expect(throws: SceneStoreError.self) { try open() }
            #expect(error?.code == .notAStore && error?.path == name)
        }
        #expect(container.files[ContainerName.store] == before)
        #expect(container.quarantined().isEmpty)
        try FileManager.default.removeItem(atPath: container.path + "/" + name)
        #expect(try identifiers(container.open()) == ["A"])
    }

    @Test(
        "S-15 R-27 another store's backup is taken only where there is no own one, and told",
        arguments: [true, false])
    func othersBackup(hasOwn: Bool) throws {
        let (container, other) = (TestContainer(seed: 1), TestContainer(seed: 2))
        for (container, names) in [(container, ["A"]), (other, ["X", "Y", "Z"])] {
            let store = try container.open()
            for name in names { try store.save(try store.add(name), activity(1)) }
            try store.backUp(before: "test")
            try store.close()
        }
        if !hasOwn {
            try FileManager.default.removeItem(atPath: container.path + "/backups")
            try FileManager.default.createDirectory(
                atPath: container.path + "/backups", withIntermediateDirectories: false)
        }
        let backup = try #require(
            other.files.first { $0.key.hasPrefix("backups/before") && $0.key.hasSuffix(".sqlite") })
        try put(backup.value, "backups/before-other.sqlite", in: container)
        try Loss.overwritten.happen(to: container)
        let store = try container.open()
        #expect(try identifiers(store) == (hasOwn ? ["A"] : ["X", "Y", "Z"]))
        #expect(store.openingDiagnostics.contains { $0.code == .otherStore } == !hasOwn)
    }

    // MARK: - The lock

    @Test("R-02 junk in the lock is told, and the log beside it is judged without it")
    func junk() throws {
        for bytes in [Data(count: 256), Data(repeating: 0x5A, count: 256), Data("x".utf8)] {
            let container = TestContainer()
            try died(container)
            try put(bytes, ContainerName.lock, in: container)
            let reader = try container.open(.reader)
            #expect(reader.openingDiagnostics.map(\.code) == [.unreadableLock])
            let store = try container.open()
            #expect(try identifiers(store) == ["A", "B", "C"])
            #expect(store.openingDiagnostics.map(\.code) == [.unreadableLock])
            try store.close()
            #expect(try container.open().openingDiagnostics.isEmpty)
        }
    }

    @Test(
        "R-02 a lock that is zeroed or gone hides no damage of the log", arguments: [true, false])
    func junkAndFlip(isGone: Bool) throws {
        let container = TestContainer()
        try died(container)
        var log = try #require(container.files[ContainerName.log])
        for offset in [0, 200] {
            log[log.startIndex + offset] ^= 0x10
            try put(log, ContainerName.log, in: container)
            try put(nil, ContainerName.index, in: container)
            try put(isGone ? nil : Data(count: 256), ContainerName.lock, in: container)
            #expect(failure { _ = try container.open { $0.corruption = .fail } } == .corrupt)
            log[log.startIndex + offset] ^= 0x10
        }
        log[log.startIndex + 200] ^= 0x10
        try put(log, ContainerName.log, in: container)
        try put(isGone ? nil : Data(count: 256), ContainerName.lock, in: container)
        let store = try container.open()
        #expect(try identifiers(store) == ["A", "B", "C"])
        #expect(store.openingDiagnostics.contains { $0.code == .storeSetAside })
    }

    @Test("R-02 a number of the lock that a flipped bit changed is not believed")
    func flippedNumber() throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        let sound = try #require(container.files[ContainerName.lock])
        for offset in sound.startIndex..<sound.startIndex + 63 {
            var lock = sound
            lock[offset] ^= 1
            try put(lock, ContainerName.lock, in: container)
            let codes = try container.open(.reader).openingDiagnostics.map(\.code)
            #expect(codes == [.unreadableLock], "byte \(offset)")
        }
    }
}
