import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Undoing the closing of a window (S-50).
extension SceneApplication {
    /// Returns the stored sessions that were closed and can be reopened, last closed first.
    public func recentlyClosedSessions() throws(SceneStoreError) -> [SceneSession] {
        try requireRunning()
        defer {
            letStoreGo()
        }
        var sessions: [SceneSession] = []
        for closed in try store.discards.recentlyClosed() {
            var session = try store.session(for: closed.record)
            session.discardCause = closed.cause
            sessions.append(session)
        }
        return sessions
    }

    /// Returns the closed windows that can be reopened, in groups, last closed first.
    ///
    /// The windows of one action form one group.
    public func recentlyClosedGroups() throws(SceneStoreError) -> [ClosedGroup] {
        try requireRunning()
        defer {
            letStoreGo()
        }
        var groups: [ClosedGroup] = []
        var members: [SceneSession] = []
        let closed = try store.discards.recentlyClosed()
        for (index, window) in closed.enumerated() {
            var session = try store.session(for: window.record)
            session.discardCause = window.cause
            members.append(session)
            let next = index + 1 < closed.count ? closed[index + 1] : nil
            if next?.closing.group != window.closing.group {
                groups.append(ClosedGroup(sessions: members, closedAt: window.closedAt))
                members = []
            }
        }
        return groups
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
    /// role, the reopened session takes the place of the other one, which is saved and parked, and
    /// its window goes. Throws ``SceneStoreError/Code/noSuchSession`` for a session that was not
    /// closed or is already forgotten, ``SceneStoreError/Code/multipleScenesNotSupported`` if two
    /// of `sessions` have a role of which the app supports one scene, or if the app can't show the
    /// role, and ``SceneStoreError/Code/tearingDown`` during a logout. If it throws, none is
    /// reopened.
    public func reopen(sessions: [SceneSession.ID]) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            var seen: Set<SceneSession.ID> = []
            let once = sessions.filter { seen.insert($0).inserted }
            try giveBack(once, "the closing of its window was undone")
        }
    }

    private func giveBack(
        _ identifiers: [SceneSession.ID], _ reason: String
    ) throws(SceneStoreError) {
        try requireNoTeardown()
        let closed = try store.discards.recentlyClosed().map(\.record)
        var records: [SessionRecord] = []
        for identifier in identifiers {
            if let record = closed.first(where: { $0.id == identifier }) {
                records.append(record)
            } else if let record = try parkedRecord(identifier) {
                records.append(record)
            }
        }
        let displaced = try displaced(by: records)
        // Whatever happens from here on, the next launch finds them in front.
        let reopened = try store.discards.reopen(
            identifiers: identifiers, inFront: true, displacing: displaced.map(\.key))
        displaced.forEach(leavePlace)
        try connect(reopened, reason)
    }

    /// The window of a session goes, because another one has the only place of its role: it is saved
    /// first.
    private func leavePlace(_ record: SessionRecord) {
        decide(
            .stay, session: record.id, "parked",
            "the app supports one scene, and another session has its place")
        perform(engine.machine.quit(record.key))
        lastWindows.noteGone(record.key)
    }

    func connect(
        _ records: [SessionRecord], asLeft: Bool = false, _ reason: String
    ) throws(SceneStoreError) {
        for record in records {
            decide(.target, session: record.id, "reopened", reason)
        }
        let engine = engine
        let last = try carryOut(
            store.asking { skeleton throws(SceneStoreError) in
                try engine.giveBack(records, asLeft: asLeft, in: skeleton)
            })
        // Tabs connect in their order, so that others may be shown after the one in front.
        if let front = connectedScenes.first, front.key != last, records.count > 1,
            records.contains(where: { $0.key == front.key })
        {
            raiseHandler?(front)
        }
    }

    /// An open session that is parked.
    private func parkedRecord(
        _ identifier: SceneSession.ID
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let record = try openRecord(identifier), record.parkedCause != nil else {
            return nil
        }
        return record
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
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            let rules = engine.rules
            let records = try store.discards.parkedRecords().filter { record in
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
            try store.discards.discardParked(records.map(\.key))
            deliverDiscards(sessions)
            tolerating { () throws(SceneStoreError) in
                try store.discards.markDelivered(records.map(\.key))
            }
        }
    }
}
