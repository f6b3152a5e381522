import SceneStoreExchange
import SceneStoreMigrations
import Synchronization
import Testing

import SceneStore
import SceneStoreRecovery
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
    /// A store of this schema, with one session: an older one where migrations are added.
    func olderStore() throws -> TestContainer {
        let container = TestContainer(.fail)
        let store = try container.open()
        try store.save(try store.add("A"), activity(1))
        try store.close()
        return container
    }

    @Test("S-03 an older store is brought up to date, in place, with all that it holds")
    func migrates() throws {
        let container = try olderStore()
        try MadeMigrations.added {
            #expect(failure { _ = try container.open(.reader) } == .olderSchema)
            let store = try container.open()
            let record = try #require(try store.record(identifier: "A"))
            #expect(try store.restorationActivity(key: record.key) == activity(1))
            try store.close()
            let raw = try RawDatabase(container.folder.file())
            #expect(try raw.value("PRAGMA user_version") == "3")
            #expect(try raw.value("SELECT count(*) FROM migration") == "3")
            #expect(try raw.value("SELECT count(made) FROM save_context") == "0")
            #expect(try container.open().openCount() == 1)
        }
        // The library of before finds a newer store.
        #expect(failure { _ = try container.open() } == .newerSchema)
    }

    @Test("S-05 a newer migration that changed only rows makes a newer version's store")
    func newerRows() throws {
        let container = try olderStore()
        let last = try #require(SchemaMigration.all.last)
        let number = last.number + 1
        let migration = SchemaMigration(
            number: number, name: "made", text: Array("PRAGMA user_version = \(number);".utf8),
            schemaDigest: last.schemaDigest)
        try SchemaMigration.$made.withValue([migration]) { try container.open().close() }
        #expect(failure { _ = try container.open() } == .newerSchema)
    }

    @Test("S-03 an older store holds after its migration what it held, is sound and goes on")
    func holdsAll() throws {
        let container = try TestContainer.filled()
        let store = try container.open()
        let export = try store.export()
        try store.close()
        try MadeMigrations.added {
            var store = try container.open()
            #expect(try store.export() == export)
            #expect(try store.verify(.full).isSound)
            try store.launch()
            let record = try #require(try store.record(identifier: "B"))
            try store.save(record, activity(99))
            _ = try store.discards.reopen(identifier: "D")
            try store.close()
            store = try container.open()
            #expect(try store.restorationActivity(key: record.key) == activity(99))
            #expect(try store.history.versions(key: record.key).count == 4)
            #expect(try store.verify(.full).isSound)
        }
    }

    @Test("S-03 S-04 an older store can be restored as a backup, and repaired")
    func restored() throws {
        let source = try TestContainer.filled()
        let store = try source.open()
        let export = try store.export()
        try store.close()
        let bytes = source.folder.bytes()
        try MadeMigrations.added {
            let container = TestContainer(.fail)
            try container.folder.create()
            try SceneSessionStore.restore(
                from: source.folder.file(), to: .directory(container.folder.path),
                options: container.options())
            let store = try container.open()
            #expect(try store.export() == export)
            #expect(try store.verify(.full).isSound)
            try store.close()
            let report = try SceneSessionStore.repair(
                at: .directory(source.folder.path), options: source.options())
            #expect(report.findings.allSatisfy { $0.severity < .warning })
        }
        #expect(source.folder.bytes() == bytes)
    }

    @Test("S-04 a store that holds something is backed up before it is migrated")
    func backup() throws {
        let container = try olderStore()
        let calls = Mutex<[Int]>([])
        try MadeMigrations.added {
            let store = try container.open {
                $0.beforeMigration = { _, version in
                    calls.withLock { $0.append(version) }
                }
            }
            #expect(calls.withLock { $0 } == [1])
            try store.close()
            // Neither a new store nor one that is up to date.
            _ = try container.open {
                $0.beforeMigration = { _, _ in calls.withLock { $0.append(0) } }
            }
            #expect(calls.withLock { $0 } == [1])
        }
    }

    @Test("S-04 a backup that fails leaves the store as it is")
    func failedBackup() throws {
        let container = try olderStore()
        let bytes = container.folder.bytes()
        let noRoom = SceneStoreError(.diskFull, "no room for the backup")
        let failing: @Sendable (String, Int) throws(SceneStoreError) -> Void = {
            _, _ throws(SceneStoreError) in throw noRoom
        }
        try MadeMigrations.added {
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
    }

    @Test("S-04 a migration that is cut off at any step leaves the old or the new schema")
    func cutOff() throws {
        let container = try olderStore()
        let fault = FaultSwitch()
        var versions: Set<String> = []
        for operation in [FaultSwitch.Operation.step, .begin, .commit, .prepare] {
            for count in 1... {
                let copy = try container.snapshot()
                fault.arm(operation, after: count, code: FaultSwitch.ioError)
                let code = MadeMigrations.added {
                    failure { _ = try copy.open { $0.fault = fault.seam } }
                }
                guard fault.disarm() else {
                    #expect(code == nil)
                    break
                }
                versions.insert(
                    try RawDatabase(copy.folder.file()).value("PRAGMA user_version"))
                try MadeMigrations.added {
                    let store = try copy.open()
                    #expect(try store.openRecords().map(\.identifier) == ["A"])
                }
            }
        }
        #expect(versions == ["1", "2", "3"])
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
        #expect(MigrationPlan(from: 1).names.isEmpty)
        #expect(
            MadeMigrations.added { MigrationPlan(from: 1).names } == [
                "0002_made", "0003_made",
            ])
    }
}
