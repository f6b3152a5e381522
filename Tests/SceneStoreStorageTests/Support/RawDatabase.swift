import SceneStoreCSQLite

/// A database as a person with the sqlite3 shell has it: no rules of ours.
struct RawDatabase: ~Copyable {
    private let handle: OpaquePointer

    struct Failure: Error {
        var code: Int32
        var message: String
    }

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw Failure(code: code, message: "open")
        }
        handle = opened
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func run(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else {
            throw Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
        }
    }

    /// All rows, every value as text; NULL is "NULL".
    func rows(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else {
            throw Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { index in
                    sqlite3_column_text(statement, index).map { String(cString: $0) } ?? "NULL"
                })
        }
        return rows
    }

    func value(_ sql: String) throws -> String {
        try rows(sql).first?.first ?? ""
    }
}
