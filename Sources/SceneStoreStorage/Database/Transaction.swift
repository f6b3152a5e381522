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

    fileprivate init(_ db: Database, _ raw: borrowing ConnectionTransaction) {
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

    /// Runs a statement that has to change exactly one row, or so many.
    package func run(
        _ sql: StatementText, rows: Int64 = 1,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) {
        db.fence.hasChanged = true
        try raw.withStatement(sql) { statement throws(SceneStoreError) in
            do throws(SQLiteError) {
                try bind(statement)
                try statement.runChanging(rows: rows)
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
}

extension Database {
    /// Runs a body that changes rows, and commits.
    ///
    /// The generation has been raised when the body begins. When this throws, nothing is changed
    /// (S-21, L-41), except after a failed sync. The database then writes no more. A body that changes
    /// nothing commits nothing.
    package func write<Result>(
        _ durability: Durability,
        _ body: (borrowing Transaction) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try prepareToWrite(durability)
        return try commit(durability, body)
    }

    /// The transaction itself.
    package func commit<Result>(
        _ durability: Durability,
        _ body: (borrowing Transaction) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        precondition(fence.committed == nil, "a transaction begins no other one")
        let before = store
        fence.committed = before.generation
        defer { fence.committed = nil }
        let frames = connection.walFrames
        let result: Result
        do {
            result = try connection.write(durability == .full ? .full : .normal) {
                raw throws(SceneStoreError) in
                if connection.isChangedByOthers {
                    throw try foreignChange()
                }
                let transaction = Transaction(self, raw)
                fence.hasChanged = false
                fence.row.generation += 1
                let result = try body(transaction)
                if fence.hasChanged || !journal.events.isEmpty || !journal.decisions.isEmpty {
                    try transaction.finish(before)
                } else {
                    fence.row = before
                }
                return result
            }
        } catch {
            forgetTransaction(before)
            throw judge(error)
        }
        guard store.generation > before.generation else {
            return result
        }
        counters.transactions += 1
        do throws(SceneStoreError) {
            if durability == .full {
                try container.confirmPlace()
            } else {
                try container.checkUnmoved()
                log.noteUnsynced(at: options.clock())
            }
            try boundLog(before: frames)
        } catch {
            // It was committed into a file that no launch will look for, or perhaps so: never
            // acknowledged.
            fence.failure = Self.isOfPlace(error) ? error : Self.poisoned
            guard holdsRefusedWrites else {
                forgetTransaction(store)
                throw error
            }
            // Whoever goes on in memory goes on from this commit.
            lateRefusal = error
        }
        if durability == .full, lateRefusal == nil {
            counters.durableTransactions += 1
            log.noteSynced(counters.transactions)
            container.note(durable: store.generation)
        }
        journal.publish(generation: store.generation)
        return result
    }

    /// Whether an error says what became of the file, rather than that it could not be looked at.
    private static func isOfPlace(_ error: SceneStoreError) -> Bool {
        switch error.code {
        case .moved, .replaced, .missing, .forked: true
        default: false
        }
    }

    private static var poisoned: SceneStoreError {
        SceneStoreError(
            .poisoned,
            "an earlier write did not reach the disk; close the store and open it again")
    }

    /// Throws unless this database may write. Before a commit that takes its time anyway it looks
    /// whether the file is still in its place; every commit does before it is acknowledged.
    private func prepareToWrite(_ durability: Durability) throws(SceneStoreError) {
        try checkUsable()
        guard !isReader else {
            throw SceneStoreError(.readOnly, "the store was opened only for reading")
        }
        if durability == .full {
            try container.checkUnmoved()
        } else if log.unsyncedSince != nil {
            container.anchorNote()
        }
        if fence.isStale {
            try reloadStoreRow()
        }
    }

    /// Throws unless this database may go on.
    package func checkUsable() throws(SceneStoreError) {
        guard !isClosed else {
            throw closedError
        }
        if let failure = fence.failure {
            throw failure
        }
        // What equals the stored state is not written, so nothing else would notice.
        guard !connection.isBehindFork else {
            throw SceneStoreError(Connection.forked)
        }
    }

    private func forgetTransaction(_ before: StoreRow) {
        caches = StoreCaches()
        journal.events.removeAll()
        caches.hasChangedConfigurations = false
        fence.row = before
        fence.isStale = true
    }

    /// What an error of a transaction means for the transactions to come.
    private func judge(_ error: SceneStoreError) -> SceneStoreError {
        switch error.code {
        case .ownershipLost, .replaced: fence.failure = error
        case .poisoned: fence.failure = error
        default:
            if connection.isPoisoned {
                fence.failure = Self.poisoned
            }
        }
        return error
    }

    /// Who has written into the store beside this owner: another owner, whom a lock that lies let
    /// in (S-30), or a program that knows nothing of owners.
    private func foreignChange() throws(SceneStoreError) -> SceneStoreError {
        // Unchecked: an owner of another make may have its own way of sealing.
        let row = try Self.storeRow(connection)
        guard row.uuid == store.uuid, row.ownerEpoch == store.ownerEpoch,
            row.generation == fence.row.generation
        else {
            return Self.ownershipLost
        }
        return SceneStoreError(
            .replaced,
            "another program has written into the open store; close it and open it again",
            path: ContainerName.store)
    }

    package static var ownershipLost: SceneStoreError {
        SceneStoreError(
            .ownershipLost,
            "another process has written to the store; close it and open it again")
    }

    /// Reads the store's row again, and checks that it is still ours.
    private func reloadStoreRow() throws(SceneStoreError) {
        let row = try readStoreRow()
        guard row.uuid == store.uuid, row.ownerEpoch == store.ownerEpoch else {
            fence.failure = Self.ownershipLost
            throw Self.ownershipLost
        }
        fence.row = row
        fence.isStale = false
    }

    /// The store's row as it is in the file, checked.
    package func readStoreRow() throws(SceneStoreError) -> StoreRow {
        let row = try Self.storeRow(connection)
        guard row.isWhole(sealer) else {
            throw Self.damagedStoreRow
        }
        return row
    }

    /// The store's row, unchecked.
    package static func storeRow(_ connection: Connection) throws(SceneStoreError) -> StoreRow {
        let row: StoreRow?
        do {
            row = try connection.withStatement(StoreRow.byNumber.text) {
                statement throws(SQLiteError) -> StoreRow? in
                try statement.bind(1, 1 as Int64)
                return try statement.step() ? try StoreRow(statement) : nil
            }
        } catch {
            guard error.isOfRow else {
                throw SceneStoreError(error)
            }
            throw damagedStoreRow
        }
        guard let row else {
            throw damagedStoreRow
        }
        return row
    }

    package static var damagedStoreRow: SceneStoreError {
        SceneStoreError(.corrupt, "the store's own row is damaged or missing", path: "store")
    }

    /// Runs a body that only reads. A reader sees one state of a store that others change.
    package func read<Result>(
        _ body: () throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        guard !isClosed else {
            throw closedError
        }
        guard isReader else {
            if fence.isStale, fence.failure == nil {
                try reloadStoreRow()
            }
            return try body()
        }
        return try connection.read { _ throws(SceneStoreError) in
            let row = try readStoreRow()
            if row.generation != store.generation || row.ownerEpoch != store.ownerEpoch {
                caches = StoreCaches()
            }
            fence.row = row
            return try body()
        }
    }
}

extension Transaction {
    /// Writes what goes with every commit, the store's own row last.
    fileprivate func finish(_ before: StoreRow) throws(SceneStoreError) {
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
        db.fence.row.seal(db.sealer)
        let changes = try change(StoreRow.exchange.text) { statement throws(SQLiteError) in
            try db.fence.row.bindExchange(statement, expecting: before)
        }
        guard changes == 1 else {
            throw Database.ownershipLost
        }
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

extension Transaction {
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
        var row = row.sealed(db.sealer)
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
            rows[place].seal(db.sealer)
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
        var row = row.sealed(db.sealer)
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
        db.caches.insert(session)
        return session
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
        session.row.seal(db.sealer)
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

/// A row that failed its checksum.
package struct DamagedRow: Hashable, Sendable {
    package var table: StoreTable
    package var id: Int64
    package var reason: String
}
