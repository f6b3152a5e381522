import SceneStoreCSQLite
import SceneStoreSQLite
import Testing

@Suite struct StatementTests {
    static let table = "CREATE TABLE a (k INTEGER PRIMARY KEY, v ANY) STRICT;"

    @Test("R-23 what is bound comes back as it was")
    func roundTrip() throws {
        let connection = try memory(Self.table)
        let bytes: [UInt8] = [0, 1, 255]
        try bytes.withUnsafeBytes { raw in
            try connection.withStatement("INSERT INTO a VALUES (:k, :v), (2, ?3), (3, ?4)") {
                s throws(SQLiteError) in
                try s.bind(1, 1 as Int64)
                try s.bind(2, "zero \0 and é")
                try s.bind(3, -1.5)
                try s.bind(4, raw)
                try s.run()
            }
        }
        try connection.withStatement("SELECT v FROM a ORDER BY k") { s throws(SQLiteError) in
            #expect(try s.step() == true)
            #expect(try s.text(at: 0) == "zero \0 and é")
            #expect(try s.step() == true)
            #expect(try s.real(at: 0) == -1.5)
            #expect(try s.step() == true)
            #expect(try s.blobCopy(at: 0) == bytes)
            #expect(try s.step() == false)
        }
    }

    @Test("R-23 texts of any length come back, more than a statement has room for, and again")
    func manyTexts() throws {
        let connection = try memory(Self.table)
        let insert: StatementText = "INSERT INTO a VALUES (?1, ?2), (?1 + 1, ?3), (?1 + 2, ?4)"
        var all: [String] = []
        for length in [0, 1, 15, 16, 31, 32, 33, 95, 96, 97, 5_000, 2, 40] {
            let texts = ["a", "\0", "é"].map { String(repeating: $0, count: length) }
            try connection.withStatement(insert) { s throws(SQLiteError) in
                try s.bind(1, Int64(all.count))
                for (place, text) in texts.enumerated() {
                    // What is bound anew counts, and the other texts stay.
                    try s.bind(Int32(place + 2), "another text")
                    try s.bind(Int32(place + 2), text)
                }
                try s.run()
            }
            all += texts
        }
        try connection.withStatement("SELECT v FROM a ORDER BY k") { s throws(SQLiteError) in
            for text in all {
                #expect(try s.step() == true)
                #expect(try s.text(at: 0) == text)
            }
        }
    }

    @Test("R-23 nothing is not NULL: empty text and empty bytes keep their types")
    func emptyValues() throws {
        let connection = try memory(Self.table)
        try connection.withStatement("INSERT INTO a VALUES (1, ?1), (2, ?2), (3, ?3)") {
            s throws(SQLiteError) in
            try s.bind(1, "")
            try s.bind(2, UnsafeRawBufferPointer(start: nil, count: 0))
            try s.bindNull(3)
            try s.run()
        }
        try connection.withStatement("SELECT v FROM a ORDER BY k") { s throws(SQLiteError) in
            #expect(try s.step() == true)
            #expect(s.columnType(at: 0) == .text)
            #expect(try s.text(at: 0) == "")
            #expect(try s.step() == true)
            #expect(s.columnType(at: 0) == .blob)
            #expect(try s.blob(at: 0).count == 0)
            #expect(try s.step() == true)
            #expect(s.isNull(at: 0) == true)
            #expect(try s.optionalText(at: 0) == nil)
        }
    }

