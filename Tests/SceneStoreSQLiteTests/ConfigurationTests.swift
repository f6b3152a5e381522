#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStoreCSQLite
import SceneStoreSQLite
import Testing

@Suite struct ConfigurationTests {
    @Test("R-20 every pragma is in force on the owner's handle")
    func pragmas() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let connection = try owner(folder, file)
        #expect(try connection.pragma("PRAGMA trusted_schema") == 0)
        #expect(try connection.pragma("PRAGMA cell_size_check") == 1)
        #expect(try connection.pragma("PRAGMA mmap_size") == 0)
        #expect(try connection.pragma("PRAGMA foreign_keys") == 1)
        #expect(try connection.pragma("PRAGMA wal_autocheckpoint") == 0)
        #expect(try connection.pragma("PRAGMA temp_store") == 2)
        #expect(try connection.pragma("PRAGMA page_size") == 4_096)
        #expect(try connection.pragma("PRAGMA synchronous") == 2)
        #expect(try connection.pragma("PRAGMA secure_delete") == 0)
        #expect(try connection.pragma("PRAGMA application_id") == Int64(applicationID))
        #expect(try connection.pragma("PRAGMA busy_timeout") == 1_000)
        #expect(try connection.pragmaText("PRAGMA journal_mode") == "wal")
        #expect(try connection.pragmaText("PRAGMA encoding") == "UTF-8")
        #expect(try connection.pragmaText("PRAGMA locking_mode") == "normal")
    }

    @Test("R-20 a setting that fails or is not in force keeps the connection from opening")
    func refusedSettings() throws {
        let counter = Fault()
        _ = try memory(fault: counter.seam)
        let calls = counter.count(.configure)
        #expect(calls > 20)
        for call in 1...calls {
            let fault = Fault()
            fault.arm(.configure, SQLITE_ERROR, call: call)
            #expect(throws: SQLiteError.self, "call \(call)") { _ = try memory(fault: fault.seam) }
            #expect(fault.hasFired)
        }
        // A call that claims success and sets nothing is found by reading back: the first one
        // turns defensive mode on, which SQLite has off.
        let fault = Fault()
        fault.arm(.configure, SQLITE_OK, call: 1)
        #expect(sqliteKind { try memory(fault: fault.seam) } == .settingRefused)
    }

    @Test("R-20 an opening that fails leaves no memory behind", arguments: [true, false])
    func failedOpenings(atOnce: Bool) async {
        await #expect(processExitsWith: .success) { [atOnce] in
            func grown() -> Int {
                var usage = rusage()
                #if canImport(Darwin)
                    getrusage(RUSAGE_SELF, &usage)
                    return usage.ru_maxrss
                #else
                    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
                    return usage.ru_maxrss * 1_024
                #endif
            }
            func fail(_ count: Int) throws {
                for _ in 0..<count {
                    let fault = Fault()
                    fault.arm(atOnce ? .open : .configure, SQLITE_ERROR)
                    try #require(sqliteKind { try memory(fault: fault.seam) } != nil)
                }
            }
            let count = atOnce ? 60_000 : 3_000
            try fail(count / 10)
            let before = grown()
            try fail(count)
            #expect(grown() - before < count * 64)
        }
    }

    @Test("R-20 the triggers of a file don't fire")
    func triggers() throws {
        let connection = try memory(
            """
            CREATE TABLE a (x INTEGER) STRICT;
            CREATE TABLE b (x INTEGER) STRICT;
            CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b VALUES (1); END;
            INSERT INTO a VALUES (7);
            """)
        #expect(try connection.integer("SELECT count(*) FROM a") == 1)
        #expect(try connection.integer("SELECT count(*) FROM b") == 0)
    }

    @Test("R-20 views answer people's own SQL and not ours")
    func views() throws {
        let script = "CREATE TABLE a (x INTEGER) STRICT; CREATE VIEW v AS SELECT 3 AS x;"
        let ours = try memory(script)
        #expect(sqliteKind { try ours.integer("SELECT x FROM v") } == .invalidStatement)
        let theirs = try memory(script, allowsViews: true)
        #expect(try theirs.integer("SELECT x FROM v") == 3)
    }

    @Test(
        "R-20 SQL that reaches out of the database is refused",
        arguments: [
            "SELECT \"text\"",
            "SELECT load_extension('x')",
            "UPDATE sqlite_schema SET sql = 'x'",
            "SELECT fts3_tokenizer('simple', x'00')",
        ])
    func refusedSQL(sql: String) throws {
        let connection = try memory("CREATE TABLE a (x INTEGER) STRICT;")
        // Asking for it changes nothing in defensive mode.
        try connection.execute(script: "PRAGMA writable_schema = ON;", named: "the request")
        #expect(throws: SQLiteError.self) {
            try connection.withStatement(text: sql) { statement throws(SQLiteError) in
                try statement.run()
            }
        }
    }

    @Test("R-20 an untrusted schema can't call functions with side effects")
    func untrustedSchema() throws {
        let connection = try memory(
            "CREATE VIEW v AS SELECT load_extension('x') AS y;", allowsViews: true)
        let failure = error(SQLiteError.self) {
            try connection.withStatement(text: "SELECT y FROM v") { s throws(SQLiteError) in
                try s.run()
            }
        }
        #expect(failure?.message.contains("unsafe use of load_extension") == true)
    }

    @Test("R-20 our own statements use no virtual tables")
    func virtualTables() throws {
        let connection = try memory()
        #expect(throws: SQLiteError.self) {
            try connection.integer("SELECT value FROM json_each('[1]')")
        }
    }

    @Test("R-20 limits bound depth, length, parameters and attached databases")
    func limits() throws {
        let connection = try memory()
        func kind(_ sql: String) -> SQLiteError.Kind? {
            sqliteKind {
                try connection.withStatement(text: sql) { s throws(SQLiteError) in try s.run() }
            }
        }
        let deep = String(repeating: "(", count: 150) + "1" + String(repeating: ")", count: 150)
        #expect(kind("SELECT " + String(repeating: "NOT ", count: 150) + "1") == .invalidStatement)
        #expect(kind("SELECT \(deep)") == .invalidStatement)
        #expect(kind("SELECT '\(String(repeating: "x", count: 300_000))'") == .tooBig)
        #expect(kind("SELECT ?251") == .invalidStatement)
        #expect(kind("SELECT length(zeroblob(70000000))") == .tooBig)
        #expect(kind("ATTACH ':memory:' AS one") == nil)
        #expect(kind("ATTACH ':memory:' AS two") == .invalidStatement)
    }

    @Test("R-20 foreign keys cascade and VACUUM works under the limits")
    func whatMustStillWork() throws {
        let connection = try memory(
            """
            CREATE TABLE parent (key INTEGER PRIMARY KEY) STRICT;
            CREATE TABLE child (
                key INTEGER PRIMARY KEY,
                parent INTEGER NOT NULL REFERENCES parent (key) ON DELETE CASCADE
            ) STRICT;
            INSERT INTO parent VALUES (1);
            INSERT INTO child VALUES (1, 1), (2, 1);
            DELETE FROM parent;
            """)
        #expect(try connection.integer("SELECT count(*) FROM child") == 0)
        #expect(
            sqliteKind { try connection.run("INSERT INTO child VALUES (3, 9)") } == .constraint)
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        let disk = try owner(folder, file)
        try disk.run("CREATE TABLE a (x INTEGER) STRICT")
        try disk.run("VACUUM")
        #expect(try disk.check(budget: Budget()).problems.isEmpty)
    }

    @Test("R-25 databases of another page size, encoding or owner are refused")
    func foreignFiles() throws {
        let scratch = try Scratch()
        func kind(_ sql: String, _ name: String) throws -> SQLiteError.Kind? {
            plainSQLite(scratch.file(name), sql + "CREATE TABLE a (x);")
            var options = Connection.Options(.owner)
            options.applicationID = applicationID
            return sqliteKind { try Connection(path: scratch.file(name), options: options) }
        }
        let mark = "PRAGMA application_id = \(applicationID);"
        #expect(try kind("PRAGMA page_size = 8192;" + mark, "pages") == .foreignFile)
        #expect(try kind("PRAGMA encoding = 'UTF-16le';" + mark, "text") == .foreignFile)
        #expect(try kind("PRAGMA application_id = 1;", "other") == .foreignFile)
        #expect(try kind(mark, "ours") == nil)
        write(Array(repeating: 0x61, count: 8_192), to: scratch.file("junk"))
        #expect(
            sqliteKind { try Connection(path: scratch.file("junk"), options: .init(.owner)) }
                == .notADatabase)
    }

    @Test("S-62 S-10 a schema that takes for ever to read runs into a budget, none of time")
    func openingBudget() throws {
        let scratch = try Scratch()
        var sql = "BEGIN;"
        for index in 0..<2_000 { sql += "CREATE TABLE t\(index) (x);" }
        plainSQLite(scratch.file("many"), sql + "COMMIT;")
        var options = Connection.Options(.owner)
        options.openingBudget = Budget(instructions: 2_000, interval: 100)
        options.pageCacheKibibytes = 64
        #expect(
            sqliteKind { try Connection(path: scratch.file("many"), options: options) }
                == .invalidStatement)
        options.openingBudget = .opening
        #expect(Budget.opening.duration == nil)
        #expect(throws: Never.self) {
            try Connection(path: scratch.file("many"), options: options)
        }
        // Or each of its rows could cost as much as one wants.
        let text = String(repeating: "x", count: 10_000)
        plainSQLite(scratch.file("long"), "CREATE VIEW v AS SELECT '\(text)'")
        #expect(
            sqliteKind { try Connection(path: scratch.file("long"), options: options) }
                == .invalidStatement)
    }

    @Test("R-60 a store can be made inside another of SQLite's file systems, by name")
    func otherFileSystems() throws {
        let scratch = try Scratch()
        var options = Connection.Options(.owner)
        options.applicationID = applicationID
        options.allowsCreation = true
        options.vfs = "no such file system"
        #expect(throws: SQLiteError.self) {
            try Connection(path: scratch.file("new"), options: options)
        }
        options.vfs = "unix-dotfile"
        // It has no shared memory, so no log either; the setting is read back.
        #expect(
            sqliteKind { try Connection(path: scratch.file("new"), options: options) }
                == .settingRefused)
        options.vfs = "unix"
        let connection = try Connection(path: scratch.file("made"), options: options)
        #expect(try connection.pragma("PRAGMA application_id") == Int64(applicationID))
        #expect(try connection.pragma("PRAGMA page_size") == 4_096)
        #expect(try connection.pragmaText("PRAGMA journal_mode") == "wal")
    }

    @Test("R-06 a file that was exchanged between the check and the opening is noticed")
    func exchangedWhileOpening() throws {
        let scratch = try Scratch()
        let (folder, file) = try scratch.store()
        // Not removed: its number could be given to the new file.
        try folder.move(ContainerName.store, to: folder, as: "moved")
        try folder.createStore(applicationID: applicationID)
        #expect(sqliteKind { try owner(folder, file) } == .moved)
    }

    @Test("R-05 SQLite itself follows no link at the store's name")
    func noLinks() throws {
        let scratch = try Scratch()
        plainSQLite(scratch.file("real"), "CREATE TABLE a (x);")
        let link = scratch.file("link")
        try #require(scratch.link(to: "real", at: "link"))
        for role in [Connection.Role.owner, .reader, .immutable] {
            #expect(throws: SQLiteError.self) {
                try Connection(path: link, options: .init(role))
            }
        }
    }

    @Test("R-09 a path with every odd character opens through a URI, too")
    func oddPaths() throws {
        let scratch = try Scratch()
        let name = "a b%20?#&é'\"\\:.db"
        plainSQLite(scratch.file(name), "CREATE TABLE a (x); INSERT INTO a VALUES (5);")
        let connection = try Connection(
            path: scratch.file(name), options: .init(.immutable))
        #expect(try connection.integer("SELECT x FROM a") == 5)
    }
}
