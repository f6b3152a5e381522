import SceneStoreExchange
import SceneStoreSQLite
import SceneStoreTesting
import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What another program does to the store's file, while it is open and between two openings.
@Suite("Another hand")
struct ForeignWriteTests {
    /// A store of one session, and the file's bytes some saves ago.
    private func older(
        saves: Int = 1
    ) throws -> (container: TestContainer, record: SessionRecord, old: Data) {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.launch()
        try store.close()
        let old = try #require(container.folder.bytes())
        container.clock.advance(86_400_000)
        store = try container.open()
        try store.launch()
        for number in 0..<saves {
            try store.save(record, activity(number + 2))
        }
        try store.close()
        return (container, record, old)
    }

    @Test(
        "R-27 a file that is copied over the open one is noticed, and nothing is written over it",
        arguments: [Durability.full, .normal], [false, true])
    func copiedOver(_ durability: Durability, afterCheckpoint: Bool) throws {
        for _ in 0..<20 {
            let (container, record, old) = try older()
            let store = try container.open()
            if afterCheckpoint {
                try store.save(record, activity(50))
                container.clock.advance(60_000)
                try store.log.checkpoint()
            }
            let size = container.folder.bytes()?.count
            // In its place, as `cp` and `rsync --inplace` do; mostly it is as long as before.
            try container.folder.write(old)
            #expect(size == old.count)
            #expect(
                failure { try store.save(record, activity(99), durability: durability) }
                    == .replaced)
            #expect(failure { try store.values.setTitle("t", key: record.key) } == .replaced)
            #expect(failure { try store.log.checkpoint() } == .replaced)
            try store.close()
            #expect(container.folder.bytes() == old)
        }
    }

    @Test(
        "R-27 what a shell writes while the app runs is noticed by the next write, whatever it is",
        arguments: [
            "UPDATE event SET detail = 'x'", "DELETE FROM state",
            "INSERT INTO quarantined_row VALUES (9999, 1, 'x', 1, 'x', 1, 1, 1, 1, x'00')",
        ])
    func shell(_ sql: String) throws {
        for writes in [0, 1] {
            let (container, record, _) = try older()
            let store = try container.open()
            for number in 0..<writes {
                try store.save(record, activity(number + 60))
            }
            try RawDatabase(container.folder.file()).run(sql)
            let log = container.folder.bytes("scenes.sqlite-wal")
            #expect(failure { try store.save(record, activity(99)) } == .replaced)
            #expect(failure { _ = try store.add("B") } == .replaced)
            try store.close()
            #expect(container.folder.bytes("scenes.sqlite-wal") == log)
        }
    }

    @Test("R-27 the owner's own work is never taken for another's")
    func ownWork() throws {
        let (container, record, _) = try older()
        let store = try container.open()
        for number in 0..<4 {
            try store.save(record, activity(number + 60))
            container.clock.advance(60_000)
            try store.log.checkpoint()
            try store.upkeep.compact()
            let reader = try container.open(.reader)
            #expect(try reader.openCount() == 1)
            try reader.close()
            while try store.upkeep.perform(budgetMilliseconds: 60_000) {}
            _ = try store.verify(.full)
            #expect(
                failure { try store.history.checkout(key: record.key, generation: -1) } != .replaced
            )
            try store.save(record, activity(number + 70))
            _ = try store.backUp(before: nil)
            try store.suspend()
            try store.resume()
            try store.values.setTitle("t\(number)", key: record.key)
        }
        try store.erase()
        _ = try store.add("B")
        try store.close()
    }

    @Test("S-30 whoever lost the lock is told so, also when rows stand in its way")
    func lostLock() throws {
        let (container, _, _) = try older()
        let store = try container.open()
        _ = try store.add("B")
        let id = try store.read { reader in reader.store.lastID } + 1
        // What a second owner does, on a file system whose locks lie.
        try RawDatabase(container.folder.file()).run(
            """
            UPDATE store SET owner_epoch = owner_epoch + 1, generation = generation + 1;
            CREATE TEMP TABLE other AS SELECT * FROM session LIMIT 1;
            UPDATE other SET id = \(id), identifier = 'C';
            INSERT INTO session SELECT * FROM other
            """)
        #expect(failure { _ = try store.add("D") } == .ownershipLost)
        #expect(failure { _ = try store.add("E") } == .ownershipLost)
    }

    @Test("S-31 an index of the log that is gone is reported, and nothing is copied")
    func removedIndex() throws {
        let (container, record, _) = try older()
        let store = try container.open()
        try store.save(record, activity(60))
        try FileManager.default.removeItem(atPath: container.folder.file("scenes.sqlite-shm"))
        let bytes = container.folder.bytes()
        #expect(failure { try store.log.checkpoint() } == .moved)
        #expect(failure { try store.save(record, activity(61)) } == .moved)
        try store.close()
        #expect(container.folder.bytes() == bytes)
        let next = try container.open()
        #expect(try next.restorationActivity(key: record.key) == activity(60))
    }

    @Test("R-10 an index of the log that is cut off costs nothing, and is told once")
    func cutIndex() throws {
        let (container, record, _) = try older()
        let store = try container.open()
        try store.save(record, activity(60))
        let index = container.folder.file("scenes.sqlite-shm")
        #expect(cutOff(index, at: 0))
        #expect(try store.restorationActivity(key: record.key) == activity(60))
        #expect(cutOff(index, at: 4_096))
        try store.save(record, activity(61))
        #expect(store.takeDiagnostics().map(\.code) == [.cutIndex])
        #expect(store.takeDiagnostics().isEmpty)
        #expect(cutOff(index, at: 0))
        try store.close()
        let next = try container.open()
        #expect(try next.restorationActivity(key: record.key) == activity(61))
    }

    // MARK: - Between two openings

    @Test("R-27 an older file in the place of the closed one is told, with both dates")
    func rolledBack() throws {
        let (container, record, old) = try older()
        let closed = container.clock.now
        try container.folder.write(old)
        container.clock.advance(1_000)
        // Who only looks is told the same, and may look whatever the policy is.
        let reader = try container.open {
            $0.access = .reader
            $0.rollback = .fail
        }
        #expect(reader.openingDiagnostics.map(\.code) == [.rolledBack])
        let seen = reader.rollback
        try reader.close()
        var store = try container.open()
        let rollback = try #require(store.rollback)
        #expect(seen?.closedAt == rollback.closedAt && seen?.lastUsedAt == rollback.lastUsedAt)
        #expect(rollback.closedAt == closed)
        #expect(rollback.lastUsedAt == closed - 86_400_000)
        #expect(store.openingDiagnostics.map(\.code) == [.rolledBack])
        #expect(try store.restorationActivity(key: record.key) == activity(1))
        try store.close()
        // What was accepted is the store now.
        store = try container.open()
        #expect(store.rollback == nil)
        #expect(store.openingDiagnostics.isEmpty)
    }

    @Test("R-27 a store that goes on where it was closed is not rolled back")
    func goesOn() throws {
        let (container, record, _) = try older()
        for _ in 0..<3 {
            let store = try container.open()
            #expect(store.rollback == nil)
            try store.save(record, activity(70))
            try store.close()
        }
        let store = try container.open()
        let backup = container.folder.file("copy.sqlite")
        try store.backUp(to: backup)
        try store.save(record, activity(80))
        try store.close()
        // A restore is meant.
        try SceneSessionStore.restore(
            from: backup, to: .directory(container.folder.path), options: container.options())
        let restored = try container.open()
        #expect(restored.rollback == nil)
        #expect(try restored.restorationActivity(key: record.key) == activity(70))
    }

    @Test("R-27 the policy fail refuses an older file and changes nothing")
    func fail() throws {
        let (container, _, old) = try older()
        try container.folder.write(old)
        for _ in 0..<2 {
            let code = failure { _ = try container.open { $0.rollback = .fail } }
            #expect(code == .rolledBack)
            #expect(container.folder.bytes() == old)
        }
        #expect(try container.open().rollback != nil)
    }

    @Test(
        "R-27 the policy salvageNewer takes the newest whole copy that is newer",
        arguments: [false, true])
    func salvageNewer(hasCopy: Bool) throws {
        let (container, record, old) = try older()
        if hasCopy {
            let store = try container.open()
            try store.save(record, activity(33))
            _ = try store.backUp(before: "test")
            try store.save(record, activity(34))
            try store.close()
        }
        try container.folder.write(old)
        let store = try container.open { $0.rollback = .salvageNewer }
        #expect(store.openingDiagnostics.first?.code == .rolledBack)
        #expect(
            try store.restorationActivity(key: record.key) == activity(hasCopy ? 33 : 1))
        #expect(container.folder.names.contains("quarantine") == hasCopy)
        try store.save(record, activity(90))
        try store.close()
        #expect(try container.open().rollback == nil)
    }

    @Test("R-27 the lock's text holds what was closed, and older texts do not mislead")
    func lockText() throws {
        let (container, _, old) = try older()
        let text = try #require(container.folder.bytes("owner.lock"))
        let line = String(decoding: text.prefix(64), as: UTF8.self)
        #expect(line.hasPrefix("released epoch 2 generation "))
        #expect(line.contains(" at \(container.clock.now)"))
        // As earlier versions wrote it: the epoch alone.
        var short = Array("released epoch 2".utf8)
        short += [UInt8](repeating: 0x20, count: 63 - short.count) + [0x0a]
        try container.folder.write(Data(short) + text.dropFirst(64), "owner.lock")
        try container.folder.write(old)
        let store = try container.open()
        #expect(try #require(store.rollback).closedAt == nil)
    }
}
