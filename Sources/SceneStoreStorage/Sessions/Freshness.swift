import SceneStoreSQLite
import SceneStoreValues

/// Whether what is read is what was written last.
///
/// A checksum proves that a row was written once, not that nothing was written over it: a page whose
/// last write was lost holds whole rows of yesterday. Three things tell.
///
/// 1. A session binds its current state by the checksum of that row: one page of states that went
///    back is noticed when the state is read, and the state counts as missing.
/// 2. No state of a session is younger than the session's own row: a page of sessions that went back
///    is noticed when its states are looked at, which every first save does.
/// 3. The digests in the store's own row add up over what was written last: whatever else went back
///    is noticed by the check in the background. While the open sessions add up, so does every
///    binding in them.
extension Database {
    /// The bytes of a session's current state; nil when there is none, when it is damaged, and when what
    /// lies in its place is not what was saved last, which is noted.
    func stateBytes(of session: SessionRow) throws(SceneStoreError) -> [UInt8]? {
        guard let id = session.stateID else {
            return nil
        }
        var result: [UInt8]?
        _ = try withRow(StateRow.self, id) { state, bytes in
            if session.isBound(to: state) {
                result = Array(bytes)
            }
        }
        noteCurrentState(of: session, isThere: result != nil)
        return result
    }

    /// Notes that a session's current state is shown, or is not what was saved last.
    func noteCurrentState(of session: SessionRow, isThere: Bool) {
        if isThere {
            damage.shown.insert(session.id)
        } else {
            noteLostState(of: session)
        }
    }

    /// Says, once, that a session's current state is not what was saved last.
    package func noteLostState(of session: SessionRow) {
        guard let id = session.stateID else {
            return
        }
        let isDamaged = damage.rows.contains { $0.table == .state && $0.id == id }
        noteStale(
            session,
            isDamaged
                ? "the state that was saved last is damaged"
                : "the state that was saved last is not in the file; an older one is in its place",
            fix: "restoreWithheldState gives the newest earlier one to the app")
    }

    /// Says, once, that a session's row is older than one of its states.
    func noteOldSession(_ session: SessionRow) {
        noteStale(
            session,
            "the session's row is older than its newest state, which is kept in the history",
            fix: "restoreWithheldState gives it to the app after the next save")
    }

    /// Says, once for each session, why what it shows may not be what was saved last.
    func noteStale(_ session: SessionRow, _ message: String, fix: String) {
        guard damage.lostStates.insert(session.id).inserted else {
            return
        }
        damage.diagnostics.append(
            Diagnostic(
                .stateStale, .error, message, fix: fix,
                sessionIdentifier: SceneSession.ID(session.identifier)))
    }

    /// Whether the state that a session saved last is there and whole.
    func hasLastState(_ session: StoreCaches.Session) throws(SceneStoreError) -> Bool {
        guard let state = try states(of: session).first(where: session.row.isBound) else {
            return false
        }
        return try isWhole(StateRow.self, state.id)
    }

    /// The newest state of a session that proves itself, bound or not.
    func newestState(
        of session: StoreCaches.Session
    ) throws(SceneStoreError) -> StateRow? {
        for state in try states(of: session).reversed()
        where try isWhole(StateRow.self, state.id) {
            return state
        }
        return nil
    }
}

extension StoreCaches.Session {
    /// Whether one of its states, oldest first, was saved after its row was written: then the row is
    /// an older version.
    @inline(__always)
    func isOlder(than states: [StateRow]) -> Bool {
        states.last.map { $0.generation > row.generation } ?? false
    }
}

extension Transaction {
    /// Sets aside what a session recorded of its lost state, and makes the newest one that there is
    /// the current one, kept from the app until it asks for it.
    func replaceLostState(of session: StoreCaches.Session) throws(SceneStoreError) {
        let older = try db.newestState(of: session)
        if let columns = try db.rawColumns(.session, session.row.id) {
            try quarantine(
                DamagedRow(table: .session, id: session.row.id, reason: "its last state is lost"),
                columns)
        }
        db.caches.keep(nil, of: session)
        try judge(session) { row, pins in
            row.flags.release(slot: row.stateSlot, &pins)
            row.point(at: older)
            row.flags.withhold(.lost, slot: row.stateSlot, &pins)
        }
        note(
            .change, session.row.identifier,
            older.map { "last state lost, generation \($0.generation) withheld instead" }
                ?? "last state lost")
    }
}

extension Diagnostic.Code {
    /// A session's state may not be the one that was saved last.
    ///
    /// The state is damaged, or some pages of the file are older than others.
    public static let stateStale = Self("stateStale")
}
