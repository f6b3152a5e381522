import SceneStoreValues

/// Earlier states: looking at them, going back to one, pinning and withholding (S-51, L-52).
package struct StoredHistory: Sendable {
    let store: SceneSessionStore

    /// A session's states, newest first.
    package func versions(key: Int64) throws(SceneStoreError) -> [StateVersion] {
        try store.read { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            return try db.versions(db.states(of: session).reversed(), of: session)
        }
    }

    /// A session's withheld states, the one that was withheld last first.
    package func withheldVersions(key: Int64) throws(SceneStoreError) -> [StateVersion] {
        try store.read { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            return try db.versions(db.withheldStates(of: session), of: session)
        }
    }

    /// The state that a session had at a generation of its history.
    package func state(key: Int64, generation: Int64) throws(SceneStoreError) -> UserActivity? {
        try store.read { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            guard let row = try db.states(of: session).first(where: { $0.generation == generation })
            else {
                return nil
            }
            let bytes = try db.withRow(StateRow.self, row.id) { _, bytes in Array(bytes) }
            return db.decoded(bytes, "state", session: session.row.identifier) {
                bytes throws(SceneStoreError) in
                db.encoder.shown(try ValueCodec.decodeActivity(bytes), \.revealed)
            }
        }
    }

    /// Makes an earlier state the current one; the history stays as it is. Durable.
    package func checkout(key: Int64, generation: Int64) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            let state = try db.stateRow(of: session, at: generation)
            if !session.row.isBound(to: state) || session.row.flags.contains(.withheld) {
                try Self.point(session, at: state, db)
            }
        }
    }

    /// Makes a withheld state the current one again, for the app: that of a generation, or the one
    /// that was withheld last; answers whether there is one. Durable.
    package func takeBack(key: Int64, generation: Int64? = nil) throws(SceneStoreError) -> Bool {
        try store.using { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            let states = try db.withheldStates(of: session)
            guard
                let state = states.first(where: { $0.generation == generation ?? $0.generation })
            else {
                return false
            }
            try Self.point(session, at: state, db) { $0.crashCount = 0 }
            return true
        }
    }

    /// Makes a state the current one, which the app is given. Durable.
    private static func point(
        _ session: StoreCaches.Session, at state: StateRow, _ db: Database,
        _ change: (inout SessionRow) -> Void = { _ in }
    ) throws(SceneStoreError) {
        guard try db.withRow(StateRow.self, state.id, { _, _ in true }) == true else {
            throw SceneStoreError(
                .damagedRow, "the state of generation \(state.generation) is damaged")
        }
        try db.write(.full) { transaction throws(SceneStoreError) in
            db.caches.keep(nil, of: session)
            try transaction.judge(session) { row, pins in
                row.point(at: state)
                change(&row)
                // What was withheld is another state now, or this one, which is asked for.
                row.flags.release(slot: row.stateSlot, &pins)
            }
            transaction.note(.checkout, session.row.identifier, "generation \(state.generation)")
        }
    }

    /// Keeps a session's current state from the app: it is pinned in the history, and no later state is
    /// written over it (L-52); without a reason it is the app's again. Mode normal; nothing is written
    /// when it is so already.
    package func withhold(key: Int64, _ reason: WithheldReason?) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            let session = try db.knownSession(key)
            guard reason != .lost else {
                // Durable: the newest state that there is, in the place of the lost one. Nothing where the
                // state that was saved last is there.
                if session.row.stateID != nil, try !db.hasLastState(session) {
                    try db.write(.full) { transaction throws(SceneStoreError) in
                        try transaction.replaceLostState(of: session)
                    }
                }
                return
            }
            let known = try db.pins(of: session)
            var (flags, pins) = (session.row.flags, known)
            if let reason {
                flags.withhold(reason, slot: session.row.stateSlot, &pins)
            } else {
                flags.release(slot: session.row.stateSlot, &pins)
            }
            guard flags != session.row.flags || pins != known else {
                return
            }
            try db.write(.normal) { transaction throws(SceneStoreError) in
                try transaction.judge(session) { row, own in
                    (row.flags, own) = (flags, pins)
                }
                transaction.note(
                    .change, session.row.identifier,
                    reason.map { "state withheld: \($0.rawValue)" } ?? "state no longer withheld")
            }
        }
    }
}

/// Reads earlier states, pinned and withheld ones among them (S-51).
extension Database {
    /// What is known of some of a session's states.
    fileprivate func versions(
        _ states: [StateRow], of session: StoreCaches.Session
    ) throws(SceneStoreError) -> [StateVersion] {
        let pinned = try pins(of: session).app
        let withheld = try withheldStates(of: session).map(\.id)
        return try states.map { row throws(SceneStoreError) in
            StateVersion(
                generation: row.generation,
                context: try context(row.contextID, savedAt: row.savedAt),
                activityType: row.activityType, byteCount: Int(clamping: row.byteCount),
                isCurrent: session.row.isBound(to: row),
                isPinned: pinned.contains(row.entry.slot), isWithheld: withheld.contains(row.id))
        }
    }

    /// A session's withheld states, the one that was withheld last first.
    func withheldStates(of session: StoreCaches.Session) throws(SceneStoreError) -> [StateRow] {
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

/// One state of a session, past or current.
///
/// ```swift
/// let states = try application.history(of: session.id).filter { !$0.isWithheld }
/// let bytes = states.reduce(0) { $0 + $1.byteCount }
/// ```
public struct StateVersion: Sendable, Hashable {
    /// The transaction that saved it.
    public var generation: Int64
    /// The versions that the state was saved under, and the time.
    public var context: SaveContext
    /// The activity's type.
    public var activityType: String
    /// The size of the encoded activity.
    public var byteCount: Int
    /// Whether the session shows this state now.
    public var isCurrent: Bool
    /// Whether it is pinned: by the app, or because its window restored it migrated or in part (L-54).
    /// It stays in the history until it is unpinned (S-51).
    public var isPinned: Bool
    /// Whether the state is withheld, or was withheld and can still be taken back (L-52). It is
    /// pinned, too, as long as the session has no more than sixteen pinned states.
    public var isWithheld: Bool
}