    @Test("R-25 a value of another type than asked for is an error that names the column")
    func wrongTypes() throws {
        let connection = try memory(
            Self.table + "INSERT INTO a VALUES (1, 7), (2, 1.5), (3, 'x'), (4, x'00'), (5, NULL);")
        try connection.withStatement("SELECT v FROM a ORDER BY k") { s throws(SQLiteError) in
            for expected in [ColumnType.integer, .real, .text, .blob, .null] {
                #expect(try s.step() == true)
                #expect(s.columnType(at: 0) == expected)
                #expect((sqliteKind { try s.integer(at: 0) } == nil) == (expected == .integer))
                #expect((sqliteKind { try s.real(at: 0) } == nil) == (expected == .real))
                #expect((sqliteKind { try s.text(at: 0) } == nil) == (expected == .text))
                #expect((sqliteKind { try s.blobCopy(at: 0) } == nil) == (expected == .blob))
                #expect(sqliteKind { try s.boolean(at: 0) } == .wrongType)
                // Beyond the last column there is nothing either.
                #expect(sqliteKind { try s.integer(at: 1) } == .wrongType)
                #expect(sqliteKind { try s.integer(at: -1) } == .wrongType)
            }
        }
    }

    @Test("R-25 text that is not UTF-8 is an error, and its bytes can still be had")
    func invalidText() throws {
        let connection = try memory("CREATE TABLE a (v TEXT NOT NULL) STRICT;")
        // Mended, the second one would have as many bytes as before.
        try connection.run(
            "INSERT INTO a VALUES (CAST(x'61ff' AS TEXT)), (CAST(x'f09f98' AS TEXT))")
        try connection.withStatement("SELECT v FROM a") { s throws(SQLiteError) in
            #expect(try s.step() == true)
            #expect(sqliteKind { try s.text(at: 0) } == .invalidText)
            #expect(Array(try s.textBytes(at: 0)) == [0x61, 0xff])
            #expect(try s.step() == true)
            #expect(sqliteKind { try s.text(at: 0) } == .invalidText)
        }
    }

    @Test("R-23 a bind that fails keeps the statement from running")
    func failedBind() throws {
        let fault = Fault()
        let connection = try memory(
            Self.table + "INSERT INTO a VALUES (1, 1), (2, 2);", fault: fault.seam)
        fault.arm(.bind, SQLITE_NOMEM)
        let failure = error(SQLiteError.self) {
            try connection.withStatement("DELETE FROM a WHERE k = :k OR :k IS NULL") {
                s throws(SQLiteError) in
                try s.bind(1, 1 as Int64)
                try s.run()
            }
        }
        #expect(failure?.kind == .outOfMemory)
        #expect(try connection.integer("SELECT count(*) FROM a") == 2)
    }

    @Test("R-23 a column that could not be had is out of memory, not empty")
    func failedColumn() throws {
        let fault = Fault()
        let connection = try memory(
            Self.table + "INSERT INTO a VALUES (1, 'text'), (2, x'0102');", fault: fault.seam)
        try connection.withStatement("SELECT v FROM a ORDER BY k") { s throws(SQLiteError) in
            #expect(try s.step() == true)
            fault.arm(.column, SQLITE_NOMEM)
            #expect(sqliteKind { try s.text(at: 0) } == .outOfMemory)
            #expect(try s.text(at: 0) == "text")
            #expect(try s.step() == true)
            fault.arm(.column, SQLITE_NOMEM)
            #expect(sqliteKind { try s.blobCopy(at: 0) } == .outOfMemory)
        }
    }

    @Test("R-23 a statement that has to change one row and changes none or two is an error")
    func oneRow() throws {
        let connection = try memory(Self.table + "INSERT INTO a VALUES (1, 1), (2, 2);")
        func update(_ sql: StatementText) -> SQLiteError.Kind? {
            sqliteKind {
                try connection.withStatement(sql) { s throws(SQLiteError) in
                    try s.runChanging()
                }
            }
        }
        #expect(update("UPDATE a SET v = 3 WHERE k = 1") == nil)
        #expect(update("UPDATE a SET v = 3 WHERE k = 9") == .unexpectedChangeCount)
        #expect(update("UPDATE a SET v = 3") == .unexpectedChangeCount)
        #expect(update("INSERT OR IGNORE INTO a VALUES (1, 1)") == .unexpectedChangeCount)
        // The count of an earlier statement must not stand for this one's.
        #expect(update("SELECT 1") == .misuse)
    }

