import SceneStoreCSQLite
import SceneStoreSQLite
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite struct FailureKindTests {
    @Test(
        "S-10 every result code has a kind that a caller can act on",
        arguments: [
            (SQLITE_BUSY, 0, SQLiteError.Kind.busy),
            (SQLITE_BUSY | 2 << 8, 0, .busy),
            (SQLITE_LOCKED, 0, .busy),
            (SQLITE_PROTOCOL, 0, .busy),
            (SQLITE_FULL, 0, .diskFull),
            (SQLITE_IOERR, ENOSPC, .diskFull),
            (SQLITE_IOERR, EDQUOT, .diskFull),
            (SQLITE_IOERR, EIO, .ioError),
            (SQLITE_IOERR | 12 << 8, 0, .outOfMemory),
            (SQLITE_IOERR | 4 << 8, EIO, .syncFailed),
            (SQLITE_IOERR | 5 << 8, EIO, .syncFailed),
            (SQLITE_NOMEM, 0, .outOfMemory),
            (SQLITE_CANTOPEN, EACCES, .permission),
            (SQLITE_CANTOPEN, EROFS, .readOnly),
            (SQLITE_CANTOPEN, EMFILE, .tooManyFiles),
            (SQLITE_CANTOPEN, 0, .cannotOpen),
            (SQLITE_READONLY, 0, .readOnly),
            (SQLITE_READONLY | 4 << 8, 0, .moved),
            // The owner of a store that is read died just now, or is opening.
            (SQLITE_READONLY | 1 << 8, 0, .busy),
            (SQLITE_READONLY | 2 << 8, 0, .busy),
            (SQLITE_READONLY | 5 << 8, 0, .busy),
            (SQLITE_CORRUPT, 0, .corrupt),
            (SQLITE_CORRUPT | 1 << 8, 0, .corrupt),
            (SQLITE_NOTADB, 0, .notADatabase),
            (SQLITE_CONSTRAINT | 8 << 8, 0, .constraint),
            (SQLITE_TOOBIG, 0, .tooBig),
            (SQLITE_INTERRUPT, 0, .interrupted),
            (SQLITE_PERM, 0, .permission),
            (SQLITE_RANGE, 0, .misuse),
        ] as [(Int32, Int32, SQLiteError.Kind)])
    func kinds(code: Int32, systemCode: Int32, kind: SQLiteError.Kind) {
        #expect(SQLiteError.Kind(code: code, systemCode: systemCode) == kind)
    }

    @Test("S-10 S-14 damage that a write meets in memory, where the journal is no file, is corrupt")
    func damageInMemory() throws {
        let fault = Fault()
        let connection = try memory("CREATE TABLE a (b);", fault: fault.seam)
        #expect(
            sqliteKind {
                try connection.write { transaction throws(SQLiteError) in
                    try transaction.run("INSERT INTO a VALUES (1)")
                    fault.arm(.step, SQLITE_CORRUPT)
                    try transaction.run("INSERT INTO a VALUES (2)")
                }
            } == .corrupt)
    }

    @Test("S-10 a file that can't be had says why")
    func openingFailures() throws {
        let scratch = try Scratch()
        #expect(
            sqliteKind { try Connection(path: scratch.file("none"), options: .init(.owner)) }
                == .cannotOpen)
        let fault = Fault()
        fault.arm(.open, SQLITE_NOMEM)
        #expect(sqliteKind { try memory(fault: fault.seam) } == .outOfMemory)
        fault.arm(.prepare, SQLITE_IOERR, call: 5)
        #expect(sqliteKind { try memory(fault: fault.seam) } == .ioError)
    }

    @Test("S-10 a handle that would not close says so and is used no more")
    func failedClose() throws {
        let fault = Fault()
        let connection = try memory(fault: fault.seam)
        fault.arm(.close, SQLITE_BUSY)
        #expect(sqliteKind { try connection.close() } == .busy)
        #expect(sqliteKind { try connection.run("SELECT 1") } == .closed)
        #expect(!connection.isInTransaction)
        #expect(connection.changes == 0)
    }

    @Test("R-41 what SQLite says about names in a file is printable and bounded")
    func messages() throws {
        let connection = try memory()
        let name = "\u{1b}[31m" + String(repeating: "é", count: 500)
        let failure = error(SQLiteError.self) {
            try connection.withStatement(text: "SELECT * FROM [\(name)]") {
                s throws(SQLiteError) in try s.run()
            }
        }
        let message = try #require(failure?.message)
        #expect(message.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
        #expect(message.utf8.count < 260)
        #expect(message.contains("no such table"))
    }
}
