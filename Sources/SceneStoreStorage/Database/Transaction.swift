import SceneStoreSQLite
import SceneStoreValues

/// What runs between BEGIN and COMMIT: the only thing that inserts, updates, deletes and notes.
///
/// One decision is one transaction: what it did is stored together, or not at all. Who reads within
/// it reads by its ``db``. It must not outlive the body that it was lent to.
package struct Transaction: ~Copyable {
    package let db: Database
    /// The transaction of SQLite's that it writes in.
    private let raw: ConnectionTransaction

    init(_ db: Database, _ raw: borrowing ConnectionTransaction) {
        self.db = db
        self.raw = raw.again()
    }

    /// The same transaction, for a type that writes by it.
    package borrowing func again() -> Transaction { Transaction(db, raw) }

    /// Lets the transaction commit even if it changes nothing, for the sync that comes with it.
    func commitAnyway() {
        db.fence.hasChanged = true
    }

    /// The store's own row, as this transaction will leave it.
    package var store: StoreRow {
        get { db.fence.row }
        nonmutating _modify {
            db.fence.hasChanged = true
            yield &db.fence.row
        }
    }

    /// Runs a statement that has to change exactly one row.
    package func run(
        _ sql: StatementText, _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) {
        db.fence.hasChanged = true
        try raw.withStatement(sql) { statement throws(SceneStoreError) in
            do throws(SQLiteError) {
                try bind(statement)
                try statement.runChanging()
            } catch {
                throw SceneStoreError(error)
            }
        }
    }

    /// Runs a statement that changes any number of rows, and answers how many.
    @discardableResult
    package func change(
        _ sql: StatementText, _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) -> Int64 {
        db.fence.hasChanged = true
        try raw.withStatement(sql) { statement throws(SceneStoreError) in
            do throws(SQLiteError) {
                try bind(statement)
                try statement.run()
            } catch {
                throw SceneStoreError(error)
            }
        }
        return raw.changes
    }

    /// Writes what goes with every commit, the store's own row last.
    func finish(_ before: StoreRow) throws(SceneStoreError) {
        try writeConfigurationCounts()
        try writeEvents()
        // A session that restores on does so through this commit, and the next commit after it ended
        // outlives the note (L-52).
        if let key = db.notedRestoring?.session,
            !db.container.note(restoring: db.restoring(key, at: store.generation))
        {
            store.restoringSession = key
        }
        // The fence: it writes the row over the one that is expected.
        let changes = try change(StoreRow.exchange.text) { statement throws(SQLiteError) in
            try db.fence.row.writeExchange(to: statement, db.sealer, expecting: before)
        }
        guard changes == 1 else {
            throw Database.ownershipLost
        }
    }

    /// A number that no row had before.
    package func nextID() -> Int64 {
        store.lastID += 1
        return store.lastID
    }

    /// Takes a row's checksum into the digest, out of it, or exchanges it.
    package func digest(from old: Int64? = nil, to new: Int64? = nil) {
        store.rowDigest = store.rowDigest &- (old ?? 0) &+ (new ?? 0)
    }

    /// Takes a written row into the digest; open sessions have one of their own.
    fileprivate func count(_ row: some StoredRow) {
        if row.isOpenSession {
            store.openDigest = store.openDigest &+ row.checksum
            store.openCount += 1
        } else {
            digest(to: row.checksum)
        }
    }

    func uncount(_ checksum: Int64, isOpenSession: Bool) {
        if isOpenSession {
            store.openDigest = store.openDigest &- checksum
            store.openCount -= 1
        } else {
            digest(from: checksum)
        }
    }

    /// Writes a row over another one of the same number, whose children stay.
    func replace<Row: StoredRow>(
        _ old: Row, by new: Row, _ payload: [UInt8]
    ) throws(SceneStoreError) {
        var row = new
        try write(&row, payload, by: Row.description.replacement)
        uncount(old.checksum, isOpenSession: old.isOpenSession)
        count(row)
    }

    /// Seals and inserts a row; answers it as it was written.
    @discardableResult
    package func insert<Row: StoredRow>(
        _ row: consuming Row, payload: [UInt8] = []
    ) throws(SceneStoreError) -> Row {
        do throws(SceneStoreError) {
            try write(&row, payload)
        } catch {
            guard error.isOfOccupiedNumber, try setAsideOccupant(of: row) else {
                throw error
            }
            try write(&row, payload)
        }
        count(row)
        return row
    }

    /// Seals a row and writes it: inserts it, or changes what an update names.
    private func write<Row: StoredRow>(
        _ row: inout Row, _ payload: [UInt8] = [], by update: TableUpdate? = nil
    ) throws(SceneStoreError) {
        try payload.lend { bytes throws(SceneStoreError) in
            try run(update?.text ?? Row.description.insert) { statement throws(SQLiteError) in
                var index = try row.write(to: statement, db.sealer, mask: update?.mask ?? .max)
                if Row.hasPayload {
                    try statement.bind(index, bytes)
                    index += 1
                }
                if update != nil {
                    try statement.bind(index, row.id)
                }
            }
        }
    }

    /// Seals a changed row and writes what can change in it. `counted` is what the row had in the
    /// digest; nil when it is not in there.
    @discardableResult
    package func update<Row: StoredRow>(
        _ row: consuming Row, counted: Int64?, payload: [UInt8] = []
    ) throws(SceneStoreError) -> Row {
        var row = row
        try write(&row, payload, by: Row.description.update)
        digest(from: counted, to: row.checksum)
        return row
    }

    /// Removes a row.
    package func delete<Row: StoredRow>(_ row: Row) throws(SceneStoreError) {
        try run(Row.description.delete, binding(row.id))
        uncount(row.checksum, isOpenSession: row.isOpenSession)
    }

    /// Removes rows.
    package func delete<Row: StoredRow>(_ rows: [Row]) throws(SceneStoreError) {
        for row in rows {
            try delete(row)
        }
    }

    /// Writes a session's changed row.
    package func updateRow(
        _ session: StoreCaches.Session, _ update: TableUpdate = SessionRow.description.update,
        _ change: (inout SessionRow) -> Void
    ) throws(SceneStoreError) {
        db.caches.ahead.forget(session.row.id)
        // In its place, for a copy costs as much as sealing it: a transaction that fails forgets
        // all rows in the caches anyway.
        let wasOpen = session.row.isOpen
        let counted = session.row.checksum
        change(&session.row)
        session.row.generation = store.generation
        try write(&session.row, by: update)
        uncount(counted, isOpenSession: wasOpen)
        count(session.row)
    }

    /// Removes a session's row and everything that is numbered by it.
    package func deleteSession(_ session: StoreCaches.Session) throws(SceneStoreError) {
        let key = session.row.id
        try delete(try db.states(of: session))
        try delete(
            try db.rows(
                Queries.sessionValues, Database.range(of: key), isAsked: { $0.id >> 8 == key }))
        try delete(try db.storageRows(key))
        try delete(session.row)
        if session.row.isOpen {
            try countOpen(-1, configuration: session.row.configurationID)
        }
        endRestoring(key)
        db.caches.remove(key)
    }
}
