/// States that stay in a session's history, whatever is saved later.
extension SceneApplication {
    /// Pins a state of a session's history: no later state takes its place until it is unpinned.
    /// Durable on return.
    ///
    /// ```swift
    /// // "Keep this version": the newest state of the window stays.
    /// if let newest = try application.history(of: scene.session.id).first {
    ///     try application.pin(newest.generation, of: scene.session.id)
    /// }
    /// ```
    ///
    /// At most 16 states of a session are pinned, including withheld states. If there are more, the
    /// withheld state that was pinned longest is unpinned, with the diagnostic `pinGivenUp`. Pins
    /// survive launches, closing and reopening, backups and exports. They end with the session,
    /// with a reset, and when the session becomes ephemeral. The size of a pinned state doesn't
    /// count for ``HistoryPolicy/bytes``.
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was discarded,
    /// ``SceneStoreError/Code/noSuchState`` when the history has no state of the generation,
    /// ``SceneStoreError/Code/alreadyPinned`` when the app pinned it before, and
    /// ``SceneStoreError/Code/limitExceeded`` when the app pinned 16 states of the session; then
    /// nothing changes.
    ///
    /// - Parameters:
    ///   - generation: The generation of a ``StateVersion`` in ``history(of:)``.
    ///   - session: The session.
    public func pin(
        _ generation: Int64, of session: SceneSession.ID
    ) throws(SceneStoreError) {
        try requireRunning()
        try change(session) { (key) throws(SceneStoreError) in
            try store.history.pin(key: key, generation: generation)
        }
    }

    /// Ends a pin that the app set; the state stays in the history like any other. Durable on
    /// return.
    ///
    /// A withheld state stays pinned until ``restoreWithheldState(for:generation:)`` takes it back.
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was discarded,
    /// ``SceneStoreError/Code/noSuchState`` when the history has no state of the generation, and
    /// ``SceneStoreError/Code/notPinned`` when the app did not pin it.
    public func unpin(
        _ generation: Int64, of session: SceneSession.ID
    ) throws(SceneStoreError) {
        try requireRunning()
        try change(session) { (key) throws(SceneStoreError) in
            try store.history.unpin(key: key, generation: generation)
        }
    }

    /// Returns the states of a session that the app pinned, newest first.
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was
    /// discarded.
    public func pins(of session: SceneSession.ID) throws(SceneStoreError) -> [StateVersion] {
        try history(of: session).filter(\.isPinned)
    }

    /// Returns the withheld states of a session, the one that was withheld last first.
    ///
    /// ```swift
    /// // After a bad update: the newest state that this version can read.
    /// let states = try application.withheldStates(of: session.id)
    /// if let readable = states.first(where: { $0.context.appVersion == "1.4" }) {
    ///     try application.restoreWithheldState(
    ///         for: session.id, generation: readable.generation)
    /// }
    /// ```
    ///
    /// ``restoreWithheldState(for:generation:)`` gives one back. Throws
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was discarded.
    public func withheldStates(
        of session: SceneSession.ID
    ) throws(SceneStoreError) -> [StateVersion] {
        try requireRunning()
        defer {
            letStoreGo()
        }
        return try store.history.withheldVersions(key: openKey(session))
    }

    /// Takes a withheld state back, so that it becomes the session's current one. Durable on
    /// return.
    ///
    /// A connected scene gets the state immediately, by `scene(_:restoreInteractionStateWith:)`.
    /// A change that the scene shows and that isn't stored yet is saved first. The state that it
    /// replaces stays in the history; a withheld one stays withheld. Throws
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was discarded,
    /// ``SceneStoreError/Code/noSuchState`` if none of its states is withheld, or not that of the
    /// generation, ``SceneStoreError/Code/damagedRow`` if its bytes are damaged, the reason why the app
    /// can't restore it, and the error that prevents saving; then the session keeps its current state,
    /// and the other one stays withheld.
    ///
    /// Without a generation, it takes the newest withheld state that the app can read. If the app
    /// can read none, it throws why it can't read the state that was withheld last, such as
    /// ``SceneStoreError/Code/newerState``. If your own `restore` throws, this call throws a
    /// ``SceneStoreError`` unchanged, ``SceneStoreError/Code/decodingFailed`` for a
    /// `DecodingError`, and ``SceneStoreError/Code/restoreFailed`` for any other.
    ///
    /// - Parameters:
    ///   - identifier: The session.
    ///   - generation: One of ``withheldStates(of:)``. Nil means the most recently withheld state
    ///     that the app can read; its ``SavedState`` or its
    ///     ``SceneApplicationOptions/stateFormats`` determine which these are.
    public func restoreWithheldState(
        for identifier: SceneSession.ID, generation: Int64? = nil
    ) throws(SceneStoreError) {
        try requireRunning()
        try event { [self] () throws(SceneStoreError) in
            try restored.takeBack(generation, of: identifier)
        }
    }
}
