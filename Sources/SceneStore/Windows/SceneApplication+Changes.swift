extension SceneApplication {
    /// A stream of the changes of the app's windows, from now on.
    ///
    /// Each call makes a separate stream, which ends with the application. Elements that are not
    /// read yet are kept. ``SceneChange`` has an example.
    public var changes: AsyncStream<SceneChange> {
        feed.makeStream()
    }
}
