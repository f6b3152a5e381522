import SceneStoreSQLite
import SceneStoreValues

/// Activation conditions, which sessions share (L-71).
extension Database {
    package func recordsWithConditions() throws(SceneStoreError) -> [ConditionedRecord] {
        let epoch = store.containerEpoch
        let found = try rows(Queries.sessionsWithConditions, binding(epoch)) {
            $0.epoch == epoch && $0.conditionsID != nil
        }
        return try found.filter(\.isOpen).map { row throws(SceneStoreError) in
            (record: try record(row), conditions: try conditions(row.conditionsID))
        }.sorted { SessionRecord.comesBefore($0.record, $1.record) }
    }

    /// The open sessions that have conditions of their own, the most recently active first. An index
    /// has all of it; whoever is chosen is read as a row, and held against it.
    package func keysWithConditions() throws(SceneStoreError) -> [ConditionedKey] {
        var found: [(key: Int64, recency: Int64, conditions: Int64)] = []
        // Without any, no other session is looked at.
        guard try first(Queries.sessionsWithConditions, binding(store.containerEpoch)) != nil else {
            return []
        }
        let configurations = try allConfigurations().filter { $0.row.openSessions > 0 }
        for known in configurations {
            try ask(Queries.conditionedSessionsOfConfiguration) { statement throws(SQLiteError) in
                try statement.bind(1, known.row.id)
                while try statement.step() {
                    let key = try statement.integer(at: 0)
                    found.append((key, try statement.integer(at: 1), try statement.integer(at: 2)))
                }
            }
        }
        if configurations.count > 1 {
            found.sort { $0.recency > $1.recency }
        }
        return try found.map { session throws(SceneStoreError) in
            (session.key, session.recency, try conditions(session.conditions), session.conditions)
        }
    }

    /// The conditions of a row; a damaged one has the defaults.
    package func conditions(_ id: Int64?) throws(SceneStoreError) -> ActivationConditions {
        guard let id else {
            return ActivationConditions()
        }
        if let known = caches.conditions[id] {
            return known
        }
        let bytes = try withRow(ConditionsRow.self, id) { _, bytes in Array(bytes) }
        let conditions =
            decoded(
                bytes, "activation conditions", session: "", ValueCodec.decodeConditions)
            ?? ActivationConditions()
        caches.conditions[id] = conditions
        return conditions
    }
}

extension Transaction {
    /// The row of encoded conditions, which is made when there is none.
    func internConditions(_ bytes: [UInt8]) throws(SceneStoreError) -> Int64 {
        let hash = Database.hash(bytes)
        let epoch = store.containerEpoch
        var known: Int64?
        try db.eachWithPayload(
            Queries.conditionsByHash, binding(epoch, hash),
            isAsked: { $0.epoch == epoch && $0.contentHash == hash }
        ) { row, stored in
            known = stored == bytes ? row.id : nil
            return known == nil
        }
        if let known {
            return known
        }
        let row = ConditionsRow(id: nextID(), epoch: epoch, contentHash: hash)
        try insert(row, payload: bytes)
        return row.id
    }
}
