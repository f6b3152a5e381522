import Testing

import SceneStore
import SceneStoreTestContainers
import struct SceneStoreSQLite.OwnerLock

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Hostile files")
struct HostileFileTests {
    /// Rows that no version of the library wrote.
    static let hostileRows = [
        "UPDATE session SET recency = -9223372036854775808 WHERE identifier = 'B'",
        "UPDATE session SET crash_count = 9223372036854775807 WHERE identifier = 'B'",
        "UPDATE session SET identifier = CAST(x'ff00fe' AS TEXT) WHERE identifier = 'B'",
        "UPDATE session SET identifier = 'B' || char(0) || 'x' WHERE identifier = 'B'",
        "UPDATE session SET state_id = 9223372036854775807 WHERE identifier = 'B'",
        "UPDATE session SET created_at = -1, last_active_at = 9223372036854775807 "
            + "WHERE identifier = 'B'",
        "PRAGMA writable_schema = ON; "
            + "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ')') "
            + "WHERE name = 'session'; PRAGMA writable_schema = RESET; "
            + "UPDATE session SET recency = 'text' WHERE identifier = 'B'; "
            + "PRAGMA writable_schema = ON; "
            + "UPDATE sqlite_schema SET sql = sql || ' STRICT' WHERE name = 'session'",
        "PRAGMA foreign_keys = OFF; "
            + "UPDATE session SET configuration_id = 999 WHERE identifier = 'B'",
    ]

    @Test(
        "R-21 whatever stands in the schema beside ours is schemaTampered",
        arguments: [
            "CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM state; END",
            "CREATE VIEW v AS SELECT 1",
            "CREATE INDEX i ON session (identifier)",
            "CREATE TABLE mine (x)",
            "CREATE TABLE _litestream_other (x)",
            "CREATE TRIGGER t AFTER INSERT ON _litestream_seq BEGIN DELETE FROM state; END",
        ])
    func tampered(_ sql: String) throws {
        let container = try TestContainer.filled()
        let raw = try RawDatabase(container.folder.file())
        if sql.contains("_litestream_seq") {
            try raw.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        }
        try raw.run(sql)
        let bytes = container.folder.bytes()
        #expect(failure { _ = try container.open() } == .schemaTampered)
        #expect(failure { _ = try container.open(.reader) } == .schemaTampered)
        #expect(container.folder.bytes() == bytes)
    }

    @Test(
        "R-21 an object of ours that is changed or missing is damage",
        arguments: [
            "ALTER TABLE session ADD COLUMN x TEXT",
            "DROP INDEX session_front",
            "DROP VIEW events",
            "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'e', 'd') "
                + "WHERE name = 'state'",
            "DROP VIEW events; CREATE TRIGGER t AFTER INSERT ON session BEGIN DELETE FROM state; END",
        ])
    func changed(_ sql: String) throws {
        let container = try TestContainer.filled()
        let raw = try RawDatabase(container.folder.file())
        try raw.run(sql)
        let bytes = container.folder.bytes()
        #expect(failure { _ = try container.open() } == .corrupt)
        #expect(failure { _ = try container.open(.reader) } == .corrupt)
        #expect(container.folder.bytes() == bytes)
    }

    @Test("R-21 the tables of known tools are tolerated by name, and VACUUM changes nothing")
    func tolerated() throws {
        let container = try TestContainer.filled()
        let raw = try RawDatabase(container.folder.file())
        try raw.run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        try raw.run("CREATE TABLE _litestream_lock (id INTEGER)")
        try raw.run("ANALYZE")
        try raw.run("VACUUM")
        let store = try container.open()
        #expect(store.openingDiagnostics.allSatisfy { $0.code == .foreignTable })
        #expect(store.openingDiagnostics.count >= 3)
        #expect(try store.openRecords().count == 3)
    }

