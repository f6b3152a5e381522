import SceneStoreSQLite
import SceneStoreValues

/// Running statements, and reading rows that prove themselves.
extension Database {
    /// What a body makes of a statement that is no read of one table's rows.
    package func ask<Result>(
        _ sql: StatementText, _ body: (borrowing Statement) throws(SQLiteError) -> Result
    ) throws(SceneStoreError) -> Result {
        do {
            return try connection.withStatement(sql, body)
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// The first column of each row of a statement.
    package func numbers(
        _ sql: StatementText, _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) -> [Int64] {
        try ask(sql) { statement throws(SQLiteError) in
            try bind(statement)
            var numbers: [Int64] = []
            while try statement.step() {
                numbers.append(try statement.integer(at: 0))
            }
            return numbers
        }
    }

    /// Gives each whole row of a query to a body, until it answers false; damaged rows are noted
    /// and passed over.
    ///
    /// Always inlined, so that a row of the skeleton is read, checked and taken where it lies:
    /// each copy on the way to the body costs a tenth of reading it.
    @inline(__always)
    package func each<Row: StoredRow>(
        _ query: RowQuery<Row>,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void,
        _ body: (Row, borrowing Statement) throws(SceneStoreError) -> Bool
    ) throws(SceneStoreError) {
        try connection.withStatement(query.text) { statement throws(SceneStoreError) in
            do throws(SQLiteError) {
                try bind(statement)
            } catch {
                throw SceneStoreError(error)
            }
            while try step(statement) {
                let row: Row
                do throws(SQLiteError) {
                    row = try Row(statement)
                } catch {
                    try noteUnreadable(statement, Row.table, error)
                    continue
                }
                guard row.isWhole(sealer) else {
                    try noteFailed(statement, query)
                    continue
                }
                guard try body(row, statement) else {
                    return
                }
            }
        }
    }

    fileprivate func step(_ statement: borrowing Statement) throws(SceneStoreError) -> Bool {
        do {
            return try statement.step()
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// All whole rows of a query that are what it asks for.
    package func rows<Row: StoredRow>(
        _ query: RowQuery<Row>,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void,
        isAsked: (Row) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> [Row] {
        var result: [Row] = []
        try each(query, bind) { row, _ in
            if self.isAsked(isAsked(row), Row.table, row.id) {
                result.append(row)
            }
            return true
        }
        return result
    }

    /// The first whole row of a query that is what it asks for.
    package func first<Row: StoredRow>(
        _ query: RowQuery<Row>,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void,
        isAsked: (Row) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> Row? {
        var result: Row?
        try each(query, bind) { row, _ in
            guard self.isAsked(isAsked(row), Row.table, row.id) else {
                return true
            }
            result = row
            return false
        }
        return result
    }

    /// A row by its number, if it is whole.
    package func row<Row: StoredRow>(_: Row.Type, _ id: Int64) throws(SceneStoreError) -> Row? {
        try first(Row.byNumber, binding(id)) { $0.id == id }
    }

    // MARK: - Looking at one row again, in the place where its number says it is

    /// Whether a row is there and proves itself, with its payload.
    package func isWhole<Row: StoredRow>(_: Row.Type, _ id: Int64) throws(SceneStoreError) -> Bool {
        var isWhole = false
        try each(Row.byNumber, binding(id)) { row, statement throws(SceneStoreError) in
            guard row.id == id else {
                return false
            }
            isWhole = try withPayload(statement, row) { _ in true } ?? false
            return false
        }
        return isWhole
    }

    /// Binds the numbers that belong to a session in `state` and `session_value`.
    package static func range(of key: Int64) -> (borrowing Statement) throws(SQLiteError) -> Void {
        binding(key << 8, key << 8 | 255)
    }
}

extension Connection {
    /// The rows of a query before a database is made of the connection, unchecked; nil where a column
    /// is of another type than its table has.
    func uncheckedRows<Row: StoredRow>(
        _ query: RowQuery<Row>, _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) -> [Row]? {
        do {
            return try withStatement(query.text) { statement throws(SQLiteError) in
                try bind(statement)
                var rows: [Row] = []
                while try statement.step() {
                    rows.append(try Row(statement))
                }
                return rows
            }
        } catch {
            guard error.isOfRow else {
                throw SceneStoreError(error)
            }
            return nil
        }
    }
}

/// Binds some values, in their order. Inlined, so that it costs what the calls by hand would.
@inline(__always)
package func binding<each Content: ColumnContent>(
    _ content: repeat each Content
) -> (borrowing Statement) throws(SQLiteError) -> Void {
    { statement throws(SQLiteError) in
        var index: Int32 = 0
        for value in repeat each content {
            index += 1
            try value.bind(statement, at: index)
        }
    }
}

/// Holding each row against the question that found it.
///
/// A checksum proves that a row is what was written, not that it is the one that was asked for:
/// SQLite believes its indexes and interior pages, and when one of them is damaged, or a page lies
/// where another one belongs, whole rows answer for others. Such a row is not damaged and is not
/// set aside, for in its own place it is right; here it counts as absent.
extension Database {
    /// Whether a whole row is the one that was asked for; says so when it is not.
    @inline(__always)
    package func isAsked(_ isAsked: Bool, _ table: StoreTable, _ id: Int64) -> Bool {
        if isAsked {
            return true
        }
        noteMisplaced(table, id)
        return false
    }

    // MARK: - Reading rows with the bytes that they hold, which prove themselves

    /// Gives each whole row that is what a query asks for to a body, with its payload; nil for a
    /// payload that is damaged.
    package func eachWithPayload<Row: PayloadRow>(
        _ query: RowQuery<Row>,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void,
        isAsked: (Row) -> Bool = { _ in true },
        _ body: (Row, [UInt8]?) throws(SceneStoreError) -> Bool
    ) throws(SceneStoreError) {
        try each(query, bind) { row, statement throws(SceneStoreError) in
            guard self.isAsked(isAsked(row), Row.table, row.id) else {
                return true
            }
            return try body(row, try withPayload(statement, row) { Array($0) })
        }
    }

    /// Lends a row and its payload, if it has one, to a body, if both are whole.
    package func withRow<Row: StoredRow, Result>(
        _: Row.Type, _ id: Int64,
        _ body: (Row, UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        var result: Result?
        try each(Row.byNumber, binding(id)) { row, statement throws(SceneStoreError) in
            guard isAsked(row.id == id, Row.table, row.id) else {
                return true
            }
            result = try withPayload(statement, row) { bytes throws(SceneStoreError) in
                try body(row, bytes)
            }
            return false
        }
        return result
    }

    /// Lends the payload of a row to a body, none for a row without one. If it is not what the row
    /// says, the row is noted as damaged and the answer is nil.
    package func withPayload<Row: StoredRow, Result>(
        _ statement: borrowing Statement, _ row: Row,
        _ body: (UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        guard let hash = row.payloadHash else {
            return try body(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        let index = statement.columnCount - 1
        guard statement.columnType(at: index) == .blob else {
            noteDamage(Row.table, row.id, "payload")
            return nil
        }
        let bytes: UnsafeRawBufferPointer
        do { bytes = try statement.blob(at: index) } catch { throw SceneStoreError(error) }
        guard Database.hash(bytes) == hash else {
            noteDamage(Row.table, row.id, "payload")
            return nil
        }
        return try body(bytes)
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(bitPattern: ContentHash.hash(bytes))
    }

    package static func hash(_ bytes: [UInt8]) -> Int64 {
        Int64(bitPattern: ContentHash.hash(bytes))
    }

    // MARK: - Noting what is not as it was written, so that it counts as absent

    /// Whether nothing was noticed that was not told.
    var hasNothingToTell: Bool {
        damage.diagnostics.isEmpty && damage.untold.isEmpty && !connection.isIndexRestored
    }

    /// Answers what was noticed since the last call.
    func takeDiagnostics() -> [Diagnostic] {
        if connection.isIndexRestored {
            connection.isIndexRestored = false
            damage.diagnostics.append(
                Diagnostic(
                    .cutIndex, .warning,
                    "another program cut off the log's index; it was made anew from the log",
                    path: ContainerName.index, fix: "find out which program writes there"))
        }
        defer { damage.diagnostics.removeAll() }
        return damage.diagnostics
    }

    /// Notes a row whose columns are of other types than its table has; throws anything else.
    func noteUnreadable(
        _ statement: borrowing Statement, _ table: StoreTable, _ error: SQLiteError
    ) throws(SceneStoreError) {
        guard error.isOfRow else {
            throw SceneStoreError(error)
        }
        try noteDamage(statement, table, "type")
    }

    /// Notes a row that fails its checksum. SQLite reads columns that an index has from the index: if
    /// the row is whole in its own place, it is the index that is damaged.
    func noteFailed<Row: StoredRow>(
        _ statement: borrowing Statement, _ query: RowQuery<Row>
    ) throws(SceneStoreError) {
        if !query.text.isSame(as: Row.byNumber.text), statement.columnType(at: 0) == .integer {
            let id = try translating { try statement.integer(at: 0) }
            if try isWhole(Row.self, id) {
                return noteMisplaced(Row.table, id)
            }
        }
        try noteDamage(statement, Row.table, "checksum")
    }

    func noteDamage(
        _ statement: borrowing Statement, _ table: StoreTable, _ what: String
    ) throws(SceneStoreError) {
        // The first column is the row's number, an alias of the rowid, which cannot be of
        // another type.
        do {
            noteDamage(table, try statement.integer(at: 0), what)
        } catch {
            guard error.kind == .wrongType else {
                throw SceneStoreError(error)
            }
            noteDamage(table, 0, what)
        }
    }

    /// Remembers a row that failed its checksum, once.
    package func noteDamage(_ table: StoreTable, _ id: Int64, _ what: String) {
        let row = DamagedRow(table: table, id: id, reason: what)
        guard damage.rows.insert(row).inserted else {
            return
        }
        damage.diagnostics.append(
            Diagnostic(
                .damagedRow, .error,
                "row \(id) of table \(table.name) fails its \(what) check and counts as absent",
                fix: "it is set aside in idle time; see the table quarantined_row"))
    }

    /// Remembers that a row answered for another one, or didn't answer, once for each table.
    func noteMisplaced(
        _ table: StoreTable, _ id: Int64,
        _ finding: String = "was found where another one belongs"
    ) {
        if damage.pageCheck.misplaced.insert(table).inserted {
            noteDamagedPages(
                of: table,
                "row \(id) of table \(table.name) \(finding): an index or a page of the file is "
                    + "damaged")
        }
    }

    func noteDamagedPages(of table: StoreTable, _ message: String) {
        noteDamagedPages()
        damage.diagnostics.append(
            Diagnostic(
                .pageDamage, .error, message, path: table.name, fix: "run scenestore repair"))
    }

    /// Tells the next owner that pages are damaged: it salvages the store instead of opening it.
    func noteDamagedPages() {
        guard !damage.isNoted, !isReader else {
            return
        }
        damage.isNoted = true
        container.noteDamage()
    }

    /// The same, if that is what an error means.
    func noteDamagedPages(_ error: SceneStoreError) {
        if error.isOfDamage {
            noteDamagedPages()
        }
    }
}
