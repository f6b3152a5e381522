import SceneStoreCSQLite
import SceneStoreSQLite
import Testing

@Suite struct TransactionTests {
    static let table = "CREATE TABLE a (x INTEGER NOT NULL) STRICT;"

    struct Stop: SQLiteErrorConvertible, Equatable {
        var kind: SQLiteError.Kind?

        init() {}
        init(_ error: SQLiteError) { kind = error.kind }
    }

    @Test("S-21 a transaction that throws changes nothing, with the body's own error")
    func rollsBack() throws {
        let connection = try memory(Self.table)
        let failure = error(Stop.self) {
            try connection.write { transaction throws(Stop) in
                try transaction.withStatement("INSERT INTO a VALUES (1)") { s throws(Stop) in
                    guard (try? s.step()) == false else { return }
                    throw Stop()
                }
            }
        }
        #expect(failure == Stop())
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT count(*) FROM a") == 0)
    }

    @Test("S-21 a failure of SQLite arrives as the body's error type")
    func translates() throws {
        let fault = Fault()
        let connection = try memory(Self.table, fault: fault.seam)
        fault.arm(.commit, SQLITE_FULL)
        let failure = error(Stop.self) {
            try connection.write { _ throws(Stop) in }
        }
        #expect(failure?.kind == .diskFull)
    }

    @Test("S-21 a transaction can't begin another one")
    func noNesting() throws {
        let connection = try memory(Self.table)
        try connection.write { transaction throws(SQLiteError) in
            try transaction.run("INSERT INTO a VALUES (1)")
            #expect(sqliteKind { try connection.write { _ throws(SQLiteError) in } } == .misuse)
            #expect(sqliteKind { try connection.read { _ throws(SQLiteError) in } } == .misuse)
        }
        #expect(try connection.integer("SELECT count(*) FROM a") == 1)
    }

    @Test("S-21 a reading transaction writes nothing")
    func readingOnly() throws {
        let connection = try memory(Self.table)
        let kind = sqliteKind {
            try connection.read { transaction throws(SQLiteError) in
                try transaction.run("INSERT INTO a VALUES (1)")
            }
        }
        #expect(kind == .misuse)
        #expect(try connection.integer("SELECT count(*) FROM a") == 0)
    }

    @Test(
        "S-21 a commit that fails leaves no transaction and no change, and the next one works",
        arguments: [SQLITE_FULL, SQLITE_BUSY, SQLITE_IOERR, SQLITE_NOMEM])
    func failedCommit(code: Int32) throws {
        let fault = Fault()
        let connection = try memory(Self.table, fault: fault.seam)
        func insert() throws(SQLiteError) {
            try connection.write { transaction throws(SQLiteError) in
                try transaction.run("INSERT INTO a VALUES (1)")
            }
        }
        fault.arm(.commit, code)
        #expect(error(SQLiteError.self) { try insert() }?.code == code)
        #expect(!connection.isInTransaction)
        try insert()
        #expect(try connection.integer("SELECT count(*) FROM a") == 1)
    }

    @Test("S-21 a transaction that SQLite ended by itself is not reported as committed")
    func lostTransaction() throws {
        let connection = try memory(Self.table)
        let kind = sqliteKind {
            try connection.write { transaction throws(SQLiteError) in
                try transaction.run("INSERT INTO a VALUES (1)")
                try transaction.run("ROLLBACK")
            }
        }
        #expect(kind == .transactionLost)
        #expect(try connection.integer("SELECT count(*) FROM a") == 0)
    }

