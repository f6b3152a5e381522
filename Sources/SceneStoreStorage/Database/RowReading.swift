import SceneStoreSQLite
import SceneStoreValues

/// Running statements.
extension Database {
    /// What a body makes of a statement that is no read of one table's rows.
    package func ask<Result>(
        _ sql: StatementText, _ body: (borrowing Statement) throws(SQLiteError) -> Result
    ) throws(SceneStoreError) -> Result {
        try connection.withStatement(sql) { statement throws(SceneStoreError) in
            do throws(SQLiteError) {
                return try body(statement)
            } catch {
                throw SceneStoreError(error)
            }
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

    fileprivate func step(_ statement: borrowing Statement) throws(SceneStoreError) -> Bool {
        do {
            return try statement.step()
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// Notes a row whose columns are of other types than its table has; throws anything else.
    fileprivate func noteUnreadable(
        _ statement: borrowing Statement, _ table: StoreTable, _ error: SQLiteError
    ) throws(SceneStoreError) {
        guard error.isOfRow else {
            throw SceneStoreError(error)
        }
        try noteDamage(statement, table, "type")
    }

    /// Notes a row that fails its checksum. SQLite reads columns that an index has from the index: if
    /// the row is whole in its own place, it is the index that is damaged.
    fileprivate func noteFailed<Row: StoredRow>(
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

    fileprivate func noteDamage(
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
        isAsked: (Row) -> Bool
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
        try first(Row.byNumber) { statement throws(SQLiteError) in
            try statement.bind(1, id)
        } isAsked: {
            $0.id == id
        }
    }

    /// Lends a row and its payload to a body, if both are whole.
    func withRow<Row: PayloadRow, Result>(
        _: Row.Type, _ id: Int64,
        _ body: (Row, UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        var result: Result?
        try each(Row.byNumber) { statement throws(SQLiteError) in
            try statement.bind(1, id)
        } _: { row, statement throws(SceneStoreError) in
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

    /// Lends the payload of a row to a body, if it is what the row says; else the row is noted as
    /// damaged and the answer is nil.
    package func withPayload<Row: PayloadRow, Result>(
        _ statement: borrowing Statement, _ row: Row,
        _ body: (UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        try withPayload(
            statement, of: Row.table, id: row.id, hash: row.contentHash, body)
    }

    package func withPayload<Result>(
        _ statement: borrowing Statement, of table: StoreTable, id: Int64, hash: Int64,
        _ body: (UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        let index = statement.columnCount - 1
        guard statement.columnType(at: index) == .blob else {
            noteDamage(table, id, "payload")
            return nil
        }
        return try statement.withBlob(at: index) {
            bytes throws(SceneStoreError) -> Result? in
            guard Database.hash(bytes) == hash else {
                noteDamage(table, id, "payload")
                return nil
            }
            return try body(bytes)
        }
    }
}

/// Binds one number.
package func number(_ number: Int64) -> (borrowing Statement) throws(SQLiteError) -> Void {
    { statement throws(SQLiteError) in try statement.bind(1, number) }
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

    /// Remembers that a row answered for another one, or didn't answer, once for each table.
    func noteMisplaced(
        _ table: StoreTable, _ id: Int64,
        _ finding: String = "was found where another one belongs"
    ) {
        guard damage.pageCheck.misplaced.insert(table).inserted else {
            return
        }
        noteDamagedPages()
        damage.diagnostics.append(
            Diagnostic(
                .pageDamage, .error,
                "row \(id) of table \(table.name) \(finding): an index or a page of the file is "
                    + "damaged", path: table.name,
                fix: "run scenestore repair"))
    }
}

extension Database {
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

/// Looking at one row again, in the place where its number says it is.
extension Database {
    /// Whether a row is there and proves itself, with its payload.
    package func isWhole<Row: StoredRow>(_: Row.Type, _ id: Int64) throws(SceneStoreError) -> Bool {
        var isWhole = false
        try each(Row.byNumber, number(id)) { row, statement throws(SceneStoreError) in
            guard row.id == id else {
                return false
            }
            isWhole = try isPayloadWhole(statement, of: row)
            return false
        }
        return isWhole
    }

    /// Whether a row's payload is what it says; also for a row without one.
    func isPayloadWhole<Row: StoredRow>(
        _ statement: borrowing Statement, of row: Row
    ) throws(SceneStoreError) -> Bool {
        guard let hash = row.payloadHash else {
            return true
        }
        return try withPayload(statement, of: Row.table, id: row.id, hash: hash) { _ in true }
            ?? false
    }
}

/// Writing rows so that the digests stay in step.
extension Database {
    /// A session's scene storage.
    package func storageRows(_ key: Int64) throws(SceneStoreError) -> [StorageRow] {
        try rows(Queries.storageValues, number(key)) { $0.sessionID == key }
    }

    /// A session's row, of this epoch; nil when there is none or it is damaged.
    package func session(_ key: Int64) throws(SceneStoreError) -> StoreCaches.Session? {
        if let session = caches[key] {
            return session
        }
        guard let row = try row(SessionRow.self, key), row.epoch == store.containerEpoch else {
            return nil
        }
        let session = StoreCaches.Session(row: row)
        caches.insert(session)
        return session
    }

    /// A session that must be there.
    package func knownSession(_ key: Int64) throws(SceneStoreError) -> StoreCaches.Session {
        guard let session = try session(key) else {
            throw SceneStoreError(.noSuchSession, "no session has the key \(key)")
        }
        return session
    }

    /// A session that must be there and be open.
    func openSession(_ key: Int64) throws(SceneStoreError) -> StoreCaches.Session {
        let session = try knownSession(key)
        guard session.row.isOpen else {
            throw SceneStoreError(
                .noSuchSession, "the session with the key \(key) was discarded; reopen it first")
        }
        return session
    }

    /// A session's states without their payloads, oldest first.
    package func states(of session: StoreCaches.Session) throws(SceneStoreError) -> [StateRow] {
        if let states = session.states {
            return states
        }
        let key = session.row.id
        let states = try rows(
            Queries.stateSlots, Database.range(of: key), isAsked: { $0.id >> 8 == key })
        session.states = states
        if session.isOlder(than: states) {
            noteOldSession(session.row)
        }
        return states
    }

    /// Remembers a row that failed its checksum, once.
    package func noteDamage(
        _ table: StoreTable, _ id: Int64, _ what: String, session: String? = nil
    ) {
        let row = DamagedRow(table: table, id: id, reason: what)
        guard damage.rows.insert(row).inserted else {
            return
        }
        damage.diagnostics.append(
            Diagnostic(
                .damagedRow, .error,
                "row \(id) of table \(table.name) fails its \(what) check and counts as absent",
                fix: "it is set aside in idle time; see the table quarantined_row",
                sessionIdentifier: session.map { SceneSession.ID($0) }))
    }
}

extension Database {
    /// Binds the numbers that belong to a session in `state` and `session_value`.
    package static func range(
        of key: Int64
    ) -> (borrowing Statement) throws(SQLiteError) -> Void {
        { statement throws(SQLiteError) in
            try statement.bind(1, key << 8)
            try statement.bind(2, key << 8 | 255)
        }
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(bitPattern: ContentHash.hash(bytes))
    }

    package static func hash(_ bytes: [UInt8]) -> Int64 {
        Int64(bitPattern: ContentHash.hash(bytes))
    }
}