    @Test("R-03 a log without its database is refused before SQLite can delete it")
    func orphanedLog() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        _ = try store.add("A")
        let copy = try container.snapshot()
        try FileManager.default.removeItem(atPath: copy.folder.file())
        let before = copy.contents
        #expect(failure { _ = try copy.open() } == .orphanedWAL)
        #expect(failure { _ = try copy.open(.reader) } == .orphanedWAL)
        #expect(copy.folder.bytes("scenes.sqlite-wal") == before["scenes.sqlite-wal"])
        #expect(!copy.folder.names.contains("scenes.sqlite"))
    }

    @Test("R-03 a log that is missing after an unclean end is noticed")
    func missingLog() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.close()
        store = try container.open()
        try store.save(record, activity(2))
        let copy = try container.snapshot()
        try FileManager.default.removeItem(atPath: copy.folder.file("scenes.sqlite-wal"))
        #expect(failure { _ = try copy.open() } == .corrupt)
        // After a clean end nothing is missing.
        try store.close()
        let clean = try container.snapshot()
        #expect(try clean.open().restorationActivity(key: record.key) == activity(2))
    }

    @Test("R-03 another store's log is noticed: its rows do not bear this store's identity")
    func foreignLog() throws {
        let first = TestContainer(.fail)
        let second = TestContainer(.fail)
        for container in [first, second] {
            let store = try container.open()
            let record = try store.add("A")
            try store.save(record, activity(1))
            try store.close()
        }
        let store = try second.open()
        let record = try #require(try store.record(identifier: "A"))
        try store.save(record, activity(2))
        let copy = try first.snapshot()
        let log = try #require(second.folder.bytes("scenes.sqlite-wal"))
        try copy.folder.write(log, "scenes.sqlite-wal")
        #expect(failure { _ = try copy.open() } == .orphanedWAL)
        #expect(copy.folder.bytes("scenes.sqlite-wal") == log)
        let reader = try copy.open(.reader)
        #expect(reader.openingDiagnostics.map(\.code) == [.foreignLog])
        #expect(try reader.restorationActivity(key: record.key) == activity(1))
    }

    @Test("R-23 want of memory is outOfMemory, and the next call works")
    func outOfMemory() throws {
        let container = TestContainer(.fail)
        let fault = FaultSwitch()
        let store = try container.open { $0.fault = fault.seam }
        let record = try store.add("A")
        try store.save(record, activity(1))
        for operation in [FaultSwitch.Operation.prepare, .bind, .step, .column] {
            fault.arm(operation, after: 1, code: FaultSwitch.noMemory)
            var code = failure { try store.save(record, activity(2)) }
            if !fault.disarm() {
                try store.save(record, activity(1))
                fault.arm(operation, after: 1, code: FaultSwitch.noMemory)
                code = failure { _ = try store.session(for: record) }
                #expect(fault.disarm() || operation == .prepare, "\(operation)")
            }
            #expect(code == .outOfMemory || (code == nil && operation == .prepare))
            #expect(try store.restorationActivity(key: record.key) == activity(1))
        }
        #expect(store.takeDiagnostics().isEmpty)
        #expect(try store.save(record, activity(2)))
    }

    @Test("R-23 a statement that had to touch one row and touched none is an error")
    func missingRow() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        let record = try store.add("A")
        // Behind the back of the cached row.
        try store.database.withLock { db throws(SceneStoreError) in
            try db.connection.run(text: "DELETE FROM session")
            db.connection.noteOwnChanges()
        }
        #expect(failure { try store.save(record, activity(1)) } == .corrupt)
    }

    @Test("R-24 a discard leaves a tombstone that outlives the session's row")
    func tombstones() throws {
        let clock = TestClock()
        let store = try SceneSessionStore.memory(clock: clock)
        let record = try store.add("A")
        try store.discard([record.key], cause: .user, deliveredNow: true)
        try store.discards.mark([record.key], .delivered)
        // What was closed last stays.
        let last = try store.add("C")
        try store.discard([last.key], cause: .user, deliveredNow: true)
        clock.advance(15 * 86_400_000)
        while try store.upkeep.perform(budgetMilliseconds: 100) {}
        #expect(try store.record(key: record.key) == nil)
        let tombstones = try store.database.withLock { db throws(SceneStoreError) in
            try db.tombstone(record.key)
        }
        #expect(tombstones?.identifier == "A")
        // Nothing is ever numbered like it again.
        #expect(try store.add("B").key > record.key)
    }

    @Test("R-25 a row of wrong types or mad numbers is isolated", arguments: hostileRows)
    func hostileRow(_ sql: String) throws {
        let container = try TestContainer.filled()
        try RawDatabase(container.folder.file()).run(sql)
        let store = try container.open()
        #expect(try store.openRecords().map(\.identifier) == ["C", "A"])
        #expect(store.takeDiagnostics().contains { $0.code == .damagedRow })
        while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
        #expect(try store.openRecords().map(\.identifier) == ["C", "A"])
        #expect(try store.openCount() == 2)
        _ = try store.launch()
    }

    @Test("R-25 mad numbers with a checksum that fits are no crash either")
    func sealedHostileRow() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A")
        for change: @Sendable (inout SessionRow) -> Void in [
            { $0.stateID = .max }, { $0.stateID = .min }, { $0.crashCount = .max },
            { $0.recency = .min }, { $0.configurationID = .max }, { $0.conditionsID = 77 },
            { $0.lastActiveAt = .min },
            { $0.flags = SessionFlags(rawValue: 0b1111_0010_0011_1110_1111) },
        ] {
            try store.database.withLock { db throws(SceneStoreError) in
                let session = try db.knownSession(record.key)
                try db.connection.run(text: "PRAGMA foreign_keys = OFF")
                try db.write(.normal) { transaction throws(SceneStoreError) in
                    try transaction.updateRow(session, SessionRow.description.update, change)
                }
                db.caches = StoreCaches()
            }
            let found = try #require(try store.openRecords().first)
            _ = try store.session(for: found)
            _ = try store.history.versions(key: found.key)
            _ = try store.saveContext(key: found.key)
            _ = try store.read { skeleton throws(SceneStoreError) in
                try skeleton.recordsWithConditions()
            }
            try store.launches.setRestoring(key: found.key)
            _ = try store.launch()
            _ = try? store.save(found, activity(1))
        }
    }

    @Test(
        "R-25 a store opens beside a lock with a number that no store reaches", arguments: [0, 1])
    func absurdLock(more: Int64) throws {
        let container = TestContainer()
        let folder = try container.closed(holding: "A")
        do {
            var lock = try OwnerLock.acquire(folder)
            try lock.record(epoch: (1 << 53) + more)
        }
        for _ in 0..<2 {
            let store = try container.open()
            #expect(try store.openRecords().map(\.identifier) == ["A"])
            try store.close()
        }
    }

    @Test("R-25 duplicates without their index are isolated or refused, never a crash")
    func duplicates() throws {
        let container = try TestContainer.filled()
        let raw = try RawDatabase(container.folder.file())
        try raw.run(
            "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema "
                + "WHERE name = 'session_identifier'; PRAGMA writable_schema = RESET; "
                + "UPDATE session SET identifier = 'A'")
        #expect(failure { _ = try container.open() } == .corrupt)
    }

    @Test("S-10 R-04 at the limit of open files opening says so, and opens once there is room")
    func tooManyFiles() async {
        await #expect(processExitsWith: .success) {
            let container = TestContainer(.fail)
            try container.open().close()
            var limit = rlimit()
            let resource = {
                #if canImport(Glibc)
                    __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
                #else
                    RLIMIT_NOFILE
                #endif
            }()
            getrlimit(resource, &limit)
            // What this process inherited is in the way, and leaves gaps.
            let highest = (0..<4_096).last { fcntl($0, F_GETFD) != -1 } ?? 2
            for _ in 0...highest where dup(0) > highest {
                break
            }
            let lowest = dup(0)
            close(lowest)
            for access in [SceneSessionStore.Access.owner, .editor, .reader] {
                var codes: [SceneStoreError.Code?] = []
                for room in 0..<60 {
                    var few = limit
                    few.rlim_cur = rlim_t(Int(lowest) + room)
                    setrlimit(resource, &few)
                    let code = failure { try container.open(access).close() }
                    setrlimit(resource, &limit)
                    codes.append(code)
                }
                // Too few, and enough.
                let opened = codes.firstIndex(of: nil) ?? codes.endIndex
                #expect(opened > 0 && opened < codes.endIndex)
                #expect(codes[..<opened].allSatisfy { $0 == .tooManyFiles }, "\(access)")
                #expect(codes[opened...].allSatisfy { $0 == nil }, "\(access)")
            }
        }
    }
}
