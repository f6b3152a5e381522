import SceneStoreMigrations
import Synchronization
import Testing

import SceneStore
import SceneStoreTestContainers
import SceneStoreTesting
import class SceneStoreSQLite.Connection
import class SceneStoreSQLite.ContainerFolder
import struct SceneStoreSQLite.SQLiteError

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Migrating")
struct MigrationTests {
    /// A store as version 2 left it, with one session.
    func olderStore() throws -> TestContainer {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.unbindStates()
        try store.close()
        try RawDatabase(container.folder.file()).run(OlderStore.undoing)
        return container
    }

    @Test("S-03 an older store is brought up to date, in place, with all that it holds")
    func migrates() throws {
        let container = try olderStore()
        #expect(failure { _ = try container.open(.reader) } == .olderSchema)
        let store = try container.open()
        let record = try #require(try store.record(identifier: "A"))
        #expect(try store.restorationActivity(key: record.key) == activity(1))
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        #expect(try raw.value("PRAGMA user_version") == "7")
        #expect(try raw.value("SELECT count(*) FROM migration") == "7")
        #expect(try raw.value("SELECT session FROM sessions") == "A")
        #expect(try container.open().openCount() == 1)
    }

    @Test("S-04 a store that holds something is backed up before it is migrated")
    func backup() throws {
        let container = try olderStore()
        let calls = Mutex<[Int]>([])
        let store = try container.open {
            $0.beforeMigration = { _, version in
                calls.withLock { $0.append(version) }
            }
        }
        #expect(calls.withLock { $0 } == [2])
        try store.close()
        // Neither a new store nor one that is up to date.
        _ = try container.open {
            $0.beforeMigration = { _, _ in calls.withLock { $0.append(0) } }
        }
        #expect(calls.withLock { $0 } == [2])
    }

    @Test("S-04 a backup that fails leaves the store as it is")
    func failedBackup() throws {
        let container = try olderStore()
        let bytes = container.folder.bytes()
        let noRoom = SceneStoreError(.diskFull, "no room for the backup")
        let failing: @Sendable (String, Int) throws(SceneStoreError) -> Void = {
            _, _ throws(SceneStoreError) in throw noRoom
        }
        #expect(
            failure { _ = try container.open(.editor) { $0.beforeMigration = failing } }
                == .diskFull)
        #expect(container.folder.bytes() == bytes)
        // An app reads what is stored, and is told at its first write (L-17).
        let store = try container.open { $0.beforeMigration = failing }
        let record = try #require(try store.record(identifier: "A"))
        #expect(try store.restorationActivity(key: record.key) == activity(1))
        #expect(failure { try store.save(record, activity(2)) } == .diskFull)
        #expect(container.folder.bytes() == bytes)
        store.abandon()
    }

    @Test("S-04 a migration that is cut off at any step leaves the old or the new schema")
    func cutOff() throws {
        let container = try olderStore()
        let fault = FaultSwitch()
        var versions: Set<String> = []
        let isLong = ProcessInfo.processInfo.environment["SCENESTORE_LONG"] != nil
        for operation in [FaultSwitch.Operation.step, .begin, .commit, .prepare] {
            // Every third step, or each on request.
            for count in stride(from: 1, to: .max, by: isLong ? 1 : 3) {
                let copy = try container.snapshot()
                fault.arm(operation, after: count, code: FaultSwitch.ioError)
                let code = failure { _ = try copy.open { $0.fault = fault.seam } }
                guard fault.disarm() else {
                    #expect(code == nil)
                    break
                }
                let version = try RawDatabase(copy.folder.file()).value("PRAGMA user_version")
                versions.insert(version)
                let store = try copy.open()
                #expect(try store.openRecords().map(\.identifier) == ["A"])
            }
        }
        #expect(versions == ["2", "3", "4", "5", "6", "7"])
    }

    @Test("S-03 a new store's schema is made whole or not at all")
    func creation() throws {
        let fault = FaultSwitch()
        for count in stride(from: 1, to: 2_000, by: 7) {
            let container = TestContainer(.fail)
            fault.arm(.step, after: count, code: FaultSwitch.full)
            // Without room for a new store an app begins in memory (L-17).
            let opened = try? container.open { $0.fault = fault.seam }
            guard fault.disarm() else {
                #expect(opened != nil && opened?.refusal == nil)
                break
            }
            #expect(opened?.refusal?.code == .diskFull)
            opened?.abandon()
            let store = try container.open()
            #expect(try store.launch().reason == .first)
        }
    }

    @Test("S-03 the plan names what would run")
    func plan() {
        #expect(
            StoreMigrator.plan(from: 1).names
                == [
                    "0002_records", "0003_views", "0004_freshness", "0005_one_vocabulary",
                    "0006_declaration", "0007_ledger",
                ])
        #expect(StoreMigrator.plan(from: 7).names.isEmpty)
    }
}
