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
        try SceneRequests(application: self).open(request)
    }

    /// Closes a session's window for good, as ``closeWindow(of:)`` does.
    ///
    /// A window with unsaved work may stay.
    @discardableResult
    public nonisolated(nonsending) func close(
        _ session: SceneSession.ID
    ) async throws(SceneStoreError) -> ClosingAnswer {
        try SceneRequests(application: self).requireNoCallback()
        return try closeWindow(of: session)
    }

    /// Reopens a closed session, and returns its scene; throws as the synchronous call does.
    @discardableResult
    public nonisolated(nonsending) func reopen(
        _ session: SceneSession.ID
    ) async throws(SceneStoreError) -> Scene {
        let requests = SceneRequests(application: self)
        try requests.requireNoCallback()
        try reopen(sessions: [session])
        return try requests.connectedScene(session)
    }

    /// Asks a scene in the background for its state again, and stores it.
    public nonisolated(nonsending) func refresh(
        _ session: SceneSession.ID
    ) async throws(SceneStoreError) {
        try SceneRequests(application: self).requireNoCallback()
        var failure: SceneStoreError?
        requestSceneSessionRefresh(session) { failure = $0 }
        if let failure {
            throw failure
        }
    }
}
