import SceneStoreSQLite
import SceneStoreValues

/// Writing rows so that the digests stay in step.
extension StoreReading where Self: ~Copyable {
    /// A session's scene storage.
    package func storageRows(_ key: Int64) throws(SceneStoreError) -> [StorageRow] {
        try rows(Queries.storageValues, number(key)) { $0.sessionID == key }
    }

    /// A session's row, of this epoch; nil when there is none or it is damaged.
    package func session(_ key: Int64) throws(SceneStoreError) -> StoreCaches.Session? {
        if let session = parts.caches[key] {
            return session
        }
        guard let row = try row(SessionRow.self, key), row.epoch == store.containerEpoch else {
            return nil
        }
        let session = StoreCaches.Session(row: row)
        parts.caches.insert(session)
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
            Queries.stateSlots, StoreCore.range(of: key), isAsked: { $0.id >> 8 == key })
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
        guard parts.damage.rows.insert(row).inserted else {
            return
        }
        parts.damage.diagnostics.append(
            Diagnostic(
                .damagedRow, .error,
                "row \(id) of table \(table.name) fails its \(what) check and counts as absent",
                fix: "it is set aside in idle time; see the table quarantined_row",
                sessionIdentifier: session.map { SceneSession.ID($0) }))
    }
}

extension StoreWriter {
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

    fileprivate func uncount(_ checksum: Int64, isOpenSession: Bool) {
        if isOpenSession {
            store.openDigest = store.openDigest &- checksum
            store.openCount -= 1
        } else {
            digest(from: checksum)
        }
    }

    /// A row was written over another one of the same number.
    func recount<Row: StoredRow>(_ old: Row, _ new: Row) {
        uncount(old.checksum, isOpenSession: old.isOpenSession)
        count(new)
    }

    /// Seals and inserts a row; answers it as it was written.
    @discardableResult
    package func insert<Row: StoredRow>(
        _ row: consuming Row, payload: [UInt8] = []
    ) throws(SceneStoreError) -> Row {
        var row = row.sealed(sealer)
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

    /// Seals and inserts as many entries of the journal as one statement takes.
    private func insertBatch(_ rows: inout [EventRow]) throws(SceneStoreError) {
        for place in rows.indices {
            rows[place].seal(sealer)
        }
        try run(EventRow.insertBatch, rows: Int64(rows.count)) { statement throws(SQLiteError) in
            var index: Int32 = 1
            for place in rows.indices {
                index = try rows[place].bindInsert(statement, from: index)
            }
        }
        for row in rows {
            count(row)
        }
    }

    /// Inserts entries of the journal, and leaves none. One statement for several costs two thirds.
    func insert(_ rows: inout [EventRow]) throws(SceneStoreError) {
        defer { rows.removeAll(keepingCapacity: true) }
        if rows.count == EventRow.batch {
            do throws(SceneStoreError) {
                return try insertBatch(&rows)
            } catch {
                guard error.isOfOccupiedNumber else {
                    throw error
                }
            }
        }
        for row in rows {
            try insert(row)
        }
    }

    private func write<Row: StoredRow>(
        _ row: inout Row, _ payload: [UInt8]
    ) throws(SceneStoreError) {
        try payload.lend { bytes throws(SceneStoreError) in
            try run(Row.description.insert) { statement throws(SQLiteError) in
                let index = try row.bindInsert(statement)
                if Row.hasPayload {
                    try statement.bind(index, bytes)
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
        var row = row.sealed(sealer)
        let update = Row.description.update
        try payload.lend { bytes throws(SceneStoreError) in
            try run(update.text) { statement throws(SQLiteError) in
                var index = try row.bindUpdate(update, statement)
                if Row.hasPayload {
                    try statement.bind(index, bytes)
                    index += 1
                }
                try statement.bind(index, row.id)
            }
        }
        digest(from: counted, to: row.checksum)
        return row
    }

    /// Removes a row.
    package func delete<Row: StoredRow>(_ row: Row) throws(SceneStoreError) {
        try run(Row.description.delete, number(row.id))
        uncount(row.checksum, isOpenSession: row.isOpenSession)
    }

    /// Removes rows.
    package func delete<Row: StoredRow>(_ rows: [Row]) throws(SceneStoreError) {
        for row in rows {
            try delete(row)
        }
    }

    /// Inserts a session's row.
    func insertRow(_ row: SessionRow) throws(SceneStoreError) -> StoreCaches.Session {
        let session = StoreCaches.Session(row: try insert(row))
        session.states = []
        session.pins = SessionPins()
        parts.caches.insert(session)
        return session
    }

    /// Writes a session's changed row.
    package func updateRow(
        _ session: StoreCaches.Session, _ update: TableUpdate = SessionRow.description.update,
        _ change: (inout SessionRow) -> Void
    ) throws(SceneStoreError) {
        parts.caches.ahead.forget(session.row.id)
        // In its place, for a copy costs as much as sealing it: a transaction that fails forgets
        // all rows in the caches anyway.
        let wasOpen = session.row.isOpen
        let counted = session.row.checksum
        change(&session.row)
        session.row.generation = store.generation
        session.row.seal(sealer)
        try run(update.text) { statement throws(SQLiteError) in
            let index = try session.row.bindUpdate(update, statement)
            try statement.bind(index, session.row.id)
        }
        uncount(counted, isOpenSession: wasOpen)
        count(session.row)
    }

    /// Removes a session's row and everything that is numbered by it.
    package func deleteSession(_ session: StoreCaches.Session) throws(SceneStoreError) {
        let key = session.row.id
        try delete(try states(of: session))
        try delete(
            try rows(
                Queries.sessionValues, StoreCore.range(of: key), isAsked: { $0.id >> 8 == key }))
        try delete(try storageRows(key))
        try delete(session.row)
        if session.row.isOpen {
            try countOpen(-1, configuration: session.row.configurationID)
        }
        endRestoring(key)
        parts.caches.remove(key)
    }
}

extension StoreCore {
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

/// A row that failed its checksum.
package struct DamagedRow: Hashable, Sendable {
    package var table: StoreTable
    package var id: Int64
    package var reason: String
}
