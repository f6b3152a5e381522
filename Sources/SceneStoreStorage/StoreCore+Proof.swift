import SceneStoreSQLite
import SceneStoreValues

/// Looking at one row again, in the place where its number says it is.
extension StoreCore {
    /// Whether a row is there and proves itself, with its payload.
    package func isWhole(_ table: StoreTable, _ id: Int64) throws(SceneStoreError) -> Bool {
        switch table {
        case .session: try proves(SessionRow.self, Queries.rawSession, id)
        case .saveContext: try proves(SaveContextRow.self, Queries.rawSaveContext, id)
        case .discard: try proves(DiscardRow.self, Queries.rawDiscard, id)
        case .launch: try proves(LaunchRow.self, Queries.rawLaunch, id)
        case .event: try proves(EventRow.self, Queries.rawEvent, id)
        case .configuration: try proves(ConfigurationRow.self, Queries.rawConfiguration, id)
        case .launchException:
            try proves(LaunchExceptionRow.self, Queries.rawLaunchException, id)
        case .conditions:
            try proves(ConditionsRow.self, Queries.rawConditions, id, payload: \.contentHash)
        case .inbox: try proves(InboxRow.self, Queries.rawInbox, id, payload: \.contentHash)
        case .savedActivity:
            try proves(
                SavedActivityRow.self, Queries.rawSavedActivity, id, payload: \.contentHash)
        case .quarantinedRow:
            try proves(
                QuarantinedRow.self, Queries.rawQuarantinedRow, id, payload: \.contentHash)
        case .state: try proves(StateRow.self, Queries.rawState, id, payload: \.contentHash)
        case .sessionValue:
            try proves(SessionValueRow.self, Queries.rawSessionValue, id, payload: \.contentHash)
        case .sceneStorage:
            try proves(StorageRow.self, Queries.rawSceneStorage, id, payload: \.contentHash)
        case .store, .migration: false
        }
    }

    private func proves<Row: NumberedRow>(
        _: Row.Type, _ sql: StaticString, _ id: Int64, payload: ((Row) -> Int64)? = nil
    ) throws(SceneStoreError) -> Bool {
        var isWhole = false
        try each(sql, Row.self) { statement throws(SQLiteError) in
            try statement.bind(1, id)
        } _: { row, statement throws(SceneStoreError) in
            guard row.number == id else {
                return false
            }
            guard let payload else {
                isWhole = true
                return false
            }
            isWhole =
                try withPayload(statement, of: Row.table, id: id, hash: payload(row)) { _ in true }
                ?? false
            return false
        }
        return isWhole
    }
}
