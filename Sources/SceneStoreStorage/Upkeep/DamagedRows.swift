import SceneStoreSQLite
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Setting damaged rows aside: each alone, as it was found, never deleted (S-60, R-22).
extension Database {
    /// A row's columns as they are, of whatever type; nil when there is no such row.
    func rawColumns(_ table: StoreTable, _ id: Int64) throws(SceneStoreError) -> [Value]? {
        guard table == .store || StoreTable.digested.contains(table) else {
            return nil
        }
        return try ask(table.description.select) { statement throws(SQLiteError) -> [Value]? in
            try statement.bind(1, id)
            guard try statement.step() else {
                return nil
            }
            return try (0..<statement.columnCount).map { index throws(SQLiteError) in
                try Database.value(statement, index)
            }
        }
    }

    /// The checksum among a row's columns as they were found.
    fileprivate static func checksum(_ table: StoreTable, _ columns: [Value]) -> Int64? {
        let place = columns.count - (table.description.hasPayload ? 2 : 1)
        guard columns.indices.contains(place), case .integer(let checksum) = columns[place] else {
            return nil
        }
        return checksum
    }

    /// Moves a row that failed its checksum into `quarantined_row`.
    ///
    /// A row that other rows refer to is repaired in place. A configuration becomes what its index
    /// proves or names. Conditions become the defaults.
    package func setAside(_ damaged: DamagedRow) throws(SceneStoreError) {
        damage.setAside.insert(damaged)
        let columns: [Value]?
        do throws(SceneStoreError) {
            guard try !isWhole(damaged.table.rowType, damaged.id) else {
                // What was met was another one's page; in its own place the row is right.
                return noteMisplaced(damaged.table, damaged.id)
            }
            columns = try rawColumns(damaged.table, damaged.id)
        } catch  where error.code == .corrupt {
            // Its page cannot be read: that is a matter for `repair`, on a copy.
            return
        }
        guard let columns else {
            return
        }
        try write(.full) { transaction throws(SceneStoreError) in
            try transaction.quarantine(damaged, columns)
            let counted = Database.checksum(damaged.table, columns)
            switch damaged.table {
            case .configuration:
                var row = try rescuedConfiguration(damaged.id)
                let open = try rows(Queries.openSessionsOfConfiguration, binding(damaged.id)) {
                    $0.configurationID == damaged.id && $0.isOpen
                }
                row.openSessions = Int64(open.count)
                try transaction.update(row, counted: counted)
            case .conditions:
                let payload = try ValueCodec.encode(ActivationConditions(), limits: .standard)
                let row = ConditionsRow(
                    id: damaged.id, epoch: transaction.store.containerEpoch,
                    contentHash: Database.hash(payload))
                try transaction.update(row, counted: counted, payload: payload)
            case .store, .migration: break
            default: try transaction.remove(damaged, columns)
            }
        }
        caches = StoreCaches()
        damage.isShrunk = true
    }

    fileprivate static func value(
        _ statement: borrowing Statement, _ index: Int32
    ) throws(SQLiteError) -> Value {
        switch statement.columnType(at: index) {
        case .null: return .null
        case .integer: return .integer(try statement.integer(at: index))
        case .real: return .double(try statement.real(at: index))
        case .blob: return .data(Data(try statement.blobCopy(at: index)))
        case .text:
            let bytes = try statement.textBytes(at: index)
            // Text that is none keeps its bytes.
            return String(validating: bytes, as: UTF8.self).map { .string($0) }
                ?? .data(Data(bytes))
        }
    }
}

extension Transaction {
    /// Keeps a row's columns as they were found, with what the journal is to say of it.
    func quarantine(
        _ damage: DamagedRow, _ columns: [Value], _ detail: String? = nil
    ) throws(SceneStoreError) {
        // Of a payload of the greatest size there is no room beside the other columns: it goes.
        let payload: [UInt8]
        do throws(SceneStoreError) {
            payload = try ValueCodec.encode(.array(columns), limits: .standard)
        } catch {
            payload = try ValueCodec.encode(.array(columns.dropLast()), limits: .standard)
        }
        let row = QuarantinedRow(
            id: nextID(), epoch: store.containerEpoch, tableName: damage.table.name,
            rowID: damage.id, reason: damage.reason, foundAt: db.now,
            generation: store.generation, contentHash: Database.hash(payload))
        try insert(row, payload: payload)
        note(.quarantine, nil, detail ?? "row \(damage.id) of \(damage.table.name)")
    }