    @Test("R-23 an error while resetting is reported")
    func failedReset() throws {
        let fault = Fault()
        let connection = try memory(Self.table, fault: fault.seam)
        fault.arm(.reset, SQLITE_IOERR)
        #expect(sqliteKind { try connection.run("INSERT INTO a VALUES (1, 1)") } == .ioError)
    }

    @Test("R-23 statements are compiled once and their bindings don't stay")
    func cache() throws {
        let fault = Fault()
        let connection = try memory(Self.table, fault: fault.seam)
        func insert(_ key: Int64, _ value: Int64?) throws {
            try connection.withStatement("INSERT INTO a VALUES (?1, ?2)") {
                s throws(SQLiteError) in
                try s.bind(1, key)
                if let value { try s.bind(2, value) }
                try s.run()
            }
        }
        try insert(1, 10)
        let compiled = fault.count(.prepare)
        for key in 2...50 as ClosedRange<Int64> { try insert(key, nil) }
        #expect(fault.count(.prepare) == compiled)
        #expect(try connection.integer("SELECT count(v) FROM a") == 1)
    }

    @Test("R-23 a statement in use is not in the cache: the same text inside gets another")
    func nestedUse() throws {
        let connection = try memory(Self.table + "INSERT INTO a VALUES (1, 1), (2, 2), (3, 3);")
        var seen: [Int64] = []
        func each(_ body: (Int64) throws(SQLiteError) -> Void) throws(SQLiteError) {
            try connection.withStatement("SELECT k FROM a ORDER BY k") { s throws(SQLiteError) in
                while try s.step() { try body(s.integer(at: 0)) }
            }
        }
        try each { outer throws(SQLiteError) in
            try each { inner throws(SQLiteError) in seen.append(outer * 10 + inner) }
        }
        #expect(seen == [11, 12, 13, 21, 22, 23, 31, 32, 33])
    }

    @Test("R-23 a failed statement is usable again, and the error names it without its values")
    func failureAndMessage() throws {
        let connection = try memory("CREATE TABLE a (v TEXT NOT NULL UNIQUE) STRICT;")
        func insert(_ text: String) throws(SQLiteError) {
            try connection.withStatement("INSERT INTO a VALUES (:secret)") {
                s throws(SQLiteError) in
                try s.bind(1, text)
                try s.run()
            }
        }
        try insert("canary-4711")
        let failure = error(SQLiteError.self) { try insert("canary-4711") }
        #expect(failure?.kind == .constraint)
        #expect(failure?.code == SQLITE_CONSTRAINT | 8 << 8)
        #expect(failure?.description.contains("INSERT INTO a VALUES (:secret)") == true)
        #expect(failure?.description.contains("canary") == false)
        try insert("other")
        #expect(try connection.integer("SELECT count(*) FROM a") == 2)
    }

    @Test(
        "R-23 a text that is not exactly one statement is refused",
        arguments: ["", "-- nothing", "SELECT 1; SELECT 2", "SELECT", "SELECT 1\0; DROP"])
    func notOneStatement(sql: String) throws {
        let connection = try memory()
        let kind = sqliteKind {
            try connection.withStatement(text: sql) { s throws(SQLiteError) in try s.run() }
        }
        #expect(kind == .invalidStatement)
    }

    @Test("R-23 a parameter that does not exist is an error")
    func unknownParameters() throws {
        let connection = try memory()
        try connection.withStatement("SELECT :a") { s throws(SQLiteError) in
            #expect(sqliteKind { try s.bind(2, 1 as Int64) } == .misuse)
            #expect(sqliteKind { try s.bind(0, "x") } == .misuse)
        }
    }

