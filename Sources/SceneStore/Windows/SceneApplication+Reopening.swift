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
        for closed in try store.discards.recentlyClosed() {
            var session = try store.session(for: closed.record)
            session.discardCause = closed.cause
            sessions.append(session)
        }
        return sessions
    }

    /// What was closed and can be had back, in groups: the windows of one action together, the group
    /// that was closed last first.
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

    /// Gives a closed session back, with its identifier, state and place, and connects it; the
    /// provider is not asked. See ``reopen(sessions:)``.
    public func reopen(_ identifier: SceneSession.ID) throws(SceneStoreError) {
        try reopen(sessions: [identifier])
    }

    /// Gives closed sessions back in one action, a group of ``recentlyClosedGroups()`` for one, with
    /// their identifiers, states and places, and connects them: the first one last, so that it is in
    /// front and has the focus. Sessions that were closed in one action, or that a quit did not keep,
    /// have the order and the focus that they had, whatever their order here.
    ///
    /// The provider is not asked. A session that is open and parked is given back as well. Where the
    /// app supports one scene of a role, the session that is given back takes the place of the one
    /// that has it: that one is saved and parked, and its window goes. Durable on return. Throws
    /// ``SceneStoreError/Code/noSuchSession`` for a session that was not closed or is forgotten by
    /// now, ``SceneStoreError/Code/multipleScenesNotSupported`` when two of `sessions` have a role of
    /// which the app supports one scene, or the app can show none of it, and
    /// ``SceneStoreError/Code/tearingDown`` during a logout; then none is given back.
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
        guard !desktop.isTearingDown else {
            throw DesktopState.refusal
        }
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
        if desktop.replacesLastSession {
            noteGone(record.key)
        }
    }

    func connect(
        _ records: [SessionRecord], asLeft: Bool = false, _ reason: String
    ) throws(SceneStoreError) {
        for record in records {
            decide(.target, session: record.id, "reopened", reason)
        }
        let engine = engine
        try carryOut(
            store.asking { skeleton throws(SceneStoreError) in
                try engine.giveBack(records, asLeft: asLeft, in: skeleton)
            })
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
