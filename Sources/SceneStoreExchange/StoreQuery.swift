import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// A question to a store in SQL, for people: it reads and computes, and can do nothing else.
///
/// It runs on a connection of its own beside the store's, with views on and an authorizer that
/// refuses everything but reading; the file is opened read-only as for every reader (R-09).
package struct StoreQuery: Sendable {
    /// One value of a row, as SQLite gives it.
    package enum Value: Sendable, Hashable {
        case null
        case integer(Int64)
        case real(Double)
        case text(String)
        case blob([UInt8])
    }

    /// The statement.
    package var text: String
    /// How long it may take; nil without end.
    package var timeLimit: Duration?
    /// What the function `decoded(BLOB)` answers: UTF-8 text, or nil for NULL.
    package var decoding: @Sendable (UnsafeRawBufferPointer) -> [UInt8]?
    /// Views whose columns are answered here, because the file can't know what a launch would
    /// decide, or whether a process runs.
    package var covers: [Cover] = []

    /// A view of the file with columns that are answered outside of it.
    package struct Cover: Sendable {
        /// The view, and its column that names a row.
        package var view: String
        package var key: String
        /// What a column answers for a row's key; nil for what the file's view does.
        package var columns: [String: @Sendable (String) -> String?]

        package init(
            view: String, key: String, columns: [String: @Sendable (String) -> String?]
        ) {
            self.view = view
            self.key = key
            self.columns = columns
        }
    }

    package init(
        _ text: String, timeLimit: Duration? = nil,
        decoding: @escaping @Sendable (UnsafeRawBufferPointer) -> [UInt8]?
    ) {
        self.text = text
        self.timeLimit = timeLimit
        self.decoding = decoding
    }
}

extension SceneStoreError.Code {
    /// An SQL query is malformed, or would do more than read.
    public static let invalidQuery = Self("invalidQuery")
    /// An SQL query took longer than allowed.
    public static let queryTimeout = Self("queryTimeout")
    /// The caller cancelled the query.
    public static let queryCancelled = Self("queryCancelled")
}

extension StoreQuery {
    /// Asks a store.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked often whether the answer is still wanted.
    ///   - columns: Given the names of the columns, before any row.
    ///   - row: Given each row; false ends the question.
    package func ask(
        _ store: SceneSessionStore, isCancelled: @escaping () -> Bool,
        columns: ([String]) -> Bool, row: ([Value]) -> Bool
    ) throws(SceneStoreError) {
        guard !text.utf8.contains(0) else {
            throw SceneStoreError(.invalidQuery, "the query holds a zero byte")
        }
        var isAsked = false
        do throws(SQLiteError) {
            let connection = try store.database.withLock { db throws(SQLiteError) in
                try Self.another(db.connection)
            }
            try connection.add(BlobFunction(decoding), named: "decoded")
            let budget = Budget(duration: timeLimit)
            try connection.withBudget(budget, isCancelled: isCancelled) { () throws(SQLiteError) in
                for cover in covers {
                    try Self.put(cover, in: connection)
                }
                try connection.allowReadingAlone()
                try connection.withStatement(text: text) { statement throws(SQLiteError) in
                    let indexes = 0..<statement.columnCount
                    isAsked = true
                    guard columns(indexes.map { statement.columnName(at: $0) ?? "" }) else {
                        return
                    }
                    while try statement.step() {
                        var values: [Value] = []
                        values.reserveCapacity(indexes.count)
                        for index in indexes {
                            values.append(try Self.value(statement, at: index))
                        }
                        guard row(values) else {
                            return
                        }
                    }
                }
            }
            try connection.close()
        } catch {
            throw Self.error(error, isAsked: isAsked)
        }
    }

    /// Another connection to the same database. One in memory, as of a store that was migrated or
    /// salvaged to be read, is copied.
    private static func another(_ connection: Connection) throws(SQLiteError) -> Connection {
        var options = connection.options
        options.allowsViews = true
        let other = try Connection(path: connection.path, options: options)
        if options.role == .memory {
            try connection.backup(to: other)
        }
        return other
    }

    /// Puts a view of the same name in front of the file's, with the columns that are answered here.
    private static func put(
        _ cover: Cover, in connection: Connection
    ) throws(SQLiteError) {
        let names = try connection.withStatement(text: "SELECT * FROM main.\(cover.view) LIMIT 0") {
            statement throws(SQLiteError) in
            (0..<statement.columnCount).compactMap { statement.columnName(at: $0) }
        }
        let columns = try names.map { (name) throws(SQLiteError) in
            // The file chose it.
            let quoted = "\"\(name.replacing("\"", with: "\"\""))\""
            guard let answer = cover.columns[name] else {
                return quoted
            }
            let function = "\(cover.view)_\(name)"
            try connection.add(
                BlobFunction { bytes in
                    answer(String(decoding: bytes, as: UTF8.self)).map { Array($0.utf8) }
                }, named: function)
            return "coalesce(\(function)(CAST(\(cover.key) AS BLOB)), \(quoted)) AS \(quoted)"
        }
        let select = "SELECT \(columns.joined(separator: ", ")) FROM main.\(cover.view)"
        // Of this connection alone; the file was opened to be read.
        try connection.run("PRAGMA query_only = 0")
        try connection.execute(
            script: "CREATE TEMP VIEW \(cover.view) AS \(select)", named: "a view")
        try connection.run("PRAGMA query_only = 1")
    }

    private static func value(
        _ statement: borrowing Statement, at index: Int32
    ) throws(SQLiteError) -> Value {
        switch statement.columnType(at: index) {
        case .null: return .null
        case .integer: return .integer(try statement.integer(at: index))
        case .real: return .real(try statement.real(at: index))
        case .blob: return .blob(try statement.blobCopy(at: index))
        case .text:
            // Text that is not UTF-8 is shown with marks where it is not.
            return .text(String(decoding: try statement.textBytes(at: index), as: UTF8.self))
        }
    }

    /// - Parameter isAsked: Whether the query was understood: what SQLite says before that repeats
    ///   the query, and what it says afterwards may repeat a stored value (R-41).
    private static func error(_ error: SQLiteError, isAsked: Bool) -> SceneStoreError {
        switch error.kind {
        case .invalidStatement, .misuse, .tooBig:
            guard !isAsked else {
                return SceneStoreError(
                    .invalidQuery, "a function of the query refuses a value that is stored",
                    sqliteCode: error.code == 0 ? nil : error.code)
            }
            return SceneStoreError(
                .invalidQuery, error.message, sqliteCode: error.code == 0 ? nil : error.code)
        default: return runtimeError(error)
        }
    }

    private static func runtimeError(_ error: SQLiteError) -> SceneStoreError {
        switch error.kind {
        case .permission:
            SceneStoreError(
                .invalidQuery, "the query would do more than read", sqliteCode: error.code)
        case .budgetExceeded:
            SceneStoreError(.queryTimeout, "the query took longer than it may")
        case .interrupted:
            SceneStoreError(.queryCancelled, "the query was cancelled")
        default: SceneStoreError(error)
        }
    }
}
