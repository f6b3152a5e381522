import SceneStoreValues

/// Saving states (S-20 to S-23).
extension StoreCore {
    /// What differs from what is stored.
    struct Changes {
        var states: [ChangedState]
        var values: [ChangedValue]
        var marks: [ChangedMark]
        var isEmpty: Bool { states.isEmpty && values.isEmpty && marks.isEmpty }
    }

    /// A state that differs from the stored one.
    package struct ChangedState {
        package var session: StoreCaches.Session
        /// nil forgets the state.
        package var content: Content?
        /// The state is the stored one: only what it is saved under differs, or it was withheld.
        package var confirms = false

        package struct Content {
            package var state: EncodedState
            package var hash: Int64
        }
    }

    /// Saves states, values and marks in one transaction; answers which states differed.
    ///
    /// What is equal to what is stored costs no write (S-22); with no state changed the rest goes
    /// in mode normal.
    package func save(
        _ states: [StateToSave], values: [ValuesToSave], marks: [MarkChange],
        context: SaveContext, durability: Durability
    ) throws(SceneStoreError) -> [Int64] {
        try checkUsable()
        let changes = try changes(states, values, marks, context)
        // A state that is stored already may still wait for its sync: an earlier save of it was not
        // as durable as this one has to be.
        let needsSync = durability == .full && !states.isEmpty && log.hasUnsyncedSaves
        guard !changes.isEmpty || needsSync else {
            return []
        }
        let mode = changes.states.isEmpty && !needsSync ? .normal : durability
        try write(mode) { writer throws(SceneStoreError) in
            if needsSync {
                writer.commitAnyway()
            }
            try writer.apply(changes, context)
        }
        if !changes.states.isEmpty || !changes.values.isEmpty {
            noteSave(mode)
        }
        var written: [Int64] = []
        for state in changes.states {
            caches.keep(state.content?.state.bytes, of: state.session)
            if !state.confirms {
                counters.statesWritten += 1
                written.append(state.session.row.id)
            }
        }
        return written
    }
}

extension SceneSessionStore {
    /// Saves states, and the values and marks that changed with them, in one transaction; answers
    /// the keys of the sessions whose state differed from the stored one.
    ///
    /// When this returns, all of it is as durable as `durability` says; when it throws, nothing of
    /// it is stored. States equal to the stored ones cost no write. A new state is no longer
    /// stale; nil forgets the current one, which stays in the history.
    @discardableResult
    package func save(
        _ states: [StateToSave], values: [ValuesToSave] = [], marks: [MarkChange] = [],
        context: SaveContext, durability: Durability = .full
    ) throws(SceneStoreError) -> [Int64] {
        try using { core throws(SceneStoreError) in
            try core.save(
                states, values: values, marks: marks, context: context, durability: durability)
        }
    }

    /// An activity as it is stored; throws what saving it would throw, and stores nothing.
    package func encode(_ activity: UserActivity) throws(SceneStoreError) -> EncodedState {
        try core.withLock { core throws(SceneStoreError) in try core.encoder.encode(activity) }
    }
}
