import SceneStoreValues

/// Reads earlier states, pinned and withheld ones among them (S-51).
package struct HistoryReader: StoreReading {
    package let parts: StoreParts

    /// A session's states, newest first.
    package func versions(_ key: Int64) throws(SceneStoreError) -> [StateVersion] {
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

    /// The state that a session had at a generation of its history.
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

    /// A session's withheld states, the one that was withheld last first.
    func withheldStates(
        of session: StoreCaches.Session
    ) throws(SceneStoreError) -> [StateRow] {
        var slots = try pins(of: session).withheld
        // With sixteen pins of the app's there was no room for it.
        if session.row.flags.contains(.withheld), let current = session.row.stateSlot,
            !slots.contains(current)
        {
            slots.append(current)
        }
        let known = try states(of: session)
        return slots.reversed().compactMap { slot in known.first { $0.entry.slot == slot } }
    }

    /// The state of a session at a generation.
    func stateRow(
        of session: StoreCaches.Session, at generation: Int64
    ) throws(SceneStoreError) -> StateRow {
        guard let state = try states(of: session).first(where: { $0.generation == generation })
        else {
            throw SceneStoreError(
                .noSuchState, "the session has no state of generation \(generation)")
        }
        return state
    }
}

extension StoreReading where Self: ~Copyable {
    package var history: HistoryReader { HistoryReader(parts: parts) }
}
