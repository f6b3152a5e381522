extension SceneApplication {
    /// Activates a session or asks for a new scene.
    ///
    /// A connected session gets the activity by `scene(_:continue:)` alone; a disconnected or new
    /// one in its connection's options. The handler isn't called on success; it gets
    /// ``SceneStoreError/Code/requestDenied`` for a session that is unknown or discarded and
    /// ``SceneStoreError/Code/multipleScenesNotSupported`` when no further scene is allowed.
    public func requestSceneSessionActivation(
        _ request: SceneSessionActivationRequest,
        errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        let requests = SceneRequests(application: self)
        requests.perform(errorHandler, session: request.sessionIdentifier) {
            () throws(SceneStoreError) in try requests.activate(request)
        }
    }

    /// Connects, in the background, the most recently used session that had no scene in this
    /// process.
    ///
    /// An app with very many windows brings back the first ones
    /// (``SceneApplicationOptions/Reconnection/first(_:)``), and one more in each idle moment. All
    /// sessions stay remembered, whenever the process ends. A session that the user activates earlier
    /// connects then, and isn't connected again.
    ///
    /// ```swift
    /// func mainLoopIsIdle() throws {
    ///     isLoading = try application.connectNextSession() != nil
    /// }
    /// ```
    ///
    /// Returns nil if none is left, and after a launch that brings no window back
    /// (``SceneApplicationOptions/LaunchBehavior``). Held and parked sessions, and sessions whose scene
    /// was evicted or isn't to be restored, stay without a scene. If a session can't be read,
    /// ``diagnosticHandler`` gets the error, and the next one connects. Throws
    /// ``SceneStoreError/Code/invalidState`` within a callback, and
    /// ``SceneStoreError/Code/tearingDown`` during a logout.
    @discardableResult
    public func connectNextSession() throws(SceneStoreError) -> Scene? {
        try SceneRequests(application: self).connectNext()
    }

    /// Asks to remove a session for good; its discard has the cause app. During a logout the window
    /// is closed as by a quit, and comes back (``beginTeardown()``).
    ///
    /// The handler isn't called on success; it gets ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded.
    public func requestSceneSessionDestruction(
        _ identifier: SceneSession.ID, errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        SceneRequests(application: self).perform(errorHandler, session: identifier) {
            [self] () throws(SceneStoreError) in
            guard isTearingDown else {
                try WindowRemoval(application: self).discard([identifier], cause: .app)
                return
            }
            try ending.leave([openKey(identifier)])
        }
    }

    /// Asks to save a background scene again. In front, or without a scene, nothing happens.
    ///
    /// The handler is not called on success. It gets ``SceneStoreError/Code/requestDenied`` for a
    /// session that is unknown or was discarded, and the error of a state that could not be saved.
    public func requestSceneSessionRefresh(
        _ identifier: SceneSession.ID, errorHandler: ((SceneStoreError) -> Void)? = nil
    ) {
        SceneRequests(application: self).perform(errorHandler, session: identifier) {
            [self] () throws(SceneStoreError) in
            perform(engine.machine.refresh(try openKey(identifier)))
            try states.throwSaveFailure()
        }
    }
}
