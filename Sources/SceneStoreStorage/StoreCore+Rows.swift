import SceneStoreSQLite
import SceneStoreValues

/// Writing rows so that the digests stay in step.
extension StoreCore {
    /// A number that no row had before.
    package func nextID() -> Int64 {
        store.lastID += 1
        return store.lastID
    }

    /// Takes a row's checksum into the digest, out of it, or exchanges it.
    package func digest(from old: Int64? = nil, to new: Int64? = nil) {
        store.rowDigest = store.rowDigest &- (old ?? 0) &+ (new ?? 0)
    }

    /// Takes a row of the skeleton out of its digest; open sessions have one of their own.
    private func digest(from isOpen: Bool, _ checksum: Int64) {
        if isOpen {
            store.openDigest = store.openDigest &- checksum
            store.openCount -= 1
        } else {
            digest(from: checksum)
        }
    }

    /// Takes a row of the skeleton into its digest.
    private func digest(to isOpen: Bool, _ checksum: Int64) {
        if isOpen {
            store.openDigest = store.openDigest &+ checksum
            store.openCount += 1
        } else {
            digest(to: checksum)
        }
    }

    /// Seals and inserts a row without a payload.
    package func insert<Row: StoredRow>(_ row: Row, _ sql: StaticString) throws(SceneStoreError) {
        var row = row
        row.seal(sealer)
        let sealed = row
        try run(sql) { statement throws(SQLiteError) in try sealed.bind(statement) }
        digest(to: row.checksum)
    }

    /// Seals and inserts a row with a payload.
    package func insert<Row: StoredRow>(
        _ row: Row, _ sql: StaticString, payload: [UInt8]
    ) throws(SceneStoreError) {
        var row = row
        row.seal(sealer)
        let sealed = row
        try payload.lend { bytes throws(SceneStoreError) in
            try run(sql) { statement throws(SQLiteError) in
                try sealed.bind(statement)
                try statement.bind(":payload", bytes)
            }
        }
        digest(to: row.checksum)
    }

    /// Removes a row by its number.
    package func delete(_ id: Int64, checksum: Int64, _ sql: StaticString) throws(SceneStoreError) {
        try run(sql) { statement throws(SQLiteError) in try statement.bind(1, id) }
        digest(from: checksum)
    }

    // MARK: - The skeleton

    /// Inserts a session's row.
    func insertRow(_ row: SessionRow) throws(SceneStoreError) -> StoreCaches.Session {
        var row = row
        row.seal(sealer)
        let sealed = row
        try run(Queries.insertSession) { statement throws(SQLiteError) in
            try sealed.bind(statement)
        }
        digest(to: row.isOpen, row.checksum)
        let session = StoreCaches.Session(row: row)
        session.states = []
        caches.insert(session)
        return session
    }

    /// How much of a session's row a change rewrites.
    package enum RowUpdate {
        /// What a save changes.
        case state
        /// What a mark changes.
        case marks
        /// Everything.
        case all
    }

    /// Writes a session's changed row.
    package func updateRow(
        _ session: StoreCaches.Session, _ update: RowUpdate, _ change: (inout SessionRow) -> Void
    ) throws(SceneStoreError) {
        // In its place, for a copy costs as much as sealing it: a transaction that fails forgets
        // all rows in the caches anyway.
        let old = (isOpen: session.row.isOpen, checksum: session.row.checksum)
        change(&session.row)
        session.row.generation = store.generation
        session.row.seal(sealer)
        switch update {
        case .state:
            try run(Queries.updateSessionState) { statement throws(SQLiteError) in
                try statement.bind(1, session.row.stateID)
                try statement.bind(2, session.row.savedAt)
                try statement.bind(3, session.row.generation)
                try statement.bind(4, session.row.checksum)
                try statement.bind(5, session.row.id)
            }
        case .marks:
            try run(Queries.updateSessionMarks) { statement throws(SQLiteError) in
                try statement.bind(1, session.row.isFront)
                try statement.bind(2, session.row.recency)
                try statement.bind(3, session.row.lastActiveAt)
                try statement.bind(4, session.row.generation)
                try statement.bind(5, session.row.checksum)
                try statement.bind(6, session.row.id)
            }
        case .all:
            try run(Queries.updateSession) { statement throws(SQLiteError) in
                try session.row.bindUpdate(statement)
            }
        }
        digest(from: old.isOpen, old.checksum)
        digest(to: session.row.isOpen, session.row.checksum)
    }

