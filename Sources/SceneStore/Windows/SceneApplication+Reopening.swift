/// Undoing the closing of a window (S-50).
extension SceneApplication {
    /// Returns the closed windows that can be reopened, in groups, last closed first.
    ///
    /// The windows of one action form one group. Its cause is ``ReturnableWindows/Cause/closed``.
    public func recentlyClosedGroups() throws(SceneStoreError) -> [ReturnableWindows] {
        try requireRunning()
        defer {
            letStoreGo()
        }
        return try WindowReopening(application: self).closedGroups()
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
    /// parked, and its window is closed. Throws ``SceneStoreError/Code/noSuchSession`` for a
    /// session that was not closed or is already forgotten,
    /// ``SceneStoreError/Code/multipleScenesNotSupported`` if two of `sessions` have a role of
    /// which the app supports one scene, or if the app can't show the role, and
    /// ``SceneStoreError/Code/tearingDown`` during a logout. If it throws, none is reopened.
    public func reopen(sessions: [SceneSession.ID]) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try WindowReopening(application: self).giveBack(sessions)
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
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try WindowRemoval(application: self).discardParked()
        }
    }
}
