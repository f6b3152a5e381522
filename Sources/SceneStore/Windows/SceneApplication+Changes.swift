extension SceneApplication {
    /// What happens to the app's windows, from now on.
    ///
    /// Each call makes a stream of its own, which ends when the application does. An element that nobody
    /// takes is kept. ``SceneChange`` has an example.
    public var changes: AsyncStream<SceneChange> {
        feed.makeStream()
    }
}
