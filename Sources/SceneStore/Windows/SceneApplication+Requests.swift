import SceneStoreEngine

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

    /// Asks to remove a session for good; its discard has the cause app. During a logout it is
    /// quitting, as all closing is then (``beginTeardown()``).
    ///
    /// The handler is silent on success; it gets ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded.
    public func requestSceneSessionDestruction(
        _ identifier: SceneSession.ID, errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        carryOut(errorHandler, session: identifier) { [self] () throws(SceneStoreError) in
            guard isTearingDown else {
                try discard([identifier], cause: .app)
                return
            }
            guard let record = try openRecord(identifier) else {
                throw Engine.unknownSession
            }
            try leaveForGood([record.key])
        }
    }

    /// Asks to save a background scene again. In front, or without a scene, nothing happens.
    ///
    /// The handler is not called on success. It gets ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded, and the error of a state that could not be saved.
    public func requestSceneSessionRefresh(
        _ identifier: SceneSession.ID, errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        carryOut(errorHandler, session: identifier) { [self] () throws(SceneStoreError) in
            guard let record = try openRecord(identifier) else {
                throw Engine.unknownSession
            }
            perform(engine.machine.refresh(record.key))
            try states.throwSaveFailure()
        }
    }

    private func carryOut(
        _ errorHandler: ((SceneStoreError) -> Void)?, session: SceneSession.ID?,
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
        let engine = engine
        try carryOut(
            store.asking { skeleton throws(SceneStoreError) in
                try engine.activate(request, in: skeleton)
            })
    }
}
