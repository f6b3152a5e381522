/// The states that sessions were saved with.
extension SceneApplication {
    /// Returns the states that a session was saved with, newest first.
    ///
    /// ```swift
    /// let history = try application.history(of: session.id)
    /// if let yesterday = history.first(where: { $0.context.savedAt < midnight }) {
    ///     try application.restore(yesterday.generation, of: session.id)
    /// }
    /// ```
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or was
    /// discarded.
    public func history(of session: SceneSession.ID) throws(SceneStoreError) -> [StateVersion] {
        try core.briefly(store.history.versions(key: core.openKey(session)))
    }

    /// Returns the saved state of a generation.
    ///
    /// Throws ``SceneStoreError/Code/noSuchState`` if the history no longer has it.
    public func state(
        at generation: Int64, of session: SceneSession.ID
    ) throws(SceneStoreError) -> UserActivity {
        guard
            let state = try core.briefly(
                store.history.state(key: core.openKey(session), generation: generation))
        else {
            throw SceneStoreError(
                .noSuchState, "the session has no state of generation \(generation)")
        }
        return state
    }

    /// Makes a saved state the current one. Durable on return.
    ///
    /// A connected scene gets the state immediately, by `scene(_:restoreInteractionStateWith:)`. No
    /// state is lost, because the scene's current state is saved first, and stays in the history.
    /// Throws ``SceneStoreError/Code/noSuchState`` if the history no longer has the state, the reason
    /// why the app can't restore it, and the error that prevents saving; then the session keeps its
    /// current state.
    public func restore(_ generation: Int64, of session: SceneSession.ID) throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            try checkOut(generation, of: session)
        }
    }

    /// The outcomes of the sessions that this launch should have brought back (S-40).
    public var launchLedger: LaunchLedger { core.book }
}

extension LaunchLedger {
    /// The ledger in one line: "2 of 3 windows are back, 1 is held, because it is held by hand".
    ///
    /// Each reason of an outcome is given once, and at most two of them. ``exceptions`` has the
    /// reason of each session.
    public var summary: String {
        let total = expected
        let back = counts[.restored] ?? 0
        var parts = [
            "\(back) of \(total) window\(total == 1 ? "" : "s") \(back == 1 ? "is" : "are") back"
        ]
        for outcome in LaunchOutcome.allCases where outcome != .restored {
            if let count = counts[outcome], count > 0 {
                parts.append("\(count) \(count == 1 ? "is" : "are") \(outcome.rawValue)")
                parts += reasons(of: outcome)
            }
        }
        return parts.joined(separator: ", ")
    }

    private func reasons(of outcome: LaunchOutcome) -> [String] {
        var known: Set<String> = []
        var words = exceptions.filter { $0.outcome == outcome && known.insert($0.reason).inserted }
            .prefix(3).map { "because \($0.reason)" }
        if words.count == 3 {
            words[2] = "for other reasons"
        }
        guard let last = words.popLast() else {
            return []
        }
        return words.isEmpty ? [last] : [words.joined(separator: ", ") + " and " + last]
    }
}

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
    public func pin(_ generation: Int64, of session: SceneSession.ID) throws(SceneStoreError) {
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
    public func unpin(_ generation: Int64, of session: SceneSession.ID) throws(SceneStoreError) {
        try requireRunning()
        try change(session) { (key) throws(SceneStoreError) in
            try store.history.unpin(key: key, generation: generation)
        }
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
        return try core.briefly(store.history.withheldVersions(key: core.openKey(session)))
    }

    /// Takes a withheld state back, so that it becomes the session's current one. Durable on
    /// return.
    ///
    /// A connected scene gets the state immediately, by `scene(_:restoreInteractionStateWith:)`; a
    /// host's window is then asked for its title and place, as after a change. A change that the scene shows and that isn't stored yet is saved first. The state that it
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
    ///     ``SceneApplicationOptions/stateMigrations`` determine which these are.
    public func restoreWithheldState(
        for identifier: SceneSession.ID, generation: Int64? = nil
    ) throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            try takeBack(generation, of: identifier)
        }
    }

    /// Gives a session the newest state of its history that the app can read. Durable on return.
    ///
    /// Call it after a rollback: what the newer version saved is withheld, so the windows show
    /// nothing, and states that this version can read are further back in the history.
    ///
    /// ```swift
    /// for scene in application.connectedScenes where scene.session.withheldState == .newer {
    ///     try application.restoreNewestReadableState(for: scene.session.id)
    /// }
    /// ```
    ///
    /// The state may be withheld, too. Nothing changes if the scene shows it already. What the scene
    /// shows is saved first, and the state that is replaced stays in the history. If the app can read
    /// no state, this throws why it can't read the newest one, or
    /// ``SceneStoreError/Code/noSuchState`` if there is none; otherwise it throws as
    /// ``restoreWithheldState(for:generation:)`` does.
    public func restoreNewestReadableState(
        for identifier: SceneSession.ID
    ) throws(SceneStoreError) {
        try event { [self] () throws(SceneStoreError) in
            try giveNewestReadable(of: identifier)
        }
    }
}
