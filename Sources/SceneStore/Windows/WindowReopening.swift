import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Gives windows back: closed and parked ones, and those of the last process (S-50, L-48).
///
/// What is given back is stored as open before a window is made. A window whose place is taken is
/// saved and parked before.
struct WindowReopening {
    let application: SceneApplication
    private var core: ApplicationCore { application.core }

    // MARK: What was closed

    /// What was closed and can be reopened, in the groups in which it was closed, the last one first.
    func closedGroups() throws(SceneStoreError) -> [ReturnableWindows] {
        var groups: [ReturnableWindows] = []
        var members: [SceneSession] = []
        let closed = try core.store.discards.recentlyClosed()
        for (index, window) in closed.enumerated() {
            var session = try core.store.session(for: window.record)
            session.discardCause = window.cause
            members.append(session)
            let next = index + 1 < closed.count ? closed[index + 1] : nil
            if next?.closing.group != window.closing.group {
                groups.append(
                    ReturnableWindows(
                        sessions: members, cause: .closed,
                        reason: members.count == 1 ? "its window was closed" : "they were closed",
                        since: window.closedAt))
                members = []
            }
        }
        return groups
    }

    // MARK: Giving back

    /// Why a closed session is given back.
    static let undone = "the closing of its window was undone"

    /// Gives closed and parked sessions back, and an activity to the session, once the windows with
    /// unsaved work agree whose places they take (L-47).
    func giveBack(
        _ sessions: [SceneSession.ID], _ activity: UserActivity? = nil, areAgreed: Bool = false
    ) throws(SceneStoreError) {
        try application.requireNoTeardown()
        var seen: Set<SceneSession.ID> = []
        let identifiers = sessions.filter { seen.insert($0).inserted }
        let isFree = areAgreed || core.engine.rules.supportsMultipleScenes
        let left = isFree ? [] : try places(of: identifiers)
        guard application.closing.unsaved(.windows(left)).isEmpty else {
            return try application.closing.require(.places(left, of: identifiers, activity))
        }
        let areWaiting = try areWaiting(identifiers)
        // Whatever happens from here on, the next launch finds them in front.
        let (reopened, displaced, closed) = try reopen(
            identifiers, inFront: true, takesOpen: areAgreed || areWaiting)
        displaced.filter { $0.parkedCause == nil }.forEach(leavePlace)
        try connect(reopened) {
            closed.contains($0.key) ? Self.undone : "it was kept without a window, and asked for"
        }
        if let activity {
            let request = SceneSessionActivationRequest(
                session: identifiers[0], userActivity: activity)
            try application.carryOut(
                core.planning { engine, skeleton throws(SceneStoreError) in
                    try engine.activate(request, in: skeleton)
                })
        }
    }

    /// Gives back what was connected when the last process with windows ended; answers what it was.
    func giveBackLastSession() throws(SceneStoreError) -> [SceneSession.ID] {
        try application.requireNoTeardown()
        let records = core.engine.lastSession(
            of: try application.lastWindows.records(), touched: core.live.keys)
        let parked = records.filter { $0.parkedCause != nil }
        if !parked.isEmpty {
            // Those whose places they take have no scene, or they would be left out.
            _ = try reopen(parked.map(\.id), inFront: false)
        }
        try connect(records, asLeft: true) { _ in
            "its window was open when the last process ended"
        }
        return records.map(\.id)
    }

    /// The windows whose places sessions take, in an app of one window (L-12).
    fileprivate func places(of sessions: [SceneSession.ID]) throws(SceneStoreError) -> [Int64] {
        let records = try sessions.map { session throws(SceneStoreError) in
            try core.store.record(identifier: session.rawValue)
        }
        return try core.planning { engine, skeleton throws(SceneStoreError) in
            try engine.displaced(by: records.compactMap(\.self), in: skeleton).map(\.key)
        }
    }

    private func connect(
        _ records: [SessionRecord], asLeft: Bool = false, reason: (SessionRecord) -> String
    ) throws(SceneStoreError) {
        for record in records {
            core.decide(.target, session: record.id, "reopened", reason(record))
        }
        let last = try application.carryOut(
            core.planning { engine, skeleton throws(SceneStoreError) in
                try engine.giveBack(records, asLeft: asLeft, in: skeleton)
            }
        ).last
        // Tabs connect in their order, so that others may be shown after the one in front.
        if records.count > 1, let front = application.connectedScenes.first, front.key != last,
            records.contains(where: { $0.key == front.key })
        {
            application.raiseHandler?(front)
        }
    }

