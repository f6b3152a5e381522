import SceneStoreSQLite
import SceneStoreValues

extension Database {
    /// A database in memory with all that this one holds, because of a refusal, which is what counts if
    /// it can't be read.
    func inMemory(orThrow cause: SceneStoreError) throws(SceneStoreError) -> Database {
        do throws(SceneStoreError) {
            return try inMemory(cause, options)
        } catch _ {
            throw cause
        }
    }

    /// A database in memory with all that this one holds; it is written under an owner's options.
    func inMemory(
        _ cause: SceneStoreError, _ options: SceneSessionStore.Options,
        recovery other: (any StoreRecovering)? = nil
    ) throws(SceneStoreError) -> Database {
        let memory = try StoreMaker(options: options).connect(nil)
        // At rest the connection is closed: then the file that was left is read.
        let source = if case .resting(let rested) = backing { try left(rested) } else { connection }
        try translating { try source.backup(to: memory) }
        let row = try Self.storeRow(memory)
        let db = Database(
            connection: memory, container: OpenContainer(inPlaceOf: container), store: row,
            sealer: sealer, options: options, recovery: other ?? recovery)
        memory.observeChanges()
        db.damage.openingDiagnostics = damage.openingDiagnostics
        db.damage.untold = damage.untold
        db.damage.rollback = damage.rollback
        db.damage.lostStates = damage.lostStates
        db.holdsRefusedWrites = holdsRefusedWrites
        db.backing = .memory(
            RefusedWrites(file: self, base: row, cause: cause, generation: row.generation))
        db.damage.tell(cause)
        return db
    }

    /// Takes over what differs in a database in memory, in one durable transaction.
    func takeOver(_ memory: Database, isWhole: Bool) throws(SceneStoreError) {
        // Rows of before a reset are in no digest.
        while upkeep.hasOldRows {
            // A piece that fails may have reached the file, which the next one is written to.
            memory.refused?.lateWrites = 1
            upkeep.hasOldRows = try removeOldRows(limit: 10_000)
            memory.refused?.base? = store
            memory.refused?.lateWrites = 0
        }
        var rows = memory.connection.changedRows
        if isWhole {
            while try memory.removeOldRows(limit: 10_000) {}
            for table in StoreTable.digested {
                rows[table.name] = Set(
                    try numbers(table.description.numbers, binding())
                        + memory.numbers(table.description.numbers, binding()))
            }
        }
        let changed = rows
        lateRefusal = nil
        try write(.full) { transaction throws(SceneStoreError) in
            try transaction.takeOver(memory, changed, isWhole: isWhole)
            // A sync that fails says nothing about where it stands.
            memory.refused?.placed = transaction.store
        }
        // The file was written by this database while others were held; its rows are of another time.
        caches = StoreCaches()
        if let late = lateRefusal {
            lateRefusal = nil
            throw late
        }
        // Without it less is noticed by the next owner, and nothing is lost.
        try? container.record(store)
    }

    /// The sessions of which something is held, or was when this was closed, without those that don't
    /// come back anyhow.
    var refusedIdentifiers: [String] {
        guard let refused else {
            return lostIdentifiers
        }
        let rows = connection.changedRows
        var keys = rows[StoreTable.session.name] ?? []
        for table in [StoreTable.state, .sessionValue] {
            keys.formUnion((rows[table.name] ?? []).map { $0 >> 8 })
        }
        for id in rows[StoreTable.sceneStorage.name] ?? [] {
            let row =
                (try? row(StorageRow.self, id)) ?? (try? refused.file?.row(StorageRow.self, id))
            if let row {
                keys.insert(row.sessionID)
            }
        }
        var identifiers: [String] = []
        for key in keys.sorted() {
            // What can't be read is named by nobody.
            let row = (try? session(key)?.row) ?? (try? refused.file?.session(key)?.row)
            if let row, !row.flags.contains(.notRemembered) {
                identifiers.append(row.identifier)
            }
        }
        return identifiers
    }
}

extension DamageNotes {
    /// Tells once why nothing reaches the disk.
    mutating func tell(_ cause: SceneStoreError) {
        let fix =
            switch cause.code {
            case .replaced:
                "call reopenStore(); it throws while another store is at the path, so put the one "
                    + "that was moved back first"
            case .moved, .missing: "put the store back, then call reopenStore()"
            case .poisoned, .ownershipLost: "call reopenStore(), which writes everything"
            default: "everything is written as soon as the disk accepts it"
            }
        diagnostics.append(
            Diagnostic(
                .writeRefused, .error,
                "the store can't be written, so the app continues in memory: \(cause.message)",
                path: cause.path, fix: fix))
    }
}

