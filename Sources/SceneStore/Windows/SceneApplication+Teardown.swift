/// A logout, a shutdown, a signal to end: the desktop closes the windows, not the user (L-48).
extension SceneApplication {
    /// Begins a logout: from here on a window that closes is saved and comes back at the next
    /// launch.
    ///
    /// Call it when the desktop announces that its session ends, or on `SIGTERM`, before the
    /// toolkit closes windows one by one. A window that closes gets `(inactive), bg`, its save
    /// chain and `disconnect`. It is not asked whether it may close, and no session is discarded.
    /// Changes that are not saved yet are saved. The front marks, the order and the placements
    /// stay. New windows are refused with ``SceneStoreError/Code/tearingDown``. Payloads wait in
    /// the inbox, or are refused without one. End the process with ``quit()``, or continue with
    /// ``endTeardown()``.
    public func beginTeardown() throws(SceneStoreError) {
        try requireRunning()
        guard !isTearingDown else {
            return
        }
        try event { [self] () throws(SceneStoreError) in ending.beginTeardown() }
    }

    /// Ends a logout that was called off: closing a window discards it again.
    ///
    /// Windows that were closed meanwhile are open and disconnected. Activate them, or leave them
    /// to the next launch.
    public func endTeardown() throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in ending.endTeardown() }
    }

    /// Whether the desktop's session ends; see ``beginTeardown()``.
    public var isTearingDown: Bool { ending.isTearingDown }
}
