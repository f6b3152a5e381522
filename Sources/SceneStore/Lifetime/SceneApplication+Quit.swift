/// How a process ends cleanly (L-39).
extension SceneApplication {
    /// Ends the process cleanly: saves the windows in front, remembers all, and closes the store.
    ///
    /// A window in the background is saved only if it reported a change
    /// (``Scene/setNeedsSave()``). Windows with unsaved work are asked first, each once and in front order
    /// (``SceneDelegate/sceneShouldClose(_:)``). If one stays, nothing is closed and this throws
    /// ``SceneStoreError/Code/closingRefused``. If one asks its user, it throws
    /// ``SceneStoreError/Code/closingPostponed``, and ``answerClosing(_:of:)`` continues. During a
    /// logout no window is asked.
    ///
    /// Throws if a change could not be written. Then the application still runs, with all its
    /// windows in the background, and you may call this again, for example once the disk has room.
    /// The application also continues if the store refuses only the note that the process ended. A
    /// state that can't be stored doesn't prevent the quit, and neither does a log that can't be
    /// copied into the store's file, because everything is stored in the log and the next launch
    /// reads it there. ``diagnosticHandler`` gets the error.
    public func quit() throws(SceneStoreError) {
        try quit(keepingWindows: true)
    }

    /// Ends the process cleanly, optionally without its windows coming back or despite a full disk.
    ///
    /// Without `keepingWindows`, all windows are parked with their states. The next launch begins
    /// with a new window, and ``reopen(_:)->()`` or an activation brings each one back. A window that
    /// is held back stays held.
    ///
    /// With `discardingUnsaved`, the process ends even while the store can't be written. The
    /// changes that are held in memory are lost, and the next launch finds the windows as they were
    /// stored last. Returns the identifiers of the sessions that lost something; without
    /// `discardingUnsaved`, which is ``quit()``, there are none.
    @discardableResult
    public func quit(
        keepingWindows: Bool = true, discardingUnsaved: Bool = false
    ) throws(SceneStoreError) -> [String] {
        try requireRunning()
        let lost = LostSessions()
        try event { [self] () throws(SceneStoreError) in
            lost.identifiers = try ending.quit(
                keepingWindows: keepingWindows, discardingUnsaved: discardingUnsaved)
        }
        return lost.identifiers
    }

    /// What an event that may come later answers.
    private final class LostSessions {
        var identifiers: [String] = []
    }
}
