import SceneStore
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// What people recognise a session by.
package struct SessionLabel: Sendable, Hashable {
    package var title: String?
    /// The type of the current state's activity.
    package var activityType: String?
    /// The size of the current state.
    package var byteCount: Int?
    /// The generation of the current state.
    package var stateGeneration: Int64?
    /// Whether the session names a state that is not in the file.
    package var isStateMissing = false
    /// Whether the history has a newer one than the current state.
    package var isStateEarlier = false
}

extension SessionLabel {
    /// The labels of some sessions, in their order; reads no state, and tells of those that are not
    /// there.
    package static func labels(
        of records: ArraySlice<SessionRecord>, in store: SceneSessionStore
    ) throws(SceneStoreError) -> [SessionLabel] {
        try store.read { db throws(SceneStoreError) in
            var labels: [SessionLabel] = []
            labels.reserveCapacity(records.count)
            for record in records {
                var label = SessionLabel()
                label.title = try db.value(.title, of: record.key).map {
                    String(decoding: $0, as: UTF8.self)
                }
                if let session = try db.session(record.key) {
                    let states = try db.states(of: session)
                    let state = states.first(where: session.row.isBound)
                    label.activityType = state?.activityType
                    label.byteCount = state.map { Int(clamping: $0.byteCount) }
                    label.stateGeneration = state?.generation
                    label.isStateEarlier = state != nil && state?.id != states.last?.id
                    if state == nil, session.row.stateID != nil {
                        label.isStateMissing = true
                        db.noteLostState(of: session.row)
                    }
                }
                labels.append(label)
            }
            return labels
        }
    }
}

extension SceneSessionStore {
    /// Whether a session's current state was found to be damaged since the store was opened.
    package func isStateDamaged(of record: SessionRecord) throws(SceneStoreError) -> Bool {
        try read { db throws(SceneStoreError) in
            guard !db.damage.rows.isEmpty, let id = try db.session(record.key)?.row.stateID else {
                return false
            }
            return db.damage.rows.contains { $0.table == .state && $0.id == id }
        }
    }

    /// The beginning of ``openRecords()``, found by index: so many at most, and only sessions that
    /// were active once. For lists that begin before everything is read.
    package func leadingRecords(_ limit: Int) throws(SceneStoreError) -> [SessionRecord] {
        try read { db throws(SceneStoreError) in
            var found: [SessionRecord] = []
            for known in try db.allConfigurations() where known.row.openSessions > 0 {
                let id = known.row.id
                var count = 0
                try db.each(Queries.openSessionsOfConfiguration, binding(id)) { row, _ in
                    let isRight = row.configurationID == id && row.isOpen
                    guard db.isAsked(isRight, .session, row.id) else {
                        return true
                    }
                    // What was never active shares its rank with others.
                    guard row.recency > 0, count < limit else {
                        return false
                    }
                    found.append(row.record(known.shared))
                    count += 1
                    return true
                }
            }
            return Array(found.sorted(by: SessionRecord.comesBefore).prefix(limit))
        }
    }
}
