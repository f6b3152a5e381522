/// What the host tells an app from before scenes.
extension SceneApplication {
    /// A pre-scene app leaves the front; it is told nothing.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or when it is not in
    /// front.
    public func moveApplicationToBackground() throws(SceneStoreError) {
        try requireRunning()
        guard options.lifecycle == .application, preScene.isActive else {
            throw SceneStoreError(.invalidState, "the app is not in front")
        }
        preScene.leave()
        letStoreGo()
    }

    /// A pre-scene app comes back to the front.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or when it is in front.
    public func moveApplicationToForeground() throws(SceneStoreError) {
        try requireRunning()
        guard options.lifecycle == .application, !preScene.isActive else {
            throw SceneStoreError(.invalidState, "the app is in front already")
        }
        try event { [self] () throws(SceneStoreError) in
            preScene.comeForward()
        }
    }
}
