import SceneStoreStorage
import SceneStoreValues

/// A new session that takes the place of one that the system has forgotten (L-40).
extension SceneSessionStore {
    /// Makes an open session in the place of a lost one, whose `userInfo`, state and count of crashes
    /// it takes over; the lost one is removed without a discard. One durable transaction, for a process
    /// may die at any moment.
    ///
    /// Throws as ``insertSession(identifier:configuration:userInfo:isFront:becameActive:presentedValue:durability:)``.
    func adoptSession(
        _ lost: SessionRecord, identifier: String, configuration: SceneConfiguration,
        context: SaveContext
    ) throws(SceneStoreError) -> SessionRecord {
        try using { db throws(SceneStoreError) in
            let old = try db.knownSession(lost.key)
            let remembered = try db.wholeSession(lost)
            let new = Database.NewSession(
                quiet: identifier, configuration, remembered.userInfo)
            try db.check(new)
            let contents = try db.encoded(new)
            var state: EncodedState?
            if var activity = remembered.stateRestorationActivity {
                activity.needsSave = false
                state = try db.encoder.encode(activity)
            }
            return try db.write(.full) { transaction throws(SceneStoreError) in
                let session = try transaction.insertRow(
                    new, contents, crashCount: old.row.crashCount)
                if let state {
                    let contextID = try transaction.intern(context)
                    for changed in try transaction.db.changedStates(
                        [StateToSave(key: session.row.id, encoded: state)], context)
                    {
                        try transaction.store(
                            changed, contextID: contextID, savedAt: context.savedAt)
                    }
                }
                transaction.note(.forget, old.row.identifier)
                try transaction.deleteSession(old)
                return try transaction.db.record(session.row)
            }
        }
    }
}
