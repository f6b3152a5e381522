import CSQLite

/// A database of another package, which links SQLite by a module of its own.
public final class Ledger {
    private let database: OpaquePointer

    /// Opens or makes the database.
    public init(path: String) {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else { fatalError("not opened") }
        database = handle
        run("CREATE TABLE IF NOT EXISTS entry (text TEXT NOT NULL)")
    }

    deinit { sqlite3_close(database) }

    /// Adds an entry and returns how many there are.
    public func add(_ text: String) -> Int32 {
        run("INSERT INTO entry VALUES ('\(text)')")
        var statement: OpaquePointer?
        sqlite3_prepare_v2(database, "SELECT count(*) FROM entry", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        sqlite3_step(statement)
        return sqlite3_column_int(statement, 0)
    }

    private func run(_ statement: String) {
        guard sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK else {
            fatalError("not run: \(statement)")
        }
    }
}
