import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// Gives windows back: closed and parked ones, and those of the last process (S-50, L-48).
///
/// What is given back is stored as open before a window is made. A window whose place is taken is
/// saved and parked before.
struct WindowReopening {
    let application: SceneApplication

    // MARK: What was closed

    /// What was closed and can be reopened, in the groups in which it was closed, the last one first.
    func closedGroups() throws(SceneStoreError) -> [ReturnableWindows] {
        var groups: [ReturnableWindows] = []
        var members: [SceneSession] = []
        let closed = try application.store.discards.recentlyClosed()
        for (index, window) in closed.enumerated() {
            members.append(try session(of: window))
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

    private func session(of closed: ClosedSession) throws(SceneStoreError) -> SceneSession {
        var session = try application.store.session(for: closed.record)
        session.discardCause = closed.cause
        return session
    }

    // MARK: Giving back

    /// Gives closed and parked sessions back, each once, in front.
    func giveBack(_ sessions: [SceneSession.ID]) throws(SceneStoreError) {
        try application.ending.requireNoTeardown()
        var seen: Set<SceneSession.ID> = []
        let identifiers = sessions.filter { seen.insert($0).inserted }
        // Whatever happens from here on, the next launch finds them in front.
        let (reopened, displaced) = try reopen(identifiers, inFront: true)
        displaced.forEach(leavePlace)
        try connect(reopened, "the closing of its window was undone")
    }

    /// Gives back what was connected when the last process with windows ended; answers what it was.
    func giveBackLastSession() throws(SceneStoreError) -> [SceneSession.ID] {
        try application.ending.requireNoTeardown()
        let records = application.engine.lastSession(
            of: try application.lastWindows.records(), touched: application.live.keys)
        let parked = records.filter { $0.parkedCause != nil }
        if !parked.isEmpty {
            // Those whose places they take have no scene, or they would be left out.
            _ = try reopen(parked.map(\.id), inFront: false)
        }
        try connect(records, asLeft: true, "its window was open when the last process ended")
        return records.map(\.id)
    }

    private func connect(
        _ records: [SessionRecord], asLeft: Bool = false, _ reason: String
    ) throws(SceneStoreError) {
        for record in records {
            application.decide(.target, session: record.id, "reopened", reason)
        }
        let last = try application.carryOut(
            application.planning { engine, skeleton throws(SceneStoreError) in
                try engine.giveBack(records, asLeft: asLeft, in: skeleton)
            }
        ).last
        // Tabs connect in their order, so that others may be shown after the one in front.
        if let front = application.connectedScenes.first, front.key != last, records.count > 1,
            records.contains(where: { $0.key == front.key })
        {
            application.raiseHandler?(front)
        }
    }

    /// Stores that sessions are given back; others give their places up to them (L-12, L-18).
    private func reopen(
        _ identifiers: [SceneSession.ID], inFront: Bool
    ) throws(SceneStoreError) -> (back: [SessionRecord], displaced: [SessionRecord]) {
        let engine = application.engine
        return try application.store.discards.reopen(identifiers: identifiers, inFront: inFront) {
            records, skeleton throws(SceneStoreError) in
            try engine.displaced(by: records, in: skeleton)
        }
    }

    /// The window of a session goes, because another one has the only place of its role: it is saved
    /// first.
    private func leavePlace(_ record: SessionRecord) {
        application.decide(
            .stay, session: record.id, "parked",
            "the app supports one scene, and another session has its place")
        application.perform(application.engine.machine.quit(record.key))
        application.lastWindows.noteGone(record.key)
    }
}
