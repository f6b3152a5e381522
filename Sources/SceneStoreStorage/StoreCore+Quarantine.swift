import SceneStoreSQLite
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Setting damaged rows aside: each alone, as it was found, never deleted (S-60, R-22).
extension StoreCore {
    /// Moves a row that failed its checksum into `quarantined_row`.
    ///
    /// What other rows refer to is mended in place: a configuration becomes a name that no
    /// manifest has, so that its sessions go on under their role's default; conditions become the
    /// defaults.
    package func setAside(_ damage: DamagedRow) throws(SceneStoreError) {
        setAsideRows.insert(damage)
        let columns: [Value]?
        do {
            guard try !isWhole(damage.table, damage.id) else {
                // What was met was another one's page; in its own place the row is right.
                return noteMisplaced(damage.table, damage.id)
            }
            columns = try rawColumns(damage.table, damage.id)
        } catch {
            // Its page cannot be read: that is a matter for `repair`, on a copy.
            guard error.code == .corrupt else {
                throw error
            }
            return
        }
        guard let columns else {
            return
        }
        try write(.full) { () throws(SceneStoreError) in
            try quarantine(damage, columns)
            switch damage.table {
            case .configuration: try mendConfiguration(damage.id)
            case .conditions: try mendConditions(damage.id)
            case .store, .migration: break
            default: try remove(damage)
            }
        }
        caches = StoreCaches()
        isShrunk = true
    }

    private func quarantine(
        _ damage: DamagedRow, _ columns: [Value]
    ) throws(SceneStoreError) {
        var limits = Limits()
        limits.nodes = Limits.standard.nodes
        let payload = try ValueCodec.encode(.array(columns), limits: limits)
        let row = QuarantinedRow(
            id: nextID(), epoch: store.containerEpoch, tableName: damage.table.name,
            rowID: damage.id, reason: damage.reason, foundAt: now,
            generation: store.generation, contentHash: Self.hash(payload))
        try insert(row, Queries.insertQuarantinedRow, payload: payload)
        note(.quarantine, nil, "row \(damage.id) of \(damage.table.name)")
    }

    /// Takes the row away, after its children that SQLite would remove with it.
    private func remove(_ damage: DamagedRow) throws(SceneStoreError) {
        switch damage.table {
        case .session:
            for child in try storageRows(damage.id) {
                try moveChild(.sceneStorage, child.id)
            }
        case .launch:
            for child in try exceptions(damage.id) {
                try moveChild(.launchException, child.id)
            }
        case .state:
            if let session = try session(damage.id >> 8), session.row.stateID == damage.id {
                try updateRow(session, .state) { row in
                    row.stateID = nil
                    row.savedAt = nil
                }
            }
        default: break
        }
        try takeAway(damage.table, damage.id)
    }

    private func moveChild(_ table: StoreTable, _ id: Int64) throws(SceneStoreError) {
        guard let columns = try rawColumns(table, id) else {
            return
        }
        try quarantine(
            DamagedRow(table: table, id: id, reason: "belongs to a damaged row"), columns)
        try takeAway(table, id)
    }

    private func takeAway(_ table: StoreTable, _ id: Int64) throws(SceneStoreError) {
        guard let sql = Self.quarantineQueries(table)?.remove else {
            return
        }
        try run(sql) { statement throws(SQLiteError) in try statement.bind(1, id) }
    }

    private func mendConfiguration(_ id: Int64) throws(SceneStoreError) {
        let lost = Self.lostConfiguration.value
        var row = ConfigurationRow(
            id: id, epoch: store.containerEpoch, role: lost.role.rawValue, name: lost.name,
            sceneClass: nil, delegateClass: nil, storyboard: nil, immersionStyle: nil,
            resolution: Int64(lost.resolution.rawValue), openSessions: 0)
        row.seal(sealer)
        let sealed = row
        try run(Queries.mendConfiguration) { statement throws(SQLiteError) in
            try statement.bind(1, sealed.epoch)
            try statement.bind(2, sealed.role)
            try statement.bind(3, sealed.name)
            try statement.bind(4, sealed.resolution)
            try statement.bind(5, sealed.openSessions)
            try statement.bind(6, sealed.checksum)
            try statement.bind(7, sealed.id)
        }
    }

    private func mendConditions(_ id: Int64) throws(SceneStoreError) {
        let payload = try ValueCodec.encode(ActivationConditions(), limits: .standard)
        var row = ConditionsRow(
            id: id, epoch: store.containerEpoch, contentHash: Self.hash(payload))
        row.seal(sealer)
        let sealed = row
        try payload.lend { bytes throws(SceneStoreError) in
            try run(Queries.mendConditions) { statement throws(SQLiteError) in
                try statement.bind(1, sealed.epoch)
                try statement.bind(2, sealed.contentHash)
                try statement.bind(3, sealed.checksum)
                try statement.bind(4, bytes)
                try statement.bind(5, sealed.id)
            }
        }
    }

    /// A row's columns as they are, of whatever type; nil when there is no such row.
    private func rawColumns(
        _ table: StoreTable, _ id: Int64
    ) throws(SceneStoreError) -> [Value]? {
        guard let sql = Self.rawQuery(table) else {
            return nil
        }
        do {
            return try connection.withStatement(sql) {
                statement throws(SQLiteError) -> [Value]? in
                try statement.bind(1, id)
                guard try statement.step() else {
                    return nil
                }
                var columns: [Value] = []
                for index in 0..<statement.columnCount {
                    columns.append(try Self.value(statement, index))
                }
                return columns
            }
        } catch {
            throw SceneStoreError(error)
        }
    }

    private static func value(
        _ statement: borrowing Statement, _ index: Int32
    ) throws(SQLiteError) -> Value {
        switch statement.columnType(at: index) {
        case .null: return .null
        case .integer: return .integer(try statement.integer(at: index))
        case .real: return .double(try statement.real(at: index))
        case .blob: return .data(Data(try statement.blobCopy(at: index)))
        case .text:
            return try statement.withTextBytes(at: index) { bytes throws(SQLiteError) in
                // Text that is none keeps its bytes.
                if let text = String(validating: bytes, as: UTF8.self) {
                    return .string(text)
                }
                return .data(Data(bytes))
            }
        }
    }

    private static func rawQuery(_ table: StoreTable) -> StaticString? {
        switch table {
        case .configuration: Queries.rawConfiguration
        case .conditions: Queries.rawConditions
        default: quarantineQueries(table)?.raw
        }
    }

    private static func quarantineQueries(
        _ table: StoreTable
    ) -> (raw: StaticString, remove: StaticString)? {
        switch table {
        case .session: (Queries.rawSession, Queries.removeSession)
        case .saveContext: (Queries.rawSaveContext, Queries.removeSaveContext)
        case .discard: (Queries.rawDiscard, Queries.removeDiscard)
        case .launch: (Queries.rawLaunch, Queries.removeLaunch)
        case .event: (Queries.rawEvent, Queries.removeEvent)
        case .inbox: (Queries.rawInbox, Queries.removeInbox)
        case .savedActivity: (Queries.rawSavedActivity, Queries.removeSavedActivity)
        case .quarantinedRow: (Queries.rawQuarantinedRow, Queries.removeQuarantinedRow)
        case .state: (Queries.rawState, Queries.removeState)
        case .sessionValue: (Queries.rawSessionValue, Queries.removeSessionValue)
        case .sceneStorage: (Queries.rawSceneStorage, Queries.removeSceneStorage)
        case .launchException: (Queries.rawLaunchException, Queries.removeLaunchException)
        case .store, .migration, .configuration, .conditions: nil
        }
    }
}