    @Test("R-23 bytes are bound without a copy and read without one")
    func noCopies() throws {
        let connection = try memory(Self.table)
        let large = [UInt8](repeating: 0xa5, count: 4 << 20)
        try large.withUnsafeBytes { raw in
            try connection.withStatement("INSERT INTO a VALUES (1, ?1)") {
                s throws(SQLiteError) in
                try s.bind(1, raw)
                try s.runChanging()
            }
        }
        let sum = try connection.withStatement("SELECT v FROM a") { s throws(SQLiteError) in
            try s.step() ? try s.blob(at: 0).reduce(0) { $0 &+ Int($1) } : 0
        }
        #expect(sum == large.count * 0xa5)
    }

    @Test("R-23 a script runs whole; an error names the statement by its number")
    func scripts() throws {
        let connection = try memory()
        try connection.execute(
            script: "CREATE TABLE a (x) ; -- one\n/* two */ INSERT INTO a VALUES (1);\n\n",
            named: "0001_a.sql")
        #expect(try connection.integer("SELECT x FROM a") == 1)
        let failure = error(SQLiteError.self) {
            try connection.execute(
                script: "INSERT INTO a VALUES (2); INSERT INTO b VALUES (1);",
                named: "0002_b.sql")
        }
        #expect(failure?.message.hasPrefix("statement 2 of 0002_b.sql: no such table") == true)
        #expect(
            sqliteKind { try connection.execute(script: "SELECT 1;\0", named: "zero") }
                == .invalidStatement)
    }

    @Test("S-62 a statement stops when its budget is spent")
    func budgets() throws {
        let connection = try memory()
        let endless: StatementText = """
            WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n)
            SELECT count(*) FROM n
            """
        #expect(
            sqliteKind {
                try connection.withBudget(Budget(instructions: 100_000)) {
                    () throws(SQLiteError) in try connection.integer(endless)
                }
            } == .budgetExceeded)
        #expect(
            sqliteKind {
                try connection.withBudget(Budget(duration: .milliseconds(5))) {
                    () throws(SQLiteError) in try connection.integer(endless)
                }
            } == .budgetExceeded)
        #expect(
            sqliteKind {
                try connection.withBudget(Budget(instructions: 100_000)) {
                    () throws(SQLiteError) in
                    _ = try connection.check(budget: Budget())
                    // The outer budget goes on after an inner one.
                    _ = try connection.integer(endless)
                }
            } == .budgetExceeded)
        // Without a budget there is none left over.
        #expect(
            try connection.integer(
                """
                WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 200000)
                SELECT count(*) FROM n
                """) == 200_000)
    }

    @Test("R-23 every call failed once: out of memory is out of memory, and the next run works")
    func everyCallFails() throws {
        let fault = Fault()
        let connection = try memory(
            Self.table + "INSERT INTO a VALUES (1, x'00');", fault: fault.seam)
        func save(_ value: Int64) throws(SQLiteError) {
            try connection.write { transaction throws(SQLiteError) in
                try transaction.withStatement("UPDATE a SET v = ?2 WHERE k = ?1") {
                    s throws(SQLiteError) in
                    try s.bind(1, 1 as Int64)
                    try s.bind(2, value)
                    try s.runChanging()
                }
            }
        }
        func value() throws -> Int64? { try connection.integer("SELECT v FROM a") }
        try save(0)
        var call = 1
        var failures = 0
        while true {
            fault.arm(nil, SQLITE_NOMEM, call: call)
            let before = try #require(try quietly(fault) { try value() })
            fault.arm(nil, SQLITE_NOMEM, call: call)
            let kind = sqliteKind { try save(before + 1) }
            guard fault.hasFired else {
                #expect(kind == nil)
                break
            }
            failures += 1
            #expect(kind == .outOfMemory, "call \(call)")
            #expect(try quietly(fault) { try value() } == before, "call \(call)")
            #expect(!connection.isInTransaction)
            #expect(throws: Never.self) { try quietly(fault) { try save(before + 1) } }
            call += 1
        }
        #expect(failures >= 6)
    }

    private func quietly<R>(_ fault: Fault, _ body: () throws -> R) throws -> R {
        fault.disarm()
        return try body()
    }
}
