/// What the app asks for: another scene, an activation, a destruction, a refresh.
public struct SceneSessionActivationRequest: Sendable {
    /// The session to bring forward; nil asks by role.
    public var sessionIdentifier: String?
    /// The role of the scene that is asked for.
    public var role: SceneSessionRole?
    /// What the scene is to show.
    public var userActivity: UserActivity?
    /// Connects a new scene without bringing it forward, as a system-requested connection.
    public var staysInBackground = false
    /// The value that the new window is for.
    public var presentedValue: Value?

    /// Asks for a session that is known.
    public init(session identifier: String, userActivity: UserActivity? = nil) {
        sessionIdentifier = identifier
        self.userActivity = userActivity
    }

    /// Asks for a scene of a role: a session that prefers the activity's target, else a new one.
    public init(role: SceneSessionRole = .windowApplication, userActivity: UserActivity? = nil) {
        self.role = role
        self.userActivity = userActivity
    }
}

extension SceneApplication {
    /// Activates a session or asks for a new scene.
    ///
    /// A connected session gets the activity by `scene(_:continue:)` alone; a disconnected or new
    /// one in its connection's options. The handler is silent on success; it gets
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded and
    /// ``SceneStoreError/Code/multipleScenesNotSupported`` when no further scene is allowed.
    public func requestSceneSessionActivation(
        _ request: SceneSessionActivationRequest,
        errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        carryOut(errorHandler, session: request.sessionIdentifier) {
            [self] () throws(SceneStoreError) in try activate(request)
        }
    }

    /// Asks to remove a session for good; its discard has the cause app.
    ///
    /// The handler is silent on success; it gets ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded.
    public func requestSceneSessionDestruction(
        _ identifier: String, errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        carryOut(errorHandler, session: identifier) { [self] () throws(SceneStoreError) in
            try discard(identifier, cause: .app)
        }
    }

    /// Asks to save a background scene again. In front, or without a scene, nothing happens.
    ///
    /// The handler is silent on success; it gets ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded, and what could not be saved.
    public func requestSceneSessionRefresh(
        _ identifier: String, errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        carryOut(errorHandler, session: identifier) { [self] () throws(SceneStoreError) in
            guard let record = try openRecord(identifier) else {
                throw SceneStoreError(
                    .requestDenied, "the session is unknown or was discarded")
            }
            perform(machine.refresh(record.key))
            try throwSaveFailure()
        }
    }

    private func carryOut(
        _ errorHandler: ((SceneStoreError) -> Void)?, session: String?,
        _ work: @escaping () throws(SceneStoreError) -> Void
    ) {
        do throws(SceneStoreError) {
            try event { [self] () throws(SceneStoreError) in
                do throws(SceneStoreError) {
                    try requireRunning()
                    try work()
                } catch {
                    guard let errorHandler else {
                        throw error
                    }
                    errorHandler(error)
                }
            }
        } catch {
            // Without a handler, or the store could not be taken back for the event.
            if let errorHandler {
                errorHandler(error)
            } else {
                report(error, session: session)
            }
        }
    }

    private func activate(_ request: SceneSessionActivationRequest) throws(SceneStoreError) {
        guard options.lifecycle == .scene else {
            throw SceneStoreError(.invalidState, "an app without scenes has none to activate")
        }
        let payload = request.userActivity.map(Payload.activity)
        if let identifier = request.sessionIdentifier {
            guard let record = try openRecord(identifier) else {
                throw SceneStoreError(
                    .requestDenied, "the session is unknown or was discarded")
            }
            try bringForward(record, payload: payload)
            return
        }
        let role = request.role ?? .windowApplication
        if let record = try preferring(payload?.activationIdentifier, role: role) {
            decide(
                .target, session: record.identifier, "prefers",
                "a session of the role prefers the target")
            try bringForward(record, payload: payload)
            return
        }
        if !supportsMultipleScenes, try store.openCount(role: role) > 0 {
            throw Self.oneSceneExists(of: role)
        }
        // Other words than for a link that makes a session: the journal keeps them apart.
        decide(.target, "new-window", "a new scene of the role was asked for")
        let connection = ConnectionOptions(payloads: payload.map { [$0] } ?? [])
        _ = try connectNew(
            role: role, options: connection,
            arrival: request.staysInBackground ? .background : .active,
            presentedValue: request.presentedValue)
    }

    private func preferring(
        _ identifier: String?, role: SceneSessionRole
    ) throws(SceneStoreError) -> SessionRecord? {
        guard identifier != nil else {
            return nil
        }
        return try store.recordsWithConditions()
            .filter {
                $0.record.configuration.role == role
                    && $0.conditions.prefersToActivate.allows(identifier)
            }
            .map(\.record)
            .min(by: SessionRecord.comesBefore)
    }

    static func oneSceneExists(of role: SceneSessionRole) -> SceneStoreError {
        SceneStoreError(
            .multipleScenesNotSupported,
            "the app supports one scene of the role, and it exists", path: role.rawValue)
    }

    package func bringForward(_ record: SessionRecord, payload: Payload?) throws(SceneStoreError) {
        if machine.phase(of: record.key) != nil {
            perform(
                machine.bringForward(
                    record.key, payload: payload.map { .requested($0) }))
            writeMarks()
        } else {
            // Another may have taken its place while it was held back.
            let role = record.configuration.role
            if connectedScenes.contains(where: {
                rules.isBarred(record, by: $0.session.configuration.role)
            }) {
                throw Self.oneSceneExists(of: role)
            }
            try connectRemembered(
                record, arrival: .active,
                options: ConnectionOptions(payloads: payload.map { [$0] } ?? []))
        }
    }
}