    /// Sets a damaged row aside that counts as absent and has the number or the key of one that is
    /// written, so that it keeps nothing from being saved. Answers false where the row is whole, or
    /// can't be read: then pages are damaged, and the next opening salvages the store.
    func setAsideOccupant<Row: StoredRow>(of row: Row) throws(SceneStoreError) -> Bool {
        var id = row.id
        if let row = row as? StorageRow {
            id = try storageNumber(row.sessionID, row.key) ?? id
        } else if let row = row as? SessionRow {
            let found = try db.numbers(
                Queries.sessionByIdentifier.text, binding(row.identifier, store.containerEpoch))
            id = found.first ?? id
        }
        guard try !db.isWhole(Row.self, id), let columns = try db.rawColumns(Row.table, id) else {
            return false
        }
        let damage = DamagedRow(table: Row.table, id: id, reason: "counts as absent")
        db.damage.setAside.insert(damage)
        db.damage.isShrunk = true
        try quarantine(damage, columns)
        try remove(damage, columns)
        return true
    }

    /// The number of the row that has a key of a session's scene storage, whole or not.
    private func storageNumber(_ session: Int64, _ key: String) throws(SceneStoreError) -> Int64? {
        try db.ask(Queries.storageValues.text) { statement throws(SQLiteError) -> Int64? in
            try statement.bind(1, session)
            while try statement.step() {
                if try statement.optionalText(at: 2) == key {
                    return try statement.integer(at: 0)
                }
            }
            return nil
        }
    }

    /// Takes the row away, after its children that SQLite would remove with it.
    fileprivate func remove(_ damage: DamagedRow, _ columns: [Value]) throws(SceneStoreError) {
        switch damage.table {
        case .session:
            for child in try db.storageRows(damage.id) {
                try moveChild(.sceneStorage, child.id)
            }
        case .launch:
            for child in try db.exceptions(damage.id) {
                try moveChild(.launchException, child.id)
            }
        case .state:
            if let session = try db.session(damage.id >> 8), session.row.stateID == damage.id {
                try updateRow(session, SessionRow.stateUpdate) { $0.point(at: nil) }
            }
        default: break
        }
        try takeAway(damage.table, damage.id, columns)
    }

    fileprivate func moveChild(_ table: StoreTable, _ id: Int64) throws(SceneStoreError) {
        guard let columns = try db.rawColumns(table, id) else {
            return
        }
        try quarantine(
            DamagedRow(table: table, id: id, reason: "belongs to a damaged row"), columns)
        try takeAway(table, id, columns)
    }

    /// Takes away the content of sessions that are gone or ephemeral: a row that is damaged counts as
    /// absent, and stayed when they went. Answers whether none is out of place, where it can't be had.
    func removeAbsentContent() throws(SceneStoreError) -> Bool {
        var isWhole = true
        for (table, numbers) in Queries.absentContent {
            for id in try db.numbers(numbers, binding()) {
                if let columns = try db.rawColumns(table, id) {
                    try takeAway(table, id, columns)
                } else {
                    isWhole = false
                }
            }
        }
        return isWhole
    }

    /// Removes a row, and takes it out of the digest by the checksum that stands in it: where that
    /// is what was damaged, the rows do not add up, and the check in the background says so.
    private func takeAway(
        _ table: StoreTable, _ id: Int64, _ columns: [Value]
    ) throws(SceneStoreError) {
        try run(table.description.delete, binding(id))
        let isOpen = table == .session && columns.count > 4 && columns[4] == .integer(1)
        uncount(Database.checksum(table, columns) ?? 0, isOpenSession: isOpen)
        guard isOpen else {
            return
        }
        if case .integer(let configuration) = columns[3] {
            try countOpen(-1, configuration: configuration)
        }
        noteLost(unnamed: 1)
    }
}
