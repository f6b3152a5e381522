import SceneStoreValues

/// Earlier states (S-51).
extension StoreReading where Self: ~Copyable {
    package func history(_ key: Int64) throws(SceneStoreError) -> [StateVersion] {
        let session = try knownSession(key)
        var result: [StateVersion] = []
        for row in try states(of: session).reversed() {
            result.append(
                StateVersion(
                    generation: row.generation,
                    context: try context(row.contextID, savedAt: row.savedAt),
                    activityType: row.activityType, byteCount: Int(clamping: row.byteCount),
                    isCurrent: session.row.isBound(to: row)))
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
            try writer.updateRow(session, SessionRow.stateUpdate) { row in
                row.point(at: state)
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
