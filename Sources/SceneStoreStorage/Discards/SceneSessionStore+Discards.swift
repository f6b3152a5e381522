import SceneStoreValues

extension SceneSessionStore {
    /// Closes sessions for good, in one durable transaction.
    ///
    /// With `deliveredNow` the app is being told right now: should the process die before
    /// ``StoredDiscards/markDelivered(_:)``, the next launch tells it once more, marked redelivered.
    /// Without, the next launch tells it for the first time.
    package func discard(
        _ keys: [Int64], cause: DiscardCause, deliveredNow: Bool
    ) throws(SceneStoreError) {
        guard !keys.isEmpty else {
            return
        }
        try write(.full) { writer throws(SceneStoreError) in
            try writer.discard(keys, cause: cause, deliveredNow: deliveredNow, asGroup: true)
        }
    }

    /// Removes sessions, open or closed, with all that they hold and without a discard, and ends the
    /// parking of those that take their places. Durable.
    package func forget(
        _ keys: [Int64], freeing freed: [Int64] = []
    ) throws(SceneStoreError) {
        try usingFile { core throws(SceneStoreError) in
            var found: [StoreCaches.Session] = []
            for key in Set(keys) {
                found.append(try core.knownSession(key))
            }
            guard !found.isEmpty else {
                return
            }
            try core.write(.full) { writer throws(SceneStoreError) in
                for key in freed {
                    try writer.park(key, nil)
                }
                for session in found {
                    writer.note(.forget, session.row.identifier)
                    if let tombstone = try core.discards.row(session.row.id) {
                        try writer.delete(tombstone)
                    }
                    try writer.deleteSession(session)
                }
            }
        }
    }
}
