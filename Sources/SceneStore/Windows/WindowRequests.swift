import SceneStoreEngine

/// Requests that return a result. Each is carried out before it returns; what a callback asks for by
/// the synchronous calls comes afterwards.
extension SceneApplication {
    /// Activates a session or makes a new scene, and returns it.
    ///
    /// Throws ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded,
    /// ``SceneStoreError/Code/multipleScenesNotSupported`` when no further scene is allowed, and
    /// ``SceneStoreError/Code/invalidState`` within a callback, where nothing can wait for the result.
    @discardableResult
    public nonisolated(nonsending) func openScene(
        _ request: SceneSessionActivationRequest = .init()
    ) async throws(SceneStoreError) -> Scene {
        try openedScene(request)
    }

    /// Closes a session's window for good, as ``closeWindow(of:)`` does; a window with unsaved work
    /// may stay.
    @discardableResult
    public nonisolated(nonsending) func close(
        _ session: SceneSession.ID
    ) async throws(SceneStoreError) -> ClosingAnswer {
        try requireNoCallback()
        return try closeWindow(of: session)
    }

    /// Gives a closed session back, and returns its scene; throws as the synchronous call does.
    @discardableResult
    public nonisolated(nonsending) func reopen(
        _ session: SceneSession.ID
    ) async throws(SceneStoreError) -> Scene {
        try requireNoCallback()
        try reopen(sessions: [session])
        return try connectedScene(session)
    }

    /// Asks a scene in the background for its state again, and stores it.
    public nonisolated(nonsending) func refresh(
        _ session: SceneSession.ID
    ) async throws(SceneStoreError) {
        try requireNoCallback()
        var failure: SceneStoreError?
        requestSceneSessionRefresh(session) { failure = $0 }
        if let failure {
            throw failure
        }
    }

    func openedScene(
        _ request: SceneSessionActivationRequest
    ) throws(SceneStoreError) -> Scene {
        try requireNoCallback()
        let known = Set(live.scenes.map(\.key))
        var failure: SceneStoreError?
        requestSceneSessionActivation(request) { failure = $0 }
        if let failure {
            throw failure
        }
        if let identifier = request.sessionIdentifier {
            return try connectedScene(identifier)
        }
        // Rows are numbered as they are made: the first new one is the one that was asked for.
        let made = live.scenes.first { !known.contains($0.key) }?.scene
        guard let scene = made ?? connectedScenes.first(where: { $0.session.role == request.role })
        else {
            throw SceneStoreError(.invalidState, "the scene was closed while it was opened")
        }
        return scene
    }

    private func connectedScene(_ identifier: SceneSession.ID) throws(SceneStoreError) -> Scene {
        guard let scene = scene(for: identifier) else {
            throw SceneStoreError(.invalidState, "the scene was closed while it was opened")
        }
        return scene
    }

    private func requireNoCallback() throws(SceneStoreError) {
        try requireRunning()
        guard !isPerforming else {
            throw SceneStoreError(
                .invalidState,
                "a callback can't wait for a request; use the synchronous call within it")
        }
    }
}

extension HostedSceneApplication {
    /// Opens a window for a value or an activity, or finds the one that shows it, and returns it.
    ///
    /// An existing window is used if it shows an equal value, prefers the target, or has a role
    /// that allows one window. A new window is asked for its state immediately, and saved with it
    /// in mode normal.
    ///
    /// ```swift
    /// let window = try await hosted.openWindow(presenting: note.id, privacy: .ephemeral)
    /// ```
    ///
    /// - Parameters:
    ///   - role: The window's role. Nil takes the role under which `configuration` is declared, or else
    ///     ``SceneSessionRole/windowApplication``.
    ///   - configuration: The configuration of a new window; nil asks
    ///     ``SceneHost/configuration(for:options:)``. A window of a name that was not declared opens, too;
    ///     ``SceneApplication/diagnosticHandler`` gets `unresolvedConfiguration`.
    ///   - value: The value that the window shows. A window that already shows an equal value comes
    ///       forward instead.
    ///   - activity: The activity that ``SceneHost/deliver(_:to:)`` delivers.
    ///   - privacy: The privacy class of a new window. The content of an ephemeral window never
    ///     reaches the disk.
    /// - Throws: ``SceneStoreError/Code/multipleScenesNotSupported`` when no further window is allowed,
    ///   what encoding throws for a value that can't be stored, and what the store throws.
    @discardableResult
    public nonisolated(nonsending) func openWindow<Presented: Encodable>(
        role: SceneSessionRole? = nil, configuration: String? = nil,
        presenting value: Presented, activity: UserActivity? = nil,
        privacy: PrivacyClass = .standard
    ) async throws(SceneStoreError) -> Host.Window {
        try openedWindow(role, configuration, try ValueCoder.encode(value), activity, privacy)
    }

    /// Opens a window that shows no particular value, and returns it.
    ///
    /// See ``openWindow(role:configuration:presenting:activity:privacy:)``.
    @discardableResult
    public nonisolated(nonsending) func openWindow(
        role: SceneSessionRole? = nil, configuration: String? = nil,
        activity: UserActivity? = nil, privacy: PrivacyClass = .standard
    ) async throws(SceneStoreError) -> Host.Window {
        try openedWindow(role, configuration, nil, activity, privacy)
    }

    private func openedWindow(
        _ role: SceneSessionRole?, _ configuration: String?, _ value: Value?,
        _ activity: UserActivity?, _ privacy: PrivacyClass
    ) throws(SceneStoreError) -> Host.Window {
        let declared = configuration.flatMap {
            application.options.manifest?.role(ofConfiguration: $0)
        }
        var request = SceneSessionActivationRequest(
            role: role ?? declared ?? .windowApplication, userActivity: activity)
        request.configurationName = configuration
        request.presentedValue = value
        request.privacy = privacy
        let scene = try application.openedScene(request)
        application.flushChanges()
        guard let window = window(for: scene.session.persistentIdentifier) else {
            throw SceneStoreError(.invalidState, "the window was closed while it was opened")
        }
        return window
    }
}
