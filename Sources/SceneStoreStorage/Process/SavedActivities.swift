import SceneStoreSQLite
import SceneStoreValues

/// Reads activities that the app saved beside its sessions (L-85).
extension Database {
    /// Their rows by name; nil for all of them.
    package func savedActivityRows(_ identifier: String?) throws(SceneStoreError)
        -> [SavedActivityRow]
    {
        let epoch = store.containerEpoch
        guard let identifier else {
            return try rows(Queries.savedActivities, binding(epoch))
        }
        return try rows(Queries.savedActivitiesByIdentifier, binding(epoch, identifier)) {
            $0.epoch == epoch && $0.persistentIdentifier?.hasSameBytes(as: identifier) == true
        }
    }

    /// All of them, oldest first: those that the app saved itself, or those that hold its settings.
    func savedActivities(isSetting: Bool = false) throws(SceneStoreError) -> [UserActivity] {
        var result: [UserActivity] = []
        try eachWithPayload(Queries.savedActivities, binding(store.containerEpoch)) { row, bytes in
            guard row.isSetting == isSetting else {
                return true
            }
            if let activity = decoded(
                bytes, "saved activity", session: "", ValueCodec.decodeActivity)
            {
                result.append(encoder.shown(activity, \.revealed))
            }
            return true
        }
        return result
    }

    fileprivate func delete(_ found: [SavedActivityRow]) throws(SceneStoreError) {
        guard !found.isEmpty else {
            return
        }
        try write(.full) { transaction throws(SceneStoreError) in
            try transaction.delete(found)
            transaction.note(.activity, nil, "\(found.count) deleted")
        }
    }
}

extension SceneSessionStore {
    /// Saves an activity that belongs to no session, replacing one with the same identifier.
    ///
    /// The identifier is the activity's persistent identifier; those that begin with
    /// `scenestore.setting/` are reserved for ``SceneApplication/storage``. On return, the change
    /// survives the death of the process. Keeps all of its `userInfo` except
    /// ``Options/ephemeralKeys``. Throws ``SceneStoreError/Code/limitExceeded`` for an activity that
    /// ``Limits`` does not allow.
    public func saveActivity(_ activity: UserActivity) throws(SceneStoreError) {
        try using { db throws(SceneStoreError) in
            let bytes = try ValueCodec.encode(try db.encoder.storable(activity), limits: db.limits)
            try db.write(.normal) { transaction throws(SceneStoreError) in
                if let identifier = activity.persistentIdentifier {
                    try transaction.delete(db.savedActivityRows(identifier))
                }
                let row = SavedActivityRow(
                    id: transaction.nextID(), epoch: transaction.store.containerEpoch,
                    persistentIdentifier: activity.persistentIdentifier,
                    activityType: activity.activityType, savedAt: transaction.db.now,
                    generation: transaction.store.generation, contentHash: Database.hash(bytes))
                try transaction.insert(row, payload: bytes)
                transaction.note(.activity, nil, "saved")
            }
            db.noteSave(.normal)
        }
    }

    /// Returns the saved activities, oldest first.
    public func savedActivities() throws(SceneStoreError) -> [UserActivity] {
        try read { db throws(SceneStoreError) in try db.savedActivities() }
    }

    /// Deletes saved activities by their persistent identifiers. Durable; sessions are untouched
    /// (L-85).
    public func deleteSavedActivities(persistentIdentifiers: [String]) throws(SceneStoreError) {
        try using { db throws(SceneStoreError) in
            var found: [SavedActivityRow] = []
            for identifier in Set(persistentIdentifiers.map(IdentifierText.init)) {
                found += try db.savedActivityRows(identifier.text)
            }
            try db.delete(found)
        }
    }

    /// Deletes all saved activities. Durable; sessions and settings are untouched (L-85).
    public func deleteAllSavedActivities() throws(SceneStoreError) {
        try using { db throws(SceneStoreError) in
            try db.delete(try db.savedActivityRows(nil).filter { !$0.isSetting })
        }
    }

    /// The app's settings by key (L-88): each is a saved activity of its own, with a reserved
    /// identifier, so that whatever carries saved activities carries settings, too.
    package func settings() throws(SceneStoreError) -> [String: Value] {
        try read { db throws(SceneStoreError) in
            try db.savedActivities(isSetting: true).reduce(into: [:]) { settings, activity in
                activity.userInfo.forEach { settings[$0.key] = $0.value }
            }
        }
    }

    /// Stores a setting; nil removes it, and one whose key is ephemeral isn't stored.
    package func setSetting(_ value: Value?, named name: String) throws(SceneStoreError) {
        let identifier = SavedActivityRow.settingPrefix + name
        guard let value, !encoder.ephemeralKeys.contains(name) else {
            return try deleteSavedActivities(persistentIdentifiers: [identifier])
        }
        var activity = UserActivity(checkedType: "scenestore.setting")
        activity.persistentIdentifier = identifier
        activity.userInfo = [name: value]
        try saveActivity(activity)
    }
}

extension SavedActivityRow {
    fileprivate static let settingPrefix = "scenestore.setting/"

    package var isSetting: Bool {
        persistentIdentifier?.utf8.starts(with: Self.settingPrefix.utf8) == true
    }
}
