import Foundation
import SceneStore
import SceneStoreSQLite
import SceneStoreTestContainers
import Testing

@Suite(
    "Damage that one more witness shows: the schema's version, free pages, the index, the store's name"
)
struct LostWitnessTests {
    private func identifiers(_ store: SceneSessionStore) throws -> [String] {
        try store.openRecords().map(\.identifier).sorted()
    }

    private func flip(_ bit: Int, of offset: Int, _ name: String, in container: TestContainer)
        throws
    {
        var bytes = try #require(container.files[name])
        bytes[bytes.startIndex + offset] ^= 1 << bit
        try container.folder.write(bytes, name)
    }

    private func remove(_ name: String, in container: TestContainer) {
        try? FileManager.default.removeItem(atPath: container.path + "/" + name)
    }

    /// A store that was closed with one session, and whose owner died after two more.
    private func died() throws -> TestContainer {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        let store = try container.open()
        for name in ["B", "C"] {
            try store.save(try store.add(name), activity(1))
        }
        store.abandon()
        return container
    }

    // MARK: - The header

    @Test(
        "S-05 a flipped bit of the schema's version is damage, and costs no session",
        arguments: 0..<32)
    func version(bit: Int) throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        try flip(bit % 8, of: 60 + bit / 8, ContainerName.store, in: container)
        let bytes = container.folder.bytes()
        for policy in [SceneSessionStore.Access.owner, .reader] {
            #expect(
                failure { _ = try container.open(policy) { $0.corruption = .fail } } == .corrupt)
        }
        #expect(container.folder.bytes() == bytes)
        if bit % 2 == 0 {
            let report = try SceneSessionStore.repair(
                at: container.location, options: container.options())
            #expect(report.salvage?.openSessions == 1)
        }
        let store = try container.open()
        #expect(try identifiers(store) == ["A"])
        #expect(store.openingDiagnostics.contains { $0.code == .storeSetAside } == (bit % 2 == 1))
        try store.close()
        #expect(try container.open().openingDiagnostics.isEmpty)
    }

    @Test("S-61 a flipped bit of the list of free pages is found, and repaired", arguments: 32..<40)
    func freePages(offset: Int) throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        try flip(2, of: offset, ContainerName.store, in: container)
        let report = try SceneSessionStore.repair(
            at: container.location, options: container.options())
        #expect(Set(report.findings.map(\.code)) == [.pageDamage])
        #expect(report.remaining.isEmpty)
        #expect(try identifiers(container.open()) == ["A"])
    }

    @Test(
        "S-11 a flipped bit of the number of free pages stops no launch for good",
        arguments: 36..<40)
    func freePagesAtLaunch(offset: Int) throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        try flip(2, of: offset, ContainerName.store, in: container)
        func save() throws -> [Diagnostic] {
            let store = try container.open()
            defer { store.abandon() }
            try store.launch()
            let record = try #require(try store.openRecords().first)
            try store.save(record, activity(1, bytes: 20_000))
            return store.openingDiagnostics + store.takeDiagnostics()
        }
        var told = (try? save()) ?? []
        told += try save()
        #expect(told.contains { $0.code == .storeSetAside })
        #expect(try identifiers(container.open()) == ["A"])
    }

    // MARK: - The log's index

    @Test(
        "R-02 a lock and a log that are lost together are told, by the log's index",
        arguments: [0, 1, 2])
    func lockAndLog(cut: Int) throws {
        let container = try died()
        remove(ContainerName.lock, in: container)
        if cut == 0 {
            remove(ContainerName.log, in: container)
        } else {
            let log = try #require(container.files[ContainerName.log])
            try container.folder.write(
                Data(cut == 1 ? log.dropLast(4_120) : log.prefix(32)), ContainerName.log)
        }
        let reader = try container.open(.reader)
        #expect(reader.openingDiagnostics.map(\.code) == [.unreadableLock])
        let store = try container.open()
        #expect(store.openingDiagnostics.map(\.code) == [.unreadableLock])
        try store.close()
        #expect(try container.open().openingDiagnostics.isEmpty)
    }

    @Test("R-02 a copy of store, log and index without a lock is whole, and nothing is told")
    func copied() throws {
        let container = try died()
        remove(ContainerName.lock, in: container)
        let store = try container.open()
        #expect(try identifiers(store) == ["A", "B", "C"])
        #expect(store.openingDiagnostics.isEmpty)
    }

    @Test(
        "R-02 an opening that is refused leaves a lock that says nothing as it was",
        arguments: [true, false])
    func refused(isJunk: Bool) throws {
        let container = try died()
        if isJunk {
            try container.folder.write(Data(count: 320), ContainerName.lock)
        } else {
            remove(ContainerName.lock, in: container)
        }
        remove(ContainerName.log, in: container)
        let path = container.path + "/" + ContainerName.log
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(failure { _ = try container.open() } == .notAStore)
        #expect(container.folder.bytes(ContainerName.lock) == Data(count: isJunk ? 320 : 0))
        try FileManager.default.removeItem(atPath: path)
        #expect(try container.open().openingDiagnostics.map(\.code) == [.unreadableLock])
    }

    @Test("R-02 S-15 an empty store beside a lock that can't be read has lost what was in its log")
    func emptied() throws {
        let container = TestContainer()
        let store = try container.open()
        store.abandon()
        for name in [ContainerName.log, ContainerName.index] {
            remove(name, in: container)
        }
        try container.folder.write(Data(count: 320), ContainerName.lock)
        let again = try container.open()
        #expect(again.openingDiagnostics.contains { $0.code == .storeSetAside })
        #expect(!container.quarantined().isEmpty)
        try again.close()
    }

    @Test("R-02 a repair that finds nothing leaves a damaged lock for the launch to tell")
    func repaired() throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        try container.folder.write(Data(count: 320), ContainerName.lock)
        let report = try SceneSessionStore.repair(
            at: container.location, options: container.options())
        #expect(report.findings.isEmpty)
        #expect(try container.open().openingDiagnostics.map(\.code) == [.unreadableLock])
    }

    // MARK: - Another store's file

    @Test(
        "R-27 another store's file in the store's place opens, and is told once",
        arguments: [true, false])
    func otherStore(isClosed: Bool) throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        if !isClosed {
            let store = try container.open()
            _ = try store.add("B")
            store.abandon()
            remove(ContainerName.log, in: container)
            remove(ContainerName.index, in: container)
        }
        let other = TestContainer()
        for _ in 0..<4 {
            // Later than the store that it replaces.
            try other.open().close()
        }
        _ = try other.closed(holding: "X")
        try container.folder.write(#require(other.folder.bytes()))
        #expect(try container.open(.reader).openingDiagnostics.map(\.code) == [.otherStore])
        let store = try container.open()
        #expect(try identifiers(store) == ["X"])
        #expect(store.openingDiagnostics.map(\.code) == [.otherStore])
        try store.close()
        #expect(try container.open().openingDiagnostics.isEmpty)
    }

    @Test("R-27 what a tool puts into the store's place is no other store's")
    func restored() throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        let other = TestContainer()
        let store = try other.open()
        _ = try store.add("X")
        let backup = other.parent.file("backup.sqlite")
        try store.backUp(to: backup)
        try SceneSessionStore.restore(
            from: backup, to: container.location, options: container.options())
        let restored = try container.open()
        #expect(try identifiers(restored) == ["X"])
        #expect(restored.openingDiagnostics.isEmpty)
    }

    @Test("R-27 what is put there while somebody holds the closed container is no other store's")
    func heldMeanwhile() throws {
        let (container, other) = (TestContainer(), TestContainer())
        let folder = try container.closed(holding: "A")
        _ = try other.closed(holding: "X")
        let lock = try OwnerLock.acquire(folder)
        try container.folder.write(#require(other.folder.bytes()))
        try lock.release()
        let store = try container.open()
        #expect(try identifiers(store) == ["X"])
        #expect(!store.openingDiagnostics.contains { $0.code == .otherStore })
    }

    @Test(
        "R-27 a damaged name of the store in the lock accuses nobody", arguments: [256, 262, 318])
    func damagedName(offset: Int) throws {
        let container = TestContainer()
        _ = try container.closed(holding: "A")
        try flip(0, of: offset, ContainerName.lock, in: container)
        #expect(try container.open().openingDiagnostics.isEmpty)
    }
}
