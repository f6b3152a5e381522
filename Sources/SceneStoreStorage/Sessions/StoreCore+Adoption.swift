import SceneStoreValues

/// A new session that takes the place of one that the system has forgotten (L-40).
extension StoreCore {
    /// Makes a session with a lost one's `userInfo`, state and count of crashes, and removes the
    /// lost one: in one transaction, for a process may die at any moment.
    package func adopt(
        _ lost: SessionRecord, as new: NewSession, _ context: SaveContext
    ) throws(SceneStoreError) -> SessionRecord {
        let old = try knownSession(lost.key)
        let remembered = try wholeSession(lost)
        var new = new
        new.userInfo = remembered.userInfo
        try check(new)
        let contents = try encoded(new)
        var state: EncodedState?
        if var activity = remembered.stateRestorationActivity {
            activity.needsSave = false
            state = try encoder.encode(activity)
        }
        return try write(.full) { writer throws(SceneStoreError) in
            let session = try writer.insertRow(new, contents, crashCount: old.row.crashCount)
            if let state {
                let content = ChangedState.Content(state: state, hash: Self.hash(state.bytes))
                try writer.store(
                    ChangedState(session: session, content: content),
                    contextID: try writer.intern(context), savedAt: context.savedAt)
            }
            writer.note(.forget, old.row.identifier)
            try writer.deleteSession(old)
            return try record(session.row)
        }
    }
}

extension SceneSessionStore {
    /// Makes an open session in the place of a lost one, whose `userInfo`, state and count of crashes
    /// it takes over; the lost one is removed without a discard. One durable transaction.
    ///
    /// Throws as ``insertSession(identifier:configuration:userInfo:isFront:becameActive:presentedValue:durability:)``.
    package func adoptSession(
        _ lost: SessionRecord, identifier: String, configuration: SceneConfiguration,
        context: SaveContext
    ) throws(SceneStoreError) -> SessionRecord {
        let new = StoreCore.NewSession(
            identifier: identifier, configuration: configuration, userInfo: [:], isFront: false,
            becameActive: false, presentedValue: nil)
        return try using { core throws(SceneStoreError) in
            try core.adopt(lost, as: new, context)
        }
    }
}
