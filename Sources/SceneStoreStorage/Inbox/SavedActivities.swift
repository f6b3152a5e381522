import SceneStoreSQLite
import SceneStoreValues

/// Reads activities that the app saved beside its sessions (L-85).
package struct SavedActivities: StoreReading {
    package let parts: StoreParts

    /// Their rows by name; nil for all of them.
    package func rows(_ identifier: String?) throws(SceneStoreError) -> [SavedActivityRow] {
        let epoch = store.containerEpoch
        guard let identifier else {
            return try rows(Queries.savedActivities, number(epoch))
        }
        return try rows(Queries.savedActivitiesByIdentifier) {
            statement throws(SQLiteError) in
            try statement.bind(1, epoch)
            try statement.bind(2, identifier)
        } isAsked: {
            $0.epoch == epoch && $0.persistentIdentifier?.hasSameBytes(as: identifier) == true
        }
    }

    /// All of them, oldest first.
    func all() throws(SceneStoreError) -> [UserActivity] {
        var result: [UserActivity] = []
        try eachWithPayload(Queries.savedActivities, number(store.containerEpoch)) { _, bytes in
            let activity = decoded(bytes, "saved activity", session: "") {
                bytes throws(SceneStoreError) in try ValueCodec.decodeActivity(bytes)
            }
            if let activity {
                result.append(encoder.shown(activity, \.revealed))
            }
            return true
        }
        return result
    }
}

extension StoreReading where Self: ~Copyable {
    package var activities: SavedActivities { SavedActivities(parts: parts) }
}

extension SceneSessionStore {
    /// Saves an activity that belongs to no session, replacing one with the same identifier.
    ///
    /// The identifier is the activity's persistent identifier. On return, the change survives the
    /// death of the process. Keeps all of its `userInfo` except ``Options/ephemeralKeys``. Throws
    /// ``SceneStoreError/Code/limitExceeded`` for an activity that ``Limits`` does not allow.
    public func saveActivity(_ activity: UserActivity) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            let bytes = try ValueCodec.encode(
                try core.encoder.storable(activity), limits: core.limits)
            let replaced = try activity.persistentIdentifier.map {
                identifier throws(SceneStoreError) in try core.activities.rows(identifier)
            }
            try core.write(.normal) { writer throws(SceneStoreError) in
                try writer.delete(replaced ?? [])
                let row = SavedActivityRow(
                    id: writer.nextID(), epoch: writer.store.containerEpoch,
                    persistentIdentifier: activity.persistentIdentifier,
                    activityType: activity.activityType, savedAt: writer.now,
                    generation: writer.store.generation, contentHash: StoreCore.hash(bytes))
                try writer.insert(row, payload: bytes)
                writer.note(.activity, nil, "saved")
            }
        }
    }

    /// Returns the saved activities, oldest first.
    public func savedActivities() throws(SceneStoreError) -> [UserActivity] {
        try read { reader throws(SceneStoreError) in try reader.activities.all() }
    }

    /// Deletes saved activities by their persistent identifiers. Durable; sessions are untouched
    /// (L-85).
    public func deleteSavedActivities(
        persistentIdentifiers: [String]
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            var found: [SavedActivityRow] = []
            for identifier in Set(persistentIdentifiers.map(IdentifierText.init)) {
                found += try core.activities.rows(identifier.text)
            }
            try core.delete(found)
        }
    }

    /// Deletes all saved activities. Durable; sessions are untouched (L-85).
    public func deleteAllSavedActivities() throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.delete(try core.activities.rows(nil))
        }
    }
}

extension StoreCore {
    fileprivate func delete(_ found: [SavedActivityRow]) throws(SceneStoreError) {
        guard !found.isEmpty else {
            return
        }
        try write(.full) { writer throws(SceneStoreError) in
            try writer.delete(found)
            writer.note(.activity, nil, "\(found.count) deleted")
        }
    }
}
