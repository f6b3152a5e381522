extension SceneApplication {
    /// What happens to the app's windows, from now on.
    ///
    ///     for await change in application.changes where change.kind == .discarded {
    ///         forgetThumbnail(of: change.session)
    ///     }
    ///
    /// Each call makes a stream of its own, which ends when the application does. An element that nobody
    /// takes is kept.
    public var changes: AsyncStream<SceneChange> {
        feed.makeStream()
    }
}
