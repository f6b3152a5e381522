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
    /// provider is not asked. A session that is open and parked is given back as well. Durable on
    /// return.
    ///
    /// Throws ``SceneStoreError/Code/noSuchSession`` for a session that was not closed or is
    /// forgotten by now, and ``SceneStoreError/Code/multipleScenesNotSupported`` when the app
    /// supports one scene of the role and it exists, or can show none of that role.
    public func reopen(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try reopenNow(identifier)
    }

    /// In an asynchronous function Swift takes the other `reopen` for its own.
    func reopenNow(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            let closed = try store.recentlyClosed().first {
                $0.record.id == identifier
            }
            let parked = try parkedRecord(identifier)
            if let role = (closed?.record ?? parked)?.configuration.role {
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

    /// An open session that is parked, if the app can show it at all.
    private func parkedRecord(
        _ identifier: SceneSession.ID
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let record = try openRecord(identifier), record.parkedCause != nil else {
            return nil
        }
        guard engine.rules.parked(record) != .noEntry else {
            throw SceneStoreError(
                .multipleScenesNotSupported,
                "the manifest has no configuration for the session's role",
                path: record.configuration.role.rawValue)
        }
        return record
    }

    /// Discards the sessions that are parked because the app supports one scene, or has no
    /// configuration for their role (L-18), with the cause cannot-display; they can be had back for
    /// a while like closed ones. Pinned ones stay. Durable on return.
    ///
    /// They are given up by themselves after 30 days and three launches that stayed up. Throws what
    /// the store throws, also while it can't be written: then nothing is changed.
    public func discardParked() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            let rules = engine.rules
            let records = try store.parkedRecords().filter { record in
                rules.parked(record)?.expires == true && !record.flags.contains(.pinned)
            }
            var sessions: [SceneSession] = []
            for record in records {
                var session = try store.session(for: record)
                session.discardCause = .cannotDisplay
                sessions.append(session)
            }
            guard !sessions.isEmpty else {
                return
            }
            try store.discardParked(records.map(\.key))
            deliverDiscards(sessions)
            tolerating { () throws(SceneStoreError) in
                try store.markDiscardsDelivered(records.map(\.key))
            }
        }
    }

    /// Takes a withheld state back: it becomes the session's current one, and a connected scene
    /// is given it by `scene(_:restoreInteractionStateWith:)` at once. Durable on return.
    ///
    /// The state that it replaces stays in the history. Throws
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was discarded, and
    /// ``SceneStoreError/Code/noSuchState`` when none of its states is withheld.
    public func restoreWithheldState(for identifier: SceneSession.ID) throws(SceneStoreError) {
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