    /// Stores that sessions are given back; others give their places up to them (L-12, L-18).
    func reopen(
        _ identifiers: [SceneSession.ID], inFront: Bool, takesOpen: Bool = false
    ) throws(SceneStoreError) -> StoredDiscards.Reopened {
        let engine = core.engine
        let reopened = try core.store.discards.reopen(
            identifiers: identifiers, inFront: inFront, takesOpen: takesOpen
        ) { records, skeleton throws(SceneStoreError) in
            try engine.displaced(by: records, in: skeleton)
        }
        for record in reopened.back where engine.rules.update(of: record) != .current {
            let entry = try core.store.read { skeleton throws(SceneStoreError) in
                try engine.formerEntry(of: record, in: skeleton)
            }
            core.engine.rules.adopted[record.key] = entry ?? engine.rules.adopted[record.key]
        }
        return reopened
    }

    /// Whether sessions are open, and only lack the place that another one has in an app of one window.
    private func areWaiting(_ sessions: [SceneSession.ID]) throws(SceneStoreError) -> Bool {
        guard !core.engine.rules.supportsMultipleScenes else {
            return false
        }
        for session in sessions {
            guard core.live.scene(for: session) == nil,
                try core.store.record(identifier: session.rawValue).map(core.engine.comesBack)
                    == true
            else {
                return false
            }
        }
        return true
    }

    /// The window of a session goes, because another one has the only place of its role: it is saved
    /// first.
    fileprivate func leavePlace(_ record: SessionRecord) {
        core.decide(
            .stay, session: record.id, "parked",
            "the app supports one scene, and another session has its place")
        application.leave(record.key)
        core.attempt(try core.store.marks.noteGone(record.key))
    }
}

/// Undoing the closing of a window (S-50).
extension SceneApplication {
    /// Returns the closed windows that can be reopened, in groups, last closed first.
    ///
    /// The windows of one action form one group. Its cause is ``ReturnableWindows/Cause/closed``.
    public func recentlyClosedGroups() throws(SceneStoreError) -> [ReturnableWindows] {
        try requireRunning()
        return try core.briefly(WindowReopening(application: self).closedGroups())
    }

    /// Reopens a closed session, with its identifier, state and placement, and connects it.
    ///
    /// The provider is not asked. See ``reopen(sessions:)``.
    public func reopen(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try reopen(sessions: [identifier])
    }

    /// Reopens closed sessions in one action and connects them. Durable on return.
    ///
    /// For example, the sessions of one group of ``recentlyClosedGroups()``. They have their
    /// identifiers, states and placements. The first one connects last, so that it is in front and
    /// has the focus. Sessions that were closed in one action, or that a quit did not keep, have
    /// their old order and focus, in whatever order you pass them. The provider is not asked.
    ///
    /// A session that is open and parked is reopened as well. If the app supports one scene of a
    /// role, the reopened session takes the place of the other one. The other session is saved and
    /// parked, and its window is closed. If that window has unsaved work, it is asked first
    /// (``SceneDelegate/sceneShouldClose(_:)``), and this throws
    /// ``SceneStoreError/Code/closingRefused`` or ``SceneStoreError/Code/closingPostponed``, as
    /// ``SceneApplication/quit()`` does. Throws ``SceneStoreError/Code/noSuchSession`` for a
    /// session that was not closed or is already forgotten,
    /// ``SceneStoreError/Code/multipleScenesNotSupported`` if two of `sessions` have a role of
    /// which the app supports one scene, or if the app can't show the role, and
    /// ``SceneStoreError/Code/tearingDown`` during a logout. If it throws, none is reopened.
    public func reopen(sessions: [SceneSession.ID]) throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            try WindowReopening(application: self).giveBack(sessions)
        }
    }

    /// Gives sessions back: the windows agreed whose places they take.
    func giveBack(
        agreed sessions: [SceneSession.ID], _ activity: UserActivity?
    ) throws(SceneStoreError) {
        try WindowReopening(application: self).giveBack(sessions, activity, areAgreed: true)
    }

    /// Opens the session of a value again that a payload is for (L-79, L-87), if it was closed, or is parked
    /// and can be had back. It connects with the payload. A window with unsaved work keeps its place, and
    /// nobody is asked: the payload can't wait (L-47).
    func reopenWindow(presenting value: Value) {
        let role = core.engine.rules.defaultRole
        core.tolerating { [self] () throws(SceneStoreError) in
            let (shown, isParked) = try core.planning {
                engine, skeleton throws(SceneStoreError) -> (SessionRecord?, Bool) in
                let shown = try engine.window(showing: value, role, skeleton)
                return (shown, shown.flatMap(engine.rules.parked) != nil)
            }
            let returning =
                try shown == nil && options.restoresClosedValue
                ? store.discards.closed(presenting: value, role: role)
                : isParked ? shown?.id : nil
            let reopening = WindowReopening(application: self)
            guard let returning,
                closing.unsaved(.windows(try reopening.places(of: [returning]))).isEmpty
            else {
                return
            }
            let displaced = try reopening.reopen([returning], inFront: true).displaced
            displaced.filter { core.live.scene($0.key) != nil }.forEach(reopening.leavePlace)
        }
    }

    /// Discards the parked sessions that the app can't show, with the cause cannot-display.
    ///
    /// These are the sessions that are parked because the app supports one scene, or has no
    /// configuration for their role (L-18). They can be reopened for a while like closed ones.
    /// Pinned sessions stay. Durable on return.
    ///
    /// Without this call they are discarded after 30 days and three stable launches. Throws what
    /// the store throws, also while it can't be written; then nothing is changed.
    public func discardParked() throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            try SessionRemoval(application: self).discardParked()
        }
    }
}

