import SceneStore

extension LaunchOptions {
    /// Makes the options that an app without scenes would have been launched with.
    ///
    /// This is for frameworks and plug-ins that expect launch options. An app with scenes gets
    /// empty ones, so pass these to them when the first scene connects. Launch options hold one
    /// payload of each kind, the first; ``ConnectionOptions/payloads`` has them all. A Handoff is
    /// announced by its type alone.
    public init(_ options: ConnectionOptions) {
        self.init(payloads: options.payloads)
        sourceApplication = sourceApplication ?? options.sourceApplication
        userActivityType = userActivityType ?? options.handoffUserActivityType
    }
}

extension ConnectionOptions {
    /// Makes, from an app's launch options, the options that a scene would have connected with.
    ///
    /// If they have an activity's type but no activity, a Handoff was announced.
    public init(_ options: LaunchOptions) {
        self.init()
        if let url = options.url {
            urlContexts = [OpenURLContext(url: url, sourceApplication: options.sourceApplication)]
        }
        sourceApplication = options.sourceApplication
        if let activity = options.userActivity {
            userActivities = [activity]
        } else {
            handoffUserActivityType = options.userActivityType
        }
        shortcutItem = options.shortcutItem
        notificationResponse = options.remoteNotification
    }
}
