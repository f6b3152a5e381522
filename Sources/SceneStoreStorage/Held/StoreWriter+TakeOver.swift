import SceneStoreSQLite
import SceneStoreValues

/// Writing the rows that another core has, as they are there.
extension StoreWriter {
    /// Takes over the rows that differ, and what the store's own row counts.
    func takeOver(
        _ memory: StoreCore, _ changed: [String: Set<Int64>], isWhole: Bool
    ) throws(SceneStoreError) {
        // Children go before their parents, and come after them.
        for table in StoreTable.digested.reversed() {
            for id in (changed[table.name] ?? []).sorted() {
                try removeGone(table.rowType, id, memory)
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
        takeOver(memory.store, isWhole: isWhole)
    }

    /// What the store's row says beside the digests, which followed row by row.
    private func takeOver(_ row: StoreRow, isWhole: Bool) {
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
    private func takeSession(_ id: Int64, _ memory: StoreCore) throws(SceneStoreError) {
        guard var session = try memory.row(SessionRow.self, id) else {
            return
        }
        if let state = session.stateID {
            session.stateChecksum = try memory.row(StateRow.self, state)?.sealed(sealer).checksum
        }
        try insert(session)
    }

    private func removeGone<Row: StoredRow>(
        _: Row.Type, _ id: Int64, _ memory: StoreCore
    ) throws(SceneStoreError) {
        if let old = try row(Row.self, id), try memory.row(Row.self, id) == nil {
            try delete(old)
        }
    }

    private func take<Row: StoredRow>(
        _: Row.Type, _ id: Int64, _ memory: StoreCore
    ) throws(SceneStoreError) {
        guard let (new, payload) = try memory.rowWithPayload(Row.self, id) else {
            return
        }
        guard let old = try row(Row.self, id) else {
            try insert(new, payload: payload)
            return
        }
        guard !Row.table.hasChildren else {
            try replace(old, by: new)
            return
        }
        // A number may have been given to another row meanwhile, in columns that an update leaves.
        try delete(old)
        try insert(new, payload: payload)
    }

    /// Writes a row over an earlier one of the same number, whose children stay.
    private func replace<Row: StoredRow>(_ old: Row, by new: Row) throws(SceneStoreError) {
        var row = new
        let update = Row.description.update
        row.seal(sealer)
        try run(update.text) { statement throws(SQLiteError) in
            let index = try row.bindUpdate(update, statement)
            try statement.bind(index, row.id)
        }
        recount(old, row)
    }
}

extension StoreReading where Self: ~Copyable {
    /// A row with its payload, if both are whole.
    fileprivate func rowWithPayload<Row: StoredRow>(
        _: Row.Type, _ id: Int64
    ) throws(SceneStoreError) -> (row: Row, payload: [UInt8])? {
        var result: (row: Row, payload: [UInt8])?
        try each(Row.byNumber) { statement throws(SQLiteError) in
            try statement.bind(1, id)
        } _: { row, statement throws(SceneStoreError) in
            guard let hash = row.payloadHash else {
                result = (row, [])
                return false
            }
            result = try withPayload(statement, of: Row.table, id: id, hash: hash) {
                (row, Array($0))
            }
            return false
        }
        return result
    }
}

extension StoreTable {
    /// Whether rows of other tables go with a row of this one, or keep it.
    fileprivate var hasChildren: Bool {
        switch self {
        case .configuration, .conditions, .session, .launch: true
        default: false
        }
    }
}
