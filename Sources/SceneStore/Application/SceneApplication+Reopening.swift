import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Undoing the closing of a window (S-50).
extension SceneApplication {
    /// The sessions that were closed and can be had back, the one closed last first, as they are
    /// stored.
    public func recentlyClosedSessions() throws(SceneStoreError) -> [SceneSession] {
        try requireRunning()
        defer {
            letStoreGo()
        }
        var sessions: [SceneSession] = []
        for closed in try store.recentlyClosed() {
            var session = try store.session(for: closed.record)
            session.discardCause = closed.cause
            sessions.append(session)
        }
        return sessions
    }

    /// Gives a closed session back, with its identifier, state and place, and connects it; the
    /// provider is not asked. Durable on return.
    ///
    /// Throws ``SceneStoreError/Code/noSuchSession`` for a session that was not closed or is
    /// forgotten by now, and ``SceneStoreError/Code/multipleScenesNotSupported`` when the app
    /// supports one scene of the role and it exists.
    public func reopen(_ identifier: String) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            let closed = try store.recentlyClosed().first {
                $0.record.identifier.hasSameBytes(as: identifier)
            }
            if let role = closed?.record.configuration.role {
                let engine = engine
                try store.asking { skeleton throws(SceneStoreError) in
                    try engine.requireRoom(for: role, in: skeleton)
                }
            }
            let record = try store.reopen(identifier: identifier)
            decide(
                .target, session: identifier, "reopened", "the closing of its window was undone")
            try carryOut(engine.bringForward(record, nil))
        }
    }

    /// Takes a withheld state back: it becomes the session's current one, and a connected scene
    /// is given it by `scene(_:restoreInteractionStateWith:)` at once. Durable on return.
    ///
    /// The state that it replaces stays in the history. Throws
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was discarded, and
    /// ``SceneStoreError/Code/noSuchState`` when none of its states is withheld.
    public func restoreWithheldState(for identifier: String) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            guard let record = try openRecord(identifier) else {
                throw Engine.unknownSession
            }
            guard try store.takeBackWithheldState(key: record.key) else {
                throw SceneStoreError(.noSuchState, "no state of the session is withheld")
            }
            try handOver(record.key)
        }
    }
}
