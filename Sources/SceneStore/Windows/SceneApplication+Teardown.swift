import SceneStoreEngine

/// A logout, a shutdown, a signal to end: the desktop closes the windows, not the user (L-48).
extension SceneApplication {
    /// Whether the desktop's session ends; see ``beginTeardown()``.
    public var isTearingDown: Bool { desktop.isTearingDown }

    /// From here on closing a window is quitting: it is saved and comes back with the next launch.
    ///
    /// Call it when the desktop says that its session ends, or on `SIGTERM`, before the toolkit closes
    /// windows one by one. A window that closes gets `(inactive), bg`, its save chain and
    /// `disconnect`; nobody is asked whether it may, and no session is discarded. Changes that are not
    /// saved yet are saved. Who was in front, in which order and where stays as it is now. New windows
    /// are refused with ``SceneStoreError/Code/tearingDown``; payloads wait in the inbox, or are
    /// refused without one. End the process with ``quit()``, or go on with ``endTeardown()``.
    public func beginTeardown() throws(SceneStoreError) {
        try requireRunning()
        guard !desktop.isTearingDown else {
            return
        }
        try event { [self] () throws(SceneStoreError) in
            // What changed until now counts, places too.
            saveChanges(asLeaving: true)
            writeMarks()
            desktop.isTearingDown = true
            desktop.votes = ClosingVotes()
        }
    }

    /// The logout was called off: closing a window is closing it again.
    ///
    /// Those that were closed meanwhile are open and disconnected: activate them, or leave them to
    /// the next launch.
    public func endTeardown() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            guard desktop.isTearingDown else {
                return
            }
            desktop.isTearingDown = false
            perform(engine.machine.refocus())
            writeMarks()
        }
    }

    /// Windows close because the process is about to end.
    func leaveForGood(_ keys: [Int64]) throws(SceneStoreError) {
        for key in engine.machine.all where keys.contains(key) {
            if engine.machine.phase(of: key) == .background, autosaver.pending.contains(key),
                let scene = live.scene(key)
            {
                states.collectState(of: scene)
                states.commitStates()
            }
            perform(engine.machine.quit(key))
        }
        saveChanges(asLeaving: true)
        try states.throwSaveFailure()
    }
}
