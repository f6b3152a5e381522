import SceneStoreEngine

/// Closing windows, one or several in one action (L-36, L-47, L-48).
extension SceneApplication {
    /// Closes a window for the user: its session is discarded and comes back only by `reopen`.
    ///
    /// See ``closeWindows(of:)``.
    @discardableResult
    public func closeWindow(of identifier: SceneSession.ID) throws(SceneStoreError) -> ClosingAnswer
    {
        try closeWindows(of: [identifier])
    }

    /// Closes windows for the user in one action, as one group.
    ///
    /// ``reopen(sessions:)`` brings the group back with order, focus and placements. Windows with
    /// unsaved work are asked first, in front order (``SceneDelegate/sceneShouldClose(_:)``); if
    /// one stays, all stay. A window that is still asking its user is not asked again, and its
    /// decision counts for both calls. A change that is not stored yet is saved with the discard,
    /// for `reopen`. The discard is durable before the app gets its callback.
    ///
    /// During a logout closing is quitting: no window is asked, and the windows come back; see
    /// ``beginTeardown()``.
    ///
    /// - Returns: ``ClosingAnswer/close`` when they are closed, ``ClosingAnswer/keep`` when one of
    ///   them stays, ``ClosingAnswer/later`` when one asks its user first; also within a callback,
    ///   because the windows close after the callback.
    /// - Throws: ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded,
    ///   and what the store throws; then none is closed.
    @discardableResult
    public func closeWindows(
        of sessions: [SceneSession.ID]
    ) throws(SceneStoreError) -> ClosingAnswer {
        try event(orLater: .later) { [self] () throws(SceneStoreError) in
            var keys: [Int64] = []
            for session in sessions {
                keys.append(try openKey(session))
            }
            guard !isTearingDown else {
                try ending.leave(keys)
                return .close
            }
            return try closing.ask(.windows(keys))
        }
    }

    /// Closes all connected windows for the user, in one action; see ``closeWindows(of:)``.
    @discardableResult
    public func closeAllWindows() throws(SceneStoreError) -> ClosingAnswer {
        try closeWindows(of: connectedScenes.map(\.session.id))
    }

    /// Closes all connected windows except one, in one action; see ``closeWindows(of:)``.
    @discardableResult
    public func closeOtherWindows(
        than session: SceneSession.ID
    ) throws(SceneStoreError) -> ClosingAnswer {
        try closeWindows(of: connectedScenes.map(\.session.id).filter { $0 != session })
    }

    /// Continues a closing or a quit that waited for a window that returned
    /// ``ClosingAnswer/later``.
    ///
    /// The next window is asked, or the windows are closed, or the process ends; with
    /// ``ClosingAnswer/keep`` nothing is closed. Everything that waits for the window continues:
    /// other windows that were to be closed with it, and then a quit. Returns and throws as closing
    /// or quitting does. While another window is still asked, it returns ``ClosingAnswer/later``.
    /// Does nothing, and returns ``ClosingAnswer/keep``, if nothing waits for that window, for
    /// example because it was disconnected meanwhile.
    @discardableResult
    public func answerClosing(
        _ answer: ClosingAnswer, of session: SceneSession.ID
    ) throws(SceneStoreError) -> ClosingAnswer {
        try event(orLater: .later) { [self] () throws(SceneStoreError) in
            guard let key = live.scene(for: session)?.key else {
                return .keep
            }
            return try closing.take(answer, of: key)
        }
    }
}
