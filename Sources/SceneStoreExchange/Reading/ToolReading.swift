import SceneStoreStorage
import SceneStoreValues

/// What tools and tests ask a store for, and an app doesn't: it has it at hand.
extension SceneSessionStore {
    /// The sessions that were in front at the last transition, most recently active first. Costs
    /// nothing for the others.
    package func frontRecords() throws(SceneStoreError) -> [SessionRecord] {
        try read { db throws(SceneStoreError) in try db.frontRecords() }
    }

    /// The most recently active open session, of a role or of all.
    package func mostRecentRecord(
        role: SceneSessionRole? = nil
    ) throws(SceneStoreError) -> SessionRecord? {
        try read { db throws(SceneStoreError) in try db.mostRecentRecord(role: role) }
    }

    /// How many sessions are open, of a role or of all. Costs nothing per session.
    package func openCount(role: SceneSessionRole? = nil) throws(SceneStoreError) -> Int {
        try read { db throws(SceneStoreError) in try db.openCount(role: role) }
    }

    /// A session's current state.
    package func restorationActivity(key: Int64) throws(SceneStoreError) -> UserActivity? {
        try read { db throws(SceneStoreError) in
            guard let row = try db.session(key)?.row else {
                return nil
            }
            return try db.restorationActivity(row)
        }
    }

    /// Closes sessions for good, in one durable transaction. With `deliveredNow` the app is being told
    /// right now; without, the next launch tells it.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, deliveredNow: Bool
    ) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try write(.full) { transaction throws(SceneStoreError) in
            try transaction.discard(keys, cause: cause, deliveredNow: deliveredNow, asGroup: true)
        }
    }
}

extension StoredLaunches {
    /// What the last launch declared about the app's windows (S-43).
    package func lastDeclaration() throws(SceneStoreError) -> String? {
        try store.read { db throws(SceneStoreError) in try db.lastDeclaration() }
    }

    /// The launches, newest first.
    package func records(limit: Int = 100) throws(SceneStoreError) -> [LaunchRecord] {
        try store.read { db throws(SceneStoreError) in try db.launchRecords(limit: limit) }
    }
}
