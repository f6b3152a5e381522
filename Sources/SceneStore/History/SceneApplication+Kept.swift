import SceneStoreEngine

/// An open session that the app can't show at present.
///
/// ```swift
/// for parked in try application.parkedSessions() {
///     menu.append(parked.session.title ?? "Untitled")
/// }
/// ```
public struct ParkedSession: Sendable {
    /// The stored session.
    public let session: SceneSession
    /// The reason why it has no window.
    public let cause: ParkedCause
}

/// What is kept without a window, and why: for a page on which the user chooses what comes back.
extension SceneApplication {
    /// Returns the parked sessions, most recently active first.
    ///
    /// ``reopen(_:)->()`` brings one back if the app has room for it, and ``discardParked()``
    /// discards the sessions that the app can't show.
    public func parkedSessions() throws(SceneStoreError) -> [ParkedSession] {
        try requireRunning()
        defer {
            letStoreGo()
        }
        var sessions: [ParkedSession] = []
        for record in try store.discards.parkedRecords() {
            if let cause = record.parkedCause {
                sessions.append(
                    ParkedSession(session: try store.session(for: record), cause: cause))
            }
        }
        return sessions
    }

    /// Holds a session, or releases it. Durable on return.
    ///
    /// A held session stays open with its state, and no launch connects it; a window that it has now
    /// stays. Releasing also ends the hold that crashes led to, and gives the session's withheld state
    /// back. ``previewNextLaunch(behavior:receiving:)`` lists the held sessions. Throws
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded.
    public func setHeld(_ isHeld: Bool, for session: SceneSession.ID) throws(SceneStoreError) {
        try SessionChange(application: self, session: session).setHeld(isHeld)
    }

    /// Returns the decisions that the store remembers, newest first: why windows came back or didn't.
    ///
    /// - Parameters:
    ///   - session: The session of the decisions; nil returns the decisions about all sessions and
    ///     launches.
    ///   - limit: How many entries of the journal are read at most; 1 000 by default.
    public func decisions(
        about session: SceneSession.ID? = nil, limit: Int = 1_000
    ) throws(SceneStoreError) -> [DecisionRecord] {
        try requireRunning()
        defer {
            letStoreGo()
        }
        return try store.journal.events(session: session?.rawValue, limit: limit)
            .compactMap { DecisionRecord($0) }
    }
}
