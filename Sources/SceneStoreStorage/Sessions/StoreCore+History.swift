import SceneStoreValues

/// Earlier states (S-51).
extension StoreReading where Self: ~Copyable {
    package func history(_ key: Int64) throws(SceneStoreError) -> [StateVersion] {
        let session = try knownSession(key)
        let states = try states(of: session)
        return try versions(states.reversed(), of: session)
    }

    /// A session's withheld states, the one that was withheld last first.
    package func withheldVersions(_ key: Int64) throws(SceneStoreError) -> [StateVersion] {
        let session = try knownSession(key)
        return try versions(withheldStates(of: session), of: session)
    }

    private func versions(
        _ states: [StateRow], of session: StoreCaches.Session
    ) throws(SceneStoreError) -> [StateVersion] {
        let pinned = try pins(of: session).app
        let withheld = try withheldStates(of: session).map(\.id)
        var result: [StateVersion] = []
        for row in states {
            result.append(
                StateVersion(
                    generation: row.generation,
                    context: try context(row.contextID, savedAt: row.savedAt),
                    activityType: row.activityType, byteCount: Int(clamping: row.byteCount),
                    isCurrent: session.row.isBound(to: row),
                    isPinned: pinned.contains(row.entry.slot), isWithheld: withheld.contains(row.id)
                ))
        }
        return result
    }

    package func state(_ key: Int64, generation: Int64) throws(SceneStoreError) -> UserActivity? {
        let session = try knownSession(key)
        guard let row = try states(of: session).first(where: { $0.generation == generation })
        else {
            return nil
        }
        let bytes = try withState(row.id) { _, bytes in Array(bytes) }
        return decoded(bytes, "state", session: session.row.identifier) {
            bytes throws(SceneStoreError) in
            encoder.shown(try ValueCodec.decodeActivity(bytes), \.revealed)
        }
    }
}

extension StoreCore {
    package func checkout(_ key: Int64, generation: Int64) throws(SceneStoreError) {
        let session = try knownSession(key)
        guard let state = try states(of: session).first(where: { $0.generation == generation })
        else {
            throw SceneStoreError(
                .noSuchState, "the session has no state of generation \(generation)")
        }
        guard !session.row.isBound(to: state) else {
            return
        }
        guard try withState(state.id, { _, _ in true }) == true else {
            throw SceneStoreError(
                .damagedRow, "the state of generation \(generation) is damaged")
        }
        try write(.full) { writer throws(SceneStoreError) in
            caches.keep(nil, of: session)
            try writer.judge(session) { row, pins in
                row.point(at: state)
                // What was withheld is another state now, or this one, which is asked for.
                row.flags.release(slot: row.stateSlot, &pins)
            }
            writer.note(.checkout, session.row.identifier, "generation \(generation)")
        }
    }
}

extension SceneSessionStore {
    /// A session's states, newest first.
    package func history(key: Int64) throws(SceneStoreError) -> [StateVersion] {
        try read { reader throws(SceneStoreError) in try reader.history(key) }
    }

    /// A session's withheld states, the one that was withheld last first.
    package func withheldVersions(key: Int64) throws(SceneStoreError) -> [StateVersion] {
        try read { reader throws(SceneStoreError) in try reader.withheldVersions(key) }
    }

    /// The state that a session had at a generation of its history.
    package func state(key: Int64, generation: Int64) throws(SceneStoreError) -> UserActivity? {
        try read { reader throws(SceneStoreError) in
            try reader.state(key, generation: generation)
        }
    }

    /// Makes an earlier state the current one; the history stays as it is. Durable.
    package func checkout(key: Int64, generation: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.checkout(key, generation: generation)
        }
    }
}
