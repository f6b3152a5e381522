import Testing

import SceneStore
import SceneStoreRecovery
import SceneStoreTestContainers
import SceneStoreStorage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What lies in the file is not what it seems: an older row, a hash that two states share, a file
/// that is elsewhere.
@Suite("What is taken for stored")
struct SavedAgainTests {
    let container = TestContainer(.fail)

    @Test("S-22 two states of one length and one hash are two")
    func sameHash() throws {
        var store = try container.open()
        let key = try store.add("A").key
        let (first, second) = (activity(1), activity(2))
        let encoder = try store.read { db throws(SceneStoreError) in db.encoder }
        let bytes = try [first, second].map {
            try encoder.encode($0).bytes
        }
        #expect(bytes[0].count == bytes[1].count)
        try store.save(try #require(try store.record(key: key)), first)
        // The first state bears the hash of the second one.
        let isChanged = try store.write(.full) { transaction throws(SceneStoreError) in
            let session = try transaction.db.knownSession(key)
            guard var row = try transaction.db.states(of: session).last else {
                return false
            }
            let old = row.checksum
            row.contentHash = Database.hash(bytes[1])
            row = try transaction.update(row, counted: old, payload: bytes[0])
            try transaction.updateRow(session) { $0.point(at: row) }
            return true
        }
        #expect(isChanged)
        try store.close()
        store = try container.open()
        let record = try #require(try store.record(key: key))
        #expect(try store.save(record, second))
        #expect(try store.restorationActivity(key: key) == second)
    }

    @Test("S-51 a state that no longer fits is gone from the file, and the others are not")
    func tooLarge() throws {
        let store = try container.open { $0.history.bytes = 4_000 }
        let record = try store.add("A")
        let other = try store.add("B")
        func rows() throws -> [[String]] {
            try RawDatabase(container.folder.file()).rows(
                "SELECT count(*) FROM state GROUP BY id >> 8 ORDER BY id >> 8")
        }
        for number in 0..<4 {
            try store.save(record, activity(number, bytes: 700))
            try store.save(other, activity(number, bytes: 700))
        }
        #expect(try rows() == [["4"], ["4"]])
        try store.save(record, activity(9, bytes: 3_900))
        #expect(try store.history.versions(key: record.key).count == 1)
        #expect(try rows() == [["1"], ["4"]])
        #expect(try store.verify(.full).isSound)
    }

    @Test("S-62 R-30 of states that were saved or shown no more than 16 MiB stay in memory")
    func encodedStates() throws {
        let store = try SceneSessionStore.memory()
        for number in 0..<20 {
            try store.save(
                try store.add("\(number)"), activity(number, bytes: 1 << 20 - 200),
                durability: .normal)
        }
        let kept = store.database.withLock { db in
            db.caches.sessions.values.reduce(0) { $0 + ($1.encodedState?.count ?? 0) }
        }
        #expect(kept > 0 && kept <= 16 << 20)
    }

    @Test("R-06 S-26 a file that is moved away is noticed by a commit in mode normal, too")
    func movedNormal() throws {
        let store = try container.open()
        let record = try store.add("A")
        let path = container.folder.file()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        #expect(failure { try store.values.setTitle("t", key: record.key) } == .moved)
    }

    @Test("R-06 S-26 nothing is copied into a file that was moved away")
    func movedCheckpoint() throws {
        let store = try container.open()
        try store.save(try store.add("A"), activity(1))
        let path = container.folder.file()
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        let before = container.folder.bytes("scenes.sqlite.moved")
        #expect(failure { try store.log.checkpoint() } == .moved)
        #expect(container.folder.bytes("scenes.sqlite.moved") == before)
    }

    @Test("R-02 R-03 the last durable commit is missed, and one that was not durable is not")
    func missingCommit() throws {
        var older: [Data?] = []
        for durability in [Durability.full, .normal] {
            let container = TestContainer(.fail)
            var store = try container.open()
            let record = try store.add("A")
            try store.close()
            store = try container.open()
            try store.save(record, activity(1))
            let log = container.folder.bytes("scenes.sqlite-wal")
            older.append(log)
            try store.save(record, activity(2), durability: durability)
            let copy = try container.snapshot()
            try copy.folder.write(try #require(log), "scenes.sqlite-wal")
            let code = failure { _ = try copy.open() }
            #expect(code == (durability == .full ? .corrupt : nil))
        }
        #expect(older.count == 2)
    }

    @Test("R-27 an older file of the same opening is told, when it lacks one commit only")
    func sameEpoch() throws {
        let store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.log.checkpoint()
        let old = try #require(container.folder.bytes())
        try store.save(record, activity(2))
        try store.close()
        let new = try #require(container.folder.bytes())
        try container.folder.write(old)
        #expect(failure { _ = try container.open { $0.rollback = .fail } } == .rolledBack)
        // Whoever was refused has not made it forgotten.
        #expect(failure { _ = try container.open { $0.rollback = .fail } } == .rolledBack)
        try container.folder.write(new)
        #expect(try container.open { $0.rollback = .fail }.rollback == nil)
    }

    @Test("S-21 S-30 after a transaction that failed the store's row is read again")
    func rowAfterFailure() throws {
        for hasFailed in [false, true] {
            let container = TestContainer(.fail)
            let fault = FaultSwitch()
            let store = try container.open { $0.fault = fault.seam }
            let record = try store.add("A")
            if hasFailed {
                fault.arm(.commit, after: 1, code: FaultSwitch.full)
                #expect(failure { try store.save(record, activity(1)) } == .diskFull)
                fault.disarm()
            }
            // Another owner, whom nothing but its row in the file tells of.
            try RawDatabase(container.folder.file()).run(
                "UPDATE store SET owner_epoch = owner_epoch + 1")
            #expect(failure { _ = try store.openRecords() } == (hasFailed ? .corrupt : nil))
        }
    }

    @Test("R-02 one commit behind a damage of the log is a torn end, two are missing")
    func commitsBehind() {
        var lost = LostCommits(debt: nil)
        for (count, isTold) in [(0, false), (1, false), (2, true), (3, true)] {
            lost.commitsBehind = count
            #expect((lost.message(StoreRow.blank) != nil) == isTold)
            #expect((lost.finding(StoreRow.blank)?.code == .lostCommits) == isTold)
        }
    }
}