extension Diagnostic.Code {
    /// The store can't be written; the app goes on in memory (L-17).
    public static let writeRefused = Self("writeRefused")
}

/// Writing the rows that another database has, as they are there.
extension Transaction {
    /// Takes over the rows that differ, and what the store's own row counts.
    func takeOver(
        _ memory: Database, _ changed: [String: Set<Int64>], isWhole: Bool
    ) throws(SceneStoreError) {
        // Children go before their parents, and come after them.
        for table in StoreTable.digested.reversed() {
            for id in (changed[table.name] ?? []).sorted() {
                try removeGone(table.rowType, id, isWhole ? nil : memory)
            }
        }
        for table in StoreTable.digested {
            for id in (changed[table.name] ?? []).sorted() {
                if isWhole, table == .session {
                    try takeSession(id, memory)
                } else {
                    try take(table.rowType, id, memory)
                }
            }
        }
        // What the store's row says beside the digests, which followed row by row.
        let row = memory.store
        if isWhole {
            store.containerEpoch = row.containerEpoch
        }
        store.ownerEpoch = max(store.ownerEpoch, row.ownerEpoch)
        store.generation = max(store.generation, row.generation + 1)
        store.lastID = max(store.lastID, row.lastID)
        store.eventCount = row.eventCount
        store.launchNumber = row.launchNumber
        store.launchState = row.launchState
        store.restoringSession = row.restoringSession
        store.writtenBy = row.writtenBy
    }

    /// In a file of another identity every row is sealed anew, and a session binds its state as that
    /// is sealed there.
    private func takeSession(_ id: Int64, _ memory: Database) throws(SceneStoreError) {
        guard var session = try memory.row(SessionRow.self, id) else {
            return
        }
        if let state = session.stateID {
            session.stateChecksum = try memory.row(StateRow.self, state)?.sealed(db.sealer).checksum
        }
        try insert(session)
    }

    private func removeGone<Row: StoredRow>(
        _: Row.Type, _ id: Int64, _ memory: Database?
    ) throws(SceneStoreError) {
        if let old = try db.row(Row.self, id), try memory?.row(Row.self, id) == nil {
            try delete(old)
        }
    }

    private func take<Row: StoredRow>(
        _: Row.Type, _ id: Int64, _ memory: Database
    ) throws(SceneStoreError) {
        guard let (new, payload) = try memory.withRow(Row.self, id, { ($0, Array($1)) }) else {
            return
        }
        guard let old = try db.row(Row.self, id) else {
            try insert(new, payload: payload)
            return
        }
        // Rows of other tables go with a row of these, or keep it.
        guard ![.configuration, .conditions, .session, .launch].contains(Row.table) else {
            return try replace(old, by: new, payload)
        }
        // A number may have been given to another row meanwhile, in columns that an update leaves.
        try delete(old)
        try insert(new, payload: payload)
    }
}

/// Going on while the file refuses what is written (L-17).
extension SceneSessionStore {
    /// From now on a write that the file refuses is held in memory. Whoever asks for this tells the
    /// app of ``refusal``: nothing that is held was stored.
    package func holdRefusedWrites() {
        database.withLock { $0.holdsRefusedWrites = true }
    }

    /// Why the file takes nothing; nil while it does.
    package var refusal: SceneStoreError? {
        database.isQuiet ? nil : database.withLock { $0.refused?.cause }
    }

    /// The sessions of which something is held, by identifier; those that are gone in memory and
    /// still in the file among them.
    package var refusedSessions: [String] {
        database.withLock { $0.refusedIdentifiers }
    }

    /// Writes what is held, if the file takes it; opens it anew if nothing else can have taken its
    /// place. Throws what refuses.
    package func writeRefused() throws(SceneStoreError) {
        try database.withLock { db throws(SceneStoreError) in
            try Database.retryRefused(&db, at: location)
        }
    }

    /// Opens the file at its place anew, with all checks, and writes what is held.
    ///
    /// Throws ``SceneStoreError/Code/replaced`` when another store stands there: it is left as it is;
    /// and ``SceneStoreError/Code/closed`` after the store was closed.
    package func reopenFile() throws(SceneStoreError) {
        try database.withLock { db throws(SceneStoreError) in
            if case .closed = db.backing {
                throw db.closedError
            }
            try Database.reopen(&db, at: location)
        }
    }
}
