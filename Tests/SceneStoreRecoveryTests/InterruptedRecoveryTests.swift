import Foundation
import SceneStoreExchange
import SceneStoreSQLite
import Synchronization
import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers
import SceneStoreTesting

@Suite("Opening a damaged store with others, or after one that died")
struct InterruptedRecoveryTests {
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
                        var options = SceneSessionStore.Options.seeded()
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
                var options = SceneSessionStore.Options.seeded()
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
            let recovery = StoreMaker(options: container.options(), ownerEpoch: 50)
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
            try setAside.replace(reason: "replaced") { (target, _) throws(SceneStoreError) in
                try StoreMaker(options: SceneSessionStore.Options.seeded(), ownerEpoch: 50)
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
                (target, _) throws(SceneStoreError) in
                try StoreMaker(options: container.options(), ownerEpoch: 50)
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
            ) { (target, _) throws(SceneStoreError) in
                try StoreMaker(options: container.options(), ownerEpoch: 50)
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
            ) { (target, _) throws(SceneStoreError) in
                try StoreMaker(options: container.options(), ownerEpoch: 50)
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
