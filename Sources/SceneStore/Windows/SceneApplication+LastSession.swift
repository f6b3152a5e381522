import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

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
        try requireRunning()
        let found = FoundSessions()
        try event { [self] () throws(SceneStoreError) in
            guard !desktop.isTearingDown else {
                throw DesktopState.refusal
            }
            let records = engine.lastSession(of: try lastConnected(), touched: live.keys)
            let parked = records.filter { $0.parkedCause != nil }
            if !parked.isEmpty {
                // Those whose places they take have no scene, or they would be left out.
                _ = try store.discards.reopen(
                    identifiers: parked.map(\.id), displacing: displaced(by: parked).map(\.key))
            }
            try connect(
                records, asLeft: true, "its window was open when the last process ended")
            found.sessions = records.map(\.id)
        }
        return found.sessions
    }

    /// What an event that may come later answers.
    private final class FoundSessions {
        var sessions: [SceneSession.ID] = []
    }

    private func lastConnected() throws(SceneStoreError) -> [SessionRecord] {
        guard let known = desktop.lastSession else {
            return try store.asking { skeleton throws(SceneStoreError) in
                let launch = try skeleton.previousProcess().number
                return try skeleton.connected(atEndOf: launch - 1)
            }
        }
        var records: [SessionRecord] = []
        for key in known {
            if let record = try store.record(key: key) {
                records.append(record)
            }
        }
        return records
    }

    /// A launch that leaves the remembered windows alone leaves alone what they were, too. It was
    /// noted already: as of this launch.
    func keepLastSession() throws(SceneStoreError) {
        let connected = try store.asking { skeleton throws(SceneStoreError) in
            try skeleton.connected(atEndOf: try skeleton.previousProcess().number)
        }
        let known = engine.lastSession(of: connected, touched: [])
        desktop.lastSession = known.map(\.key)
        desktop.replacesLastSession = known.isEmpty
    }

    /// One of the last windows connects: from now on this process's windows are the last ones.
    func replaceLastSession(by key: Int64) {
        guard !desktop.replacesLastSession, let known = desktop.lastSession, known.contains(key)
        else {
            return
        }
        desktop.replacesLastSession = true
        var behind: [Int64] = []
        for (key, _) in live.scenes {
            if engine.machine.phase(of: key) == .background {
                behind.append(key)
            } else {
                states.mark(key) { $0.isFront = true }
            }
        }
        let (gone, connected) = (known.filter { live[$0] == nil }, behind)
        tolerating { () throws(SceneStoreError) in
            try store.marks.noteConnected(behind: connected, gone: gone)
        }
    }

    /// A launch is about to connect windows behind those in front. That is stored for all of them at
    /// once, so that it counts for a process that dies on the way, and costs no commit a window.
    func noteBehind(_ keys: [Int64]) {
        guard desktop.replacesLastSession, !keys.isEmpty else {
            return
        }
        tolerating { () throws(SceneStoreError) in
            try store.marks.noteConnected(behind: keys, gone: [])
            desktop.notedBehind = Set(keys)
        }
    }

    /// Whether it has to be stored that a window connects behind those in front.
    func isNewsBehind(_ key: Int64, _ connection: SceneConnection) -> Bool {
        desktop.replacesLastSession && connection.arrival == .background
            && desktop.notedBehind.remove(key) == nil
    }

    /// A scene went that was not closed: the session is open, and nothing of it is on the screen.
    func noteGone(_ key: Int64) {
        tolerating { () throws(SceneStoreError) in try store.marks.noteConnected(gone: [key]) }
    }
}
