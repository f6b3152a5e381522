import SceneStore

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
    ///   - role: The window's role. Nil means the role under which `configuration` is declared, or
    ///     else ``SceneSessionRole/windowApplication``.
    ///   - configuration: The configuration of a new window; nil asks
    ///     ``SceneHost/configuration(for:options:)``. If the name wasn't declared, the window opens
    ///     all the same, and ``SceneApplication/diagnosticHandler`` gets `unresolvedConfiguration`.
    ///   - value: The value that the window shows. A window that already shows an equal value comes
    ///       forward instead; if a private window is asked for, only a private one does.
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
        try await openedWindow(role, configuration, try ValueCoder.encode(value), activity, privacy)
    }

    /// Opens a window that shows no particular value, and returns it.
    ///
    /// See ``openWindow(role:configuration:presenting:activity:privacy:)``.
    @discardableResult
    public nonisolated(nonsending) func openWindow(
        role: SceneSessionRole? = nil, configuration: String? = nil,
        activity: UserActivity? = nil, privacy: PrivacyClass = .standard
    ) async throws(SceneStoreError) -> Host.Window {
        try await openedWindow(role, configuration, nil, activity, privacy)
    }

    private nonisolated(nonsending) func openedWindow(
        _ role: SceneSessionRole?, _ configuration: String?, _ value: Value?,
        _ activity: UserActivity?, _ privacy: PrivacyClass
    ) async throws(SceneStoreError) -> Host.Window {
        let request = request(role, configuration, value, activity, privacy)
        let scene = try await application.openScene(request)
        application.flushChanges()
        guard let window = window(for: scene.session.persistentIdentifier) else {
            throw SceneStoreError(.invalidState, "the window was closed while it was opened")
        }
        return window
    }

    /// Requests a window from code that can't wait for it.
    ///
    /// Use it in a signal handler, a menu action or a callback of the host; within a callback the
    /// window opens after the callback. The window that prefers the activity's target comes forward, or
    /// a new one opens. ``SceneHost/configuration(for:options:)`` sees the activity, and
    /// ``SceneHost/deliver(_:to:)`` delivers it. A new window is asked for its state immediately, and
    /// saved with it in mode normal (L-41). Errors go to ``SceneApplication/diagnosticHandler``;
    /// `try await openWindow()` throws them, and returns the window. The parameters are those of
    /// ``openWindow(role:configuration:presenting:activity:privacy:)``.
    public func requestWindow(
        for activity: UserActivity? = nil, role: SceneSessionRole? = nil,
        configuration: String? = nil, privacy: PrivacyClass = .standard
    ) {
        application.requestSceneSessionActivation(
            request(role, configuration, nil, activity, privacy))
        application.flushChanges()
    }

    /// Requests a window for a value from code that can't wait for it.
    ///
    /// A window that already shows an equal value comes forward instead. An error of encoding goes to
    /// ``SceneApplication/diagnosticHandler``, too; see
    /// ``requestWindow(for:role:configuration:privacy:)``.
    public func requestWindow<Presented: Encodable>(
        presenting value: Presented, for activity: UserActivity? = nil,
        role: SceneSessionRole? = nil, configuration: String? = nil,
        privacy: PrivacyClass = .standard
    ) {
        application.core.tolerating { () throws(SceneStoreError) in
            application.requestSceneSessionActivation(
                request(role, configuration, try ValueCoder.encode(value), activity, privacy))
        }
        application.flushChanges()
    }

    /// Gives a window that the toolkit made and shows by itself its session, and returns the session.
    ///
    /// Report each such window once, when it is there. If a remembered session without a window was
    /// opened for an equal value, the window is that session's: the host restores its state into it,
    /// and ``SceneSession/isRemembered`` is true. Otherwise the window has a new session, which is
    /// saved immediately (L-41, L-87). ``SceneHost/makeWindow(for:)`` isn't called.
    ///
    /// - Parameters:
    ///   - window: The window. If it has a session already, that one is returned.
    ///   - configuration: The configuration of a new session; nil asks
    ///     ``SceneHost/configuration(for:options:)``.
    ///   - value: The value that the window shows.
    ///   - role: The window's role; nil as in
    ///     ``openWindow(role:configuration:presenting:activity:privacy:)``.
    /// - Throws: ``SceneStoreError/Code/requestDenied`` if another window shows an equal value, or is
    ///   the only one that its role may have: it comes forward, and the toolkit closes this one.
    ///   ``SceneStoreError/Code/multipleScenesNotSupported`` if no further window is allowed,
    ///   ``SceneStoreError/Code/invalidState`` within a callback of the host, and what the store throws.
    ///   The window then has no session.
    @discardableResult
    public func adopt<Presented: Encodable>(
        _ window: Host.Window, configuration: String? = nil, presenting value: Presented,
        role: SceneSessionRole? = nil
    ) throws(SceneStoreError) -> SceneSession {
        let value = try ValueCoder.encode(value)
        return try adopt(window, request(role, configuration, value, nil, .standard))
    }

    /// Gives a window that the toolkit made by itself, and that shows no particular value, a new session.
    ///
    /// See ``adopt(_:configuration:presenting:role:)``.
    @discardableResult
    public func adopt(
        _ window: Host.Window, configuration: String? = nil, role: SceneSessionRole? = nil
    ) throws(SceneStoreError) -> SceneSession {
        try adopt(window, request(role, configuration, nil, nil, .standard))
    }

    private func adopt(
        _ window: Host.Window, _ request: SceneSessionActivationRequest
    ) throws(SceneStoreError) -> SceneSession {
        if let known = scene(of: window) {
            return known.session
        }
        guard !application.core.isPerforming else {
            throw SceneStoreError(
                .invalidState, "a window can't be adopted within a callback; do it afterwards")
        }
        var failure: SceneStoreError?
        try windows.adopting(window, showing: request.presentedValue) {
            () throws(SceneStoreError) in
            application.requestSceneSessionActivation(request) { failure = $0 }
            if let failure {
                throw failure
            }
        }
        application.flushChanges()
        guard let session = scene(of: window)?.session else {
            throw SceneStoreError(
                .requestDenied,
                "another window already shows this value, or is the only one of its role; "
                    + "close this one")
        }
        return session
    }

    private func request(
        _ role: SceneSessionRole?, _ configuration: String?, _ value: Value?,
        _ activity: UserActivity?, _ privacy: PrivacyClass
    ) -> SceneSessionActivationRequest {
        var request = SceneSessionActivationRequest(role: role, userActivity: activity)
        request.presentedValue = value
        request.configurationName = configuration
        request.privacy = privacy
        return request
    }

    /// The remembered sessions, most recently active first, with the titles that the windows show
    /// now.
    ///
    /// ``SceneApplication/openSessions`` has the titles that were stored last. This sequence asks
    /// ``SceneHost/title(of:)`` of each window that is there, and has the stored title of every
    /// other session. So an app finds the window of a link while it runs, and at a launch before
    /// any window is made:
    ///
    /// ```swift
    /// let session = hosted.openSessions.first { $0.title == "Shopping" }
    /// let target: PayloadTarget = session.map { .window($0.id) } ?? .new
    /// ```
    ///
    /// Private windows are included; check ``SceneSession/privacy`` to leave them out.
    public var openSessions: some RandomAccessCollection<SceneSession> {
        application.openSessions.lazy.map { session in
            guard let title = self.window(for: session.id).flatMap(self.host.title) else {
                return session
            }
            var session = session
            session.title = title
            return session
        }
    }
}
