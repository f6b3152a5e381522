/// What the host tells an app from before scenes.
extension SceneApplication {
    /// Moves a pre-scene app to the background; no scene gets a callback.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or if the app is not in
    /// front.
    public func moveApplicationToBackground() throws(SceneStoreError) {
        try requireRunning()
        try preScene.leave()
        letStoreGo()
    }

    /// Moves a pre-scene app to the foreground.
    ///
    /// Throws ``SceneStoreError/Code/invalidState`` in an app with scenes, or if the app is in
    /// front.
    public func moveApplicationToForeground() throws(SceneStoreError) {
        try requireRunning()
        try preScene.requireBack()
        try event { [self] () throws(SceneStoreError) in preScene.comeForward() }
    }
}