/// The windows that were open when the last process that had any ended (L-48).
extension SceneApplication {
    /// Brings back the windows that were connected when the last process with windows ended.
    ///
    /// These are the sessions that are still open: those that the launch did not connect, those in
    /// the background, those that ``quit(keepingWindows:discardingUnsaved:)`` did not keep, and, in
    /// an app of one scene, a session that a new one displaced while no window of its role is open.
    /// Sessions that are connected or held, or that this process has already connected, are left
    /// out.
    ///
    /// A launch that is ``SceneApplicationOptions/LaunchBehavior/fresh``, `none` or `safe` changes
    /// neither this list nor what the next restoring launch does, until it connects one of those
    /// sessions. From then on its windows are the last ones. Durable on return. Throws
    /// ``SceneStoreError/Code/tearingDown`` during a logout.
    ///
    /// - Returns: The sessions, most recently active first. Within a callback the list is empty,
    ///   because the call takes effect after the callback.
    @discardableResult
    public func reopenLastSession() throws(SceneStoreError) -> [SceneSession.ID] {
        try event(orLater: []) { [self] () throws(SceneStoreError) in
            try WindowReopening(application: self).giveBackLastSession()
        }
    }
}

/// What is kept without a window, and why: for a page on which the user chooses what comes back.
extension SceneApplication {
    /// Holds a session, or releases it. Durable on return.
    ///
    /// A held session stays open with its state, and no launch connects it; a window that it has now
    /// stays. Releasing also ends the hold that crashes led to, and gives the session's withheld state
    /// back, to its window at once, unless a later one was saved. ``returnableWindows()`` lists the
    /// held sessions. Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or
    /// discarded. If the window can't take its state back, throws what
    /// ``restoreWithheldState(for:generation:)`` does; the session is released then, and the state
    /// stays withheld.
    public func setHeld(_ isHeld: Bool, for session: SceneSession.ID) throws(SceneStoreError) {
        let (store, engine) = (core.store, core.engine)
        var isReleased = false
        try change(session) { (key) throws(SceneStoreError) in
            guard let record = try store.record(key: key) else {
                return
            }
            isReleased =
                !isHeld && record.flags.awaitsConfirmation
                && (record.isHeldByHand || record.crashCount > 0)
            let places = try store.read { skeleton throws(SceneStoreError) in
                try engine.holding(record, isHeld, in: skeleton)
            }
            try store.marks.setHeld(
                isHeld, key: key, keepsState: core.live.scene(key) != nil,
                freeing: places.freed, displacing: places.parked)
        }
        if isReleased, scene(for: session)?.session.withheldState != nil {
            try restoreWithheldState(for: session)
        }
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
        return try core.briefly(store.journal.events(session: session?.rawValue, limit: limit))
            .compactMap { DecisionRecord($0) }
    }
}