    /// Removes a session's row and everything that is numbered by it.
    package func deleteSession(_ session: StoreCaches.Session) throws(SceneStoreError) {
        let key = session.row.id
        for state in try states(of: session) {
            try delete(state.id, checksum: state.checksum, Queries.deleteState)
        }
        for value in try rows(
            Queries.sessionValues, SessionValueRow.self, Self.range(of: key),
            isAsked: { $0.id >> 8 == key })
        {
            try delete(value.id, checksum: value.checksum, Queries.deleteSessionValue)
        }
        for value in try storageRows(key) {
            try delete(value.id, checksum: value.checksum, Queries.deleteStorageValue)
        }
        try run(Queries.deleteSession) { statement throws(SQLiteError) in
            try statement.bind(1, key)
        }
        digest(from: session.row.isOpen, session.row.checksum)
        if session.row.isOpen {
            try countOpen(-1, configuration: session.row.configurationID)
        }
        if store.restoringSession == key {
            store.restoringSession = nil
        }
        caches.remove(key)
    }

    /// Binds the numbers that belong to a session in `state` and `session_value`.
    package static func range(
        of key: Int64
    ) -> (borrowing Statement) throws(SQLiteError) -> Void {
        { statement throws(SQLiteError) in
            try statement.bind(1, key << 8)
            try statement.bind(2, key << 8 | 255)
        }
    }

    /// A session's scene storage.
    package func storageRows(_ key: Int64) throws(SceneStoreError) -> [StorageRow] {
        try rows(Queries.storageValues, StorageRow.self) { statement throws(SQLiteError) in
            try statement.bind(1, key)
        } isAsked: {
            $0.sessionID == key
        }
    }

    // MARK: - Reading

    /// A session's row, of this epoch; nil when there is none or it is damaged.
    package func session(_ key: Int64) throws(SceneStoreError) -> StoreCaches.Session? {
        if let session = caches[key] {
            return session
        }
        let row = try first(Queries.session, SessionRow.self) { statement throws(SQLiteError) in
            try statement.bind(1, key)
        } isAsked: {
            $0.id == key
        }
        guard let row, row.epoch == store.containerEpoch else {
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

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(bitPattern: ContentHash.hash(bytes))
    }

    package static func hash(_ bytes: [UInt8]) -> Int64 {
        Int64(bitPattern: ContentHash.hash(bytes))
    }

    /// A session's states without their payloads, oldest first.
    package func states(of session: StoreCaches.Session) throws(SceneStoreError) -> [StateRow] {
        if let states = session.states {
            return states
        }
        let key = session.row.id
        let states = try rows(
            Queries.stateSlots, StateRow.self, Self.range(of: key),
            isAsked: { $0.id >> 8 == key })
        session.states = states
        return states
    }

    /// Remembers a row that failed its checksum, once.
    package func noteDamage(
        _ table: StoreTable, _ id: Int64, _ what: String, session: String? = nil
    ) {
        let damage = DamagedRow(table: table, id: id, reason: what)
        guard damagedRows.insert(damage).inserted else {
            return
        }
        diagnostics.append(
            Diagnostic(
                .damagedRow, .error,
                "row \(id) of table \(table.name) fails its \(what) check and counts as absent",
                fix: "it is set aside in idle time; see the table quarantined_row",
                sessionIdentifier: session))
    }
}

/// A row that failed its checksum.
package struct DamagedRow: Hashable, Sendable {
    package var table: StoreTable
    package var id: Int64
    package var reason: String
}
