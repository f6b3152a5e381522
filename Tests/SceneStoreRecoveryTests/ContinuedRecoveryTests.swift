import Foundation
import SceneStoreSQLite
import Synchronization
import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers
import SceneStoreTesting

@Suite("Recovering again after a process was killed")
struct ContinuedRecoveryTests {
    private static let inSmallCommits = SceneSessionStore.CorruptionPolicy(
        salvager: Salvager(rowsPerCommit: 50))

    /// Opens a damaged store with small commits; answers it and the rows that it was seen to write,
    /// by how many came before them.
    private func open(
        _ container: TestContainer
    ) throws -> (store: SceneSessionStore, rows: [Int], total: Int) {
        let told = Mutex<[WorkProgress]>([])
        var options = container.options()
        options.workObserver = { progress in
            told.withLock { $0.append(progress) }
            return true
        }
        options.corruption = Self.inSmallCommits
        let store = try SceneSessionStore.open(at: container.location, options: options)
        let rows = told.withLock { $0.filter { $0.stage == "rebuilding" } }
        return (store, rows.map(\.done), rows.map(\.total).max() ?? 0)
    }

    /// A process opens the container, and is killed when so many rows are built.
    private func die(_ container: TestContainer, at row: Int) async {
        let path = container.path
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, row = row as Int] in
            var options = SceneSessionStore.Options.seeded()
            options.clock = { 1_767_225_600_000 }
            options.workObserver = { progress in
                if progress.stage == "rebuilding", progress.done >= row {
                    kill(getpid(), SIGKILL)
                }
                return true
            }
            options.corruption = Self.inSmallCommits
            _ = try SceneSessionStore.open(at: .directory(path), options: options)
        }
    }

    private func drafts(_ container: TestContainer) -> [String] {
        container.names.filter { AtomicFile.isDraft($0) && $0.hasSuffix(".tmp") }
    }

    /// What comes back, with everything that was saved.
    private func expectAll(_ store: SceneSessionStore, _ truth: SalvageFigureTests.Truth) throws {
        let records = try store.openRecords()
        #expect(Set(records.map(\.identifier)) == Set(truth.numbers.keys))
        for record in records {
            let state = try store.restorationActivity(key: record.key)
            let number = state?.userInfo["number"]?.integerValue.map { Int($0) }
            #expect(number == truth.numbers[record.identifier])
        }
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().filter { $0.severity >= .warning }.isEmpty)
        let notes = try store.journal.events(limit: 1_000)
        #expect(notes.count { $0.kind == .salvage && $0.sessionIdentifier == nil } == 1)
    }

    @Test("R-28 a recovery that was killed, once or twice, goes on behind what it had committed")
    func goesOn() async throws {
        let container = TestContainer()
        let truth = try damaged(container, sessions: 60)
        let broken = container.files[ContainerName.store]
        for (row, committed) in [(128, 100), (192, 150)] {
            await die(container, at: row)
            #expect(drafts(container).count == 1)
            #expect(container.files[ContainerName.store] == broken)
            let again = TestContainer()
            try FileManager.default.copyItem(atPath: container.path, toPath: again.path)
            let (store, rows, total) = try open(again)
            #expect(rows.allSatisfy { $0 > committed } && rows.first == row)
            #expect(total > 200)
            try expectAll(store, truth)
            try store.close()
            #expect(drafts(again).isEmpty)
        }
        let (store, _, _) = try open(container)
        try expectAll(store, truth)
        try store.close()
        #expect(container.quarantined().filter { $0.hasSuffix(".sqlite") }.count == 1)
        #expect(!container.names.contains { AtomicFile.isTemporary($0) })
    }

    /// A damaged container with a draft that lacks nothing, as a process leaves it that is killed
    /// before it puts the draft in its place; and the draft's path.
    private func complete(
        _ container: TestContainer, owner: Int64 = 40
    ) throws -> (folder: ContainerFolder, draft: String) {
        let folder = try ContainerFolder.open(container.path, access: .owner)
        let recovery = FileReplacement(
            folder: folder, options: container.options(), ownerEpoch: owner)
        let found = try #require(try Salvager().read(recovery))
        let file = try AtomicFile(
            in: folder, name: ContainerName.store, replacing: true, draft: found.draftKey)
        _ = try found.rebuild(at: file.temporaryPath)
        let path = file.temporaryPath
        try FileManager.default.copyItem(atPath: path, toPath: container.parent.file("kept"))
        _ = consume file
        try FileManager.default.moveItem(atPath: container.parent.file("kept"), toPath: path)
        return (folder, path)
    }

    /// Recovers as the owner of a later epoch; answers how many rows were seen to be built.
    private func recover(
        _ container: TestContainer, _ folder: ContainerFolder
    ) throws -> Int {
        let built = Mutex(0)
        var options = container.options()
        options.workObserver = { progress in
            if progress.stage == "rebuilding" {
                built.withLock { $0 += 1 }
            }
            return true
        }
        _ = try FileReplacement(folder: folder, options: options, ownerEpoch: 60)
            .recover(from: SceneStoreError(.corrupt, ""))
        return built.withLock { $0 }
    }

    @Test("R-28 what was complete when the process died is put in its place, for the owner of now")
    func complete() throws {
        let container = TestContainer()
        let truth = try damaged(container, sessions: 60)
        let (folder, _) = try complete(container)
        #expect(try recover(container, folder) == 0)
        let store = try container.open()
        try expectAll(store, truth)
        // The mark of this opening is one more.
        #expect(try store.using { $0.store.ownerEpoch } == 61)
    }

    enum Trouble: CaseIterable {
        case torn, cutOff, empty, anotherStore, link, secondName, permissions
    }

    @Test("R-28 R-26 a draft that is damaged or not ours is made anew", arguments: Trouble.allCases)
    func useless(_ trouble: Trouble) throws {
        let container = TestContainer()
        let truth = try damaged(container, sessions: 60)
        let (folder, draft) = try complete(container)
        let elsewhere = container.parent.file("elsewhere")
        let manager = FileManager.default
        switch trouble {
        case .torn:
            var file = try DamagedFile(draft)
            for offset in file.bytes.count / 2..<file.bytes.count {
                file.bytes[offset] = 0x5A
            }
            try file.write()
        case .cutOff:
            let half = try Data(contentsOf: URL(fileURLWithPath: draft)).prefix(9_000)
            try half.write(to: URL(fileURLWithPath: draft))
        case .empty: try Data().write(to: URL(fileURLWithPath: draft))
        case .anotherStore:
            let other = TestContainer()
            _ = try other.closed(holding: "of another container")
            try manager.removeItem(atPath: draft)
            try manager.copyItem(atPath: other.store, toPath: draft)
        case .link:
            try manager.moveItem(atPath: draft, toPath: elsewhere)
            try manager.createSymbolicLink(atPath: draft, withDestinationPath: elsewhere)
        case .secondName: try manager.linkItem(atPath: draft, toPath: elsewhere)
        case .permissions: try #require(chmod(draft, 0o644) == 0)
        }
        let outside = manager.contents(atPath: elsewhere)
        #expect(try recover(container, folder) > 0)
        #expect(manager.contents(atPath: elsewhere) == outside)
        let store = try container.open()
        try expectAll(store, truth)
    }

    @Test("R-28 R-26 a draft of what the file held before is not taken for what it holds now")
    func otherInput() throws {
        let container = TestContainer()
        _ = try damaged(container, sessions: 60)
        let (folder, draft) = try complete(container)
        var file = try DamagedFile(container.store)
        for offset in file.bytes.count - 40_960..<file.bytes.count {
            file.bytes[offset] = 0x5A
        }
        try file.write()
        #expect(try recover(container, folder) > 0)
        #expect(!FileManager.default.fileExists(atPath: draft))
        let store = try container.open()
        // What the recovery told nobody, and nothing else.
        #expect(
            store.openingDiagnostics.filter { $0.severity >= .error }.map(\.code)
                == [.storeSetAside])
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
    }

    @Test("R-28 R-26 a draft is known by the content of its rows, not by their number")
    func content() throws {
        let container = TestContainer()
        let store = try container.open()
        var keys: [Int: Int64] = [:]
        for number in 1...6 {
            let record = try store.add("S\(number)")
            keys[number] = record.key
            for name in ["earlier", "later"] {
                try store.save(
                    record, try UserActivity(activityType: "a.b", title: "\(name)-of-\(number)"))
            }
        }
        try store.close()
        let whole = try DamagedFile(container.store)
        let folder = try ContainerFolder.open(container.path, access: .owner)
        /// The key of a draft where the last states of two sessions are damaged.
        func key(_ first: Int, _ second: Int) throws -> UInt64 {
            var file = whole
            for number in [first, second] {
                let text = Array("later-of-\(number)".utf8)
                for place in file.bytes.indices.dropLast(text.count)
                where file.bytes[place..<place + text.count].elementsEqual(text) {
                    file.bytes[place] ^= 1
                }
            }
            try file.write()
            let recovery = FileReplacement(
                folder: folder, options: container.options(), ownerEpoch: 40)
            let found = try #require(try Salvager().read(recovery))
            #expect(found.salvage.report.counts[.olderState] == 2)
            return found.draftKey
        }
        // Nothing else tells the two from each other.
        let sums = [(3, 6), (4, 5)].map { keys[$0, default: 0] + keys[$1, default: 0] }
        #expect(sums[0] == sums[1])
        #expect(try key(3, 6) != key(4, 5))
        #expect(try key(3, 6) == key(3, 6))
    }

    @Test("R-28 S-70 a draft that nobody goes on with is removed by an opening and an erasure")
    func removed() async throws {
        let container = TestContainer()
        let truth = try SalvageFigureTests.make(container, sessions: 60)
        let sound = try Data(contentsOf: URL(fileURLWithPath: container.store))
        try damage(container)
        await die(container, at: 128)
        let draft = container.path + "/" + (try #require(drafts(container).first))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: draft))
        // Somebody has put a backup there.
        try sound.write(to: URL(fileURLWithPath: container.store))
        let store = try container.open()
        #expect(try store.openCount() == truth.numbers.count)
        #expect(drafts(container).isEmpty)
        try bytes.write(to: URL(fileURLWithPath: draft))
        try store.using { db throws(SceneStoreError) in try db.erase() }
        #expect(drafts(container).isEmpty)
        try store.close()
    }

    @Test("R-28 commits of fewer, as many and more rows than there are make the same store")
    func limits() throws {
        let container = TestContainer()
        let truth = try damaged(container, sessions: 20)
        let folder = try ContainerFolder.open(container.path, access: .owner)
        let recovery = FileReplacement(folder: folder, options: container.options(), ownerEpoch: 9)
        let total = try #require(try Salvager().read(recovery)).salvage.rows.count
        for rows in [1, total - 1, total, total + 1] {
            let again = TestContainer()
            try FileManager.default.copyItem(atPath: container.path, toPath: again.path)
            let store = try again.open {
                $0.corruption = SceneSessionStore.CorruptionPolicy(
                    salvager: Salvager(rowsPerCommit: rows))
            }
            try expectAll(store, truth)
            try store.close()
        }
    }
}