    @Test("R-04 after a failed sync nothing is written or checkpointed any more, reading goes on")
    func failedSync() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let fault = Fault()
        let connection = try owner(folder, file, fault: fault.seam)
        try connection.execute(script: Self.table, named: "the table")
        fault.arm(.commit, SQLITE_IOERR | 4 << 8)
        func insert() throws(SQLiteError) {
            try connection.write { transaction throws(SQLiteError) in
                try transaction.run("INSERT INTO a VALUES (1)")
            }
        }
        #expect(sqliteKind { try insert() } == .syncFailed)
        #expect(connection.isPoisoned)
        #expect(sqliteKind { try insert() } == .poisoned)
        #expect(sqliteKind { try connection.run("INSERT INTO a VALUES (1)") } == .poisoned)
        #expect(
            sqliteKind { try connection.execute(script: "DELETE FROM a;", named: "x") }
                == .poisoned)
        #expect(sqliteKind { try connection.checkpoint(.truncate) } == .poisoned)
        #expect(try connection.integer("SELECT count(*) FROM a") == 0)
        let before = read(folder.storePath)
        try connection.close()
        // The close would have copied the log into the database and removed it.
        #expect(read(folder.storePath) == before)
        #expect(try folder.status(of: ContainerName.log)?.size ?? 0 > 0)
    }

    @Test("R-04 a failed sync in a checkpoint poisons, too")
    func failedCheckpoint() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let fault = Fault()
        let connection = try owner(folder, file, fault: fault.seam)
        fault.arm(.checkpoint, SQLITE_IOERR | 4 << 8)
        #expect(sqliteKind { try connection.checkpoint(.passive) } == .syncFailed)
        #expect(connection.isPoisoned)
    }

    @Test("S-20 the durability asked for is the one in force when the commit happens")
    func durability() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        #expect(connection.durability == .full)
        try connection.execute(script: Self.table, named: "the table")
        for wanted in [Synchronous.normal, .full, .normal, .normal, .full] {
            try connection.write(wanted) { transaction throws(SQLiteError) in
                try transaction.run("INSERT INTO a VALUES (1)")
            }
            #expect(connection.durability == wanted)
            #expect(try connection.pragma("PRAGMA synchronous") == wanted.rawValue)
        }
        try connection.write { _ throws(SQLiteError) in
            #expect(sqliteKind { try connection.setSynchronous(.normal) } == .misuse)
        }
        #expect(try connection.pragma("PRAGMA synchronous") == Synchronous.full.rawValue)
    }

    @Test("S-14 a database in memory takes the same calls")
    func memoryDatabase() throws {
        let connection = try memory(Self.table)
        for wanted in [Synchronous.full, .normal] {
            try connection.write(wanted) { transaction throws(SQLiteError) in
                try transaction.run("INSERT INTO a VALUES (1)")
            }
        }
        try connection.setSecureDelete(true)
        #expect(
            try connection.read { _ throws(SQLiteError) in
                try connection.integer("SELECT count(*) FROM a")
            } == 2)
    }

    @Test("R-23 pragmas are prepared anew each time: a cached one would answer the old mode")
    func pragmasAreNotCached() throws {
        let fault = Fault()
        let connection = try memory(fault: fault.seam)
        _ = try connection.pragma("PRAGMA synchronous")
        let before = fault.count(.prepare)
        for _ in 0..<3 { _ = try connection.pragma("PRAGMA synchronous") }
        #expect(fault.count(.prepare) == before + 3)
    }

    @Test("S-70 deleted rows are overwritten when asked")
    func secureDelete() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.execute(
            script: "CREATE TABLE b (x TEXT NOT NULL) STRICT;", named: "the table")
        for (isOn, stays) in [(false, true), (true, false)] {
            try connection.setSecureDelete(isOn)
            #expect(connection.secureDelete == isOn)
            try connection.run("INSERT INTO b VALUES ('canary-in-the-row')")
            _ = try connection.checkpoint(.truncate)
            try connection.run("DELETE FROM b")
            _ = try connection.checkpoint(.truncate)
            let text = String(decoding: read(folder.storePath), as: UTF8.self)
            #expect(text.contains("canary-in-the-row") == stays)
        }
    }

    @Test("R-01 nothing checkpoints by itself; the owner's call does, and says how far")
    func checkpoints() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.execute(
            script: "CREATE TABLE b (x BLOB NOT NULL) STRICT;", named: "the table")
        for _ in 0..<3 { try connection.run("INSERT INTO b VALUES (randomblob(3000000))") }
        #expect(connection.walFrames > 2_000)
        #expect(try folder.status(of: ContainerName.store)?.size == 4_096)
        var reader = Connection.Options(.reader)
        reader.identity = file.identity
        let other = try Connection(path: folder.storePath, options: reader)
        try other.read { _ throws(SQLiteError) in
            #expect(try other.integer("SELECT count(*) FROM b") == 3)
            try connection.run("DELETE FROM b")
            let blocked = try connection.checkpoint(.passive)
            #expect(!blocked.isComplete)
        }
        #expect(sqliteKind { try other.checkpoint(.passive) } == .misuse)
        try other.close()
        let result = try connection.checkpoint(.truncate)
        #expect((connection.walFrames, result.isComplete, result.isBlocked) == (0, true, false))
        #expect(try folder.status(of: ContainerName.log)?.size == 0)
        try connection.close()
        #expect(try folder.entries().map(\.name) == [ContainerName.store])
    }

    @Test("R-01 a reader's close leaves log and database as they are")
    func readerLeavesEverything() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.execute(
            script: Self.table + "INSERT INTO a VALUES (1);", named: "the table")
        // Within one process the index in shared memory is one, so it is not compared here.
        let files = [ContainerName.store, ContainerName.log]
        let before = files.map { read("\(folder.path)/\($0)") }
        var options = Connection.Options(.reader)
        options.identity = file.identity
        do {
            let reader = try Connection(path: folder.storePath, options: options)
            #expect(try reader.integer("SELECT x FROM a") == 1)
            #expect(
                sqliteKind { try reader.write { _ throws(SQLiteError) in } } == .readOnly)
            #expect(sqliteKind { try reader.run("INSERT INTO a VALUES (2)") } == .readOnly)
            try reader.close()
        }
        #expect(files.map { read("\(folder.path)/\($0)") } == before)
        try connection.write { transaction throws(SQLiteError) in
            try transaction.run("INSERT INTO a VALUES (2)")
        }
    }

    @Test("R-07 a backup is a whole copy, with what was written meanwhile")
    func backup() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        try connection.execute(
            script: """
                CREATE TABLE b (k INTEGER PRIMARY KEY, x BLOB NOT NULL) STRICT;
                INSERT INTO b VALUES (1, randomblob(400000));
                """, named: "the table")
        let backups = try folder.folder(ContainerName.backups, createsMissing: true)
        let output = try AtomicFile(in: backups, name: "one.sqlite")
        let target = try Connection(path: output.temporaryPath, options: .init(.scratch))
        var steps = 0
        try connection.backup(to: target, pagesPerStep: 10) { done, total in
            steps += 1
            if steps == 3 {
                #expect(throws: Never.self) {
                    try connection.run("INSERT INTO b VALUES (2, x'00')")
                }
            }
            return done <= total
        }
        try target.close()
        try output.commit()
        #expect(steps > 5)
        let copy = try Connection(
            path: "\(backups.path)/one.sqlite", options: .init(.immutable))
        #expect(try copy.integer("SELECT count(*) FROM b") == 2)
        #expect(try copy.pragma("PRAGMA application_id") == Int64(applicationID))
        #expect(try copy.check(budget: Budget()).problems == [])
        #expect(try backups.entries().map(\.name) == ["one.sqlite"])
    }

    @Test("R-07 a backup that is given up or fails says so")
    func failedBackup() throws {
        let fault = Fault()
        let connection = try memory(Self.table, fault: fault.seam)
        let target = try memory()
        #expect(
            sqliteKind { try connection.backup(to: target, pagesPerStep: 1) { _, _ in false } }
                == .interrupted)
        fault.arm(.backup, SQLITE_NOMEM, call: 2)
        #expect(sqliteKind { try connection.backup(to: target) } == .outOfMemory)
        fault.arm(.backup, SQLITE_BUSY, call: 2)
        #expect(throws: Never.self) { try connection.backup(to: target) }
    }

    @Test("S-61 a check finds damaged pages, table by table, within its budget")
    func check() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        var connection = try owner(folder, file)
        try connection.execute(
            script: """
                CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT NOT NULL) STRICT;
                CREATE TABLE b (x INTEGER PRIMARY KEY) STRICT;
                WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 5000)
                INSERT INTO a SELECT i, 'some text for the row' FROM n;
                """, named: "the tables")
        let root = try #require(
            try connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'a'"))
        let report = try connection.check(budget: Budget())
        #expect(report.problems.isEmpty && report.isComplete)
        #expect(try connection.check(table: "a", budget: Budget()).problems == [])
        #expect(
            try connection.check(budget: Budget(instructions: 1_000, interval: 100))
                .isComplete == false)
        _ = try connection.checkpoint(.truncate)
        try connection.close()
        write([0xff, 0xff, 0xff], to: folder.storePath, at: Int(root - 1) * 4_096)
        connection = try owner(folder, file)
        #expect(try connection.check(table: "a", budget: Budget()).problems != [])
        #expect(try connection.check(table: "b", budget: Budget()).problems == [])
        #expect(try connection.check(budget: Budget()).problems != [])
    }

    @Test("S-20 the counters of a connection can be read")
    func counters() throws {
        let connection = try memory(Self.table)
        try connection.run("INSERT INTO a VALUES (1), (2)")
        #expect(connection.changes == 2)
        #expect(try connection.status(SQLITE_DBSTATUS_SCHEMA_USED) > 0)
        #expect(sqliteKind { try connection.status(9_999) } != nil)
    }
}
