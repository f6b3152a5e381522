import SceneStoreCSQLite
import SceneStoreSQLite

/// What a function of SQL does with a blob: UTF-8 text, or nil for NULL.
final class BlobFunction: Sendable {
    let body: @Sendable (UnsafeRawBufferPointer) -> [UInt8]?

    init(_ body: @escaping @Sendable (UnsafeRawBufferPointer) -> [UInt8]?) {
        self.body = body
    }
}

extension Connection {
    /// Makes this a connection for people's own SQL: from now on a statement may read and compute
    /// and nothing else, whatever the text says.
    ///
    /// Refused, while it is compiled, are writing, attaching, transactions, temporary objects, and
    /// pragmas except those that list a schema.
    func allowReadingAlone() throws(SQLiteError) {
        try checkUsable()
        let code = sqlite3_set_authorizer(
            database,
            { _, action, name, _, _, _ in
                switch action {
                case SQLITE_PRAGMA:
                    name.map {
                        ["table_info", "table_xinfo", "table_list", "index_list"].contains(
                            String(cString: $0).lowercased())
                    } ?? false ? SQLITE_OK : SQLITE_DENY
                case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE: SQLITE_OK
                default: SQLITE_DENY
                }
            }, nil)
        guard code == SQLITE_OK else { throw failure(code, "restricting statements to reading") }
    }

    /// Adds a deterministic function of one blob that answers text or NULL. Only a statement may
    /// call it, nothing that stands in the schema of a file.
    func add(_ function: BlobFunction, named name: String) throws(SQLiteError) {
        try checkUsable()
        let code = sqlite3_create_function_v2(
            database, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(function).toOpaque(),
            { context, count, arguments in
                guard count == 1, let argument = arguments?[0],
                    sqlite3_value_type(argument) == SQLITE_BLOB,
                    let function = sqlite3_user_data(context)
                else {
                    return sqlite3_result_null(context)
                }
                let bytes = UnsafeRawBufferPointer(
                    start: sqlite3_value_blob(argument),
                    count: Int(sqlite3_value_bytes(argument)))
                let box = Unmanaged<BlobFunction>.fromOpaque(function).takeUnretainedValue()
                guard let text = box.body(bytes) else {
                    return sqlite3_result_null(context)
                }
                text.withUnsafeBufferPointer { text in
                    text.withMemoryRebound(to: CChar.self) { text in
                        scenestore_sqlite3_result_copied_text(
                            context, text.baseAddress, UInt64(text.count))
                    }
                }
            }, nil, nil,
            { function in
                if let function {
                    Unmanaged<BlobFunction>.fromOpaque(function).release()
                }
            })
        guard code == SQLITE_OK else { throw failure(code, "adding a function") }
    }
}
