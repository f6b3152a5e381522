/// What an app does as a whole.
///
/// The counterpart of
/// [UIApplicationDelegate](https://developer.apple.com/documentation/uikit/uiapplicationdelegate),
/// its scene half and, for ``SceneApplication/Lifecycle/application``, the callbacks from before
/// scenes. Every method has a default that does nothing.
public protocol SceneApplicationDelegate: AnyObject {
    /// The process was launched; nothing is connected yet.
    func application(
        _ application: SceneApplication, willFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool
    /// The launch is nearly done; ``SceneApplication/openSessions`` is whole.
    func application(
        _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool
    /// Sessions are gone for good, each with its ``SceneSession/discardCause``.
    func application(
        _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession])
    /// The scene delegate for a session that connects, for classes that were not registered by
    /// name. Answering `nil` connects the session without one.
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)?
    /// Whether a state saved under other circumstances may be restored; the session is kept
    /// either way.
    func application(
        _ application: SceneApplication, shouldRestore session: SceneSession,
        savedUnder context: SaveContext
    ) -> Bool

    /// Where a link, an activity, a quick action or a notification goes (L-79); `nil` asks the
    /// windows' conditions. An answer that can't be met does so, too, with a diagnostic.
    ///
    /// Asked at a launch before anything else, and once for each payload. Not asked for an activity
    /// from another device, whose data is not there yet.
    func application(
        _ application: SceneApplication, targetFor payload: Payload
    ) -> PayloadTarget?

    /// Pre-scene apps: the app has the focus.
    func applicationDidBecomeActive(_ application: SceneApplication)
    /// Pre-scene apps: the app is about to be seen again.
    func applicationWillEnterForeground(_ application: SceneApplication)
    /// Pre-scene apps: a link to open.
    func application(_ application: SceneApplication, open context: OpenURLContext)
    /// Pre-scene apps: an activity is on its way.
    func application(
        _ application: SceneApplication, willContinueUserActivityWithType type: String)
    /// Pre-scene apps: an activity to continue.
    func application(_ application: SceneApplication, continue activity: UserActivity)
    /// Pre-scene apps: the announced activity never came.
    func application(
        _ application: SceneApplication, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError)
    /// Pre-scene apps: a quick action to perform.
    func application(
        _ application: SceneApplication, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// Pre-scene apps: the user answered a notification.
    func application(
        _ application: SceneApplication, didReceive response: NotificationResponse)
}

extension SceneApplicationDelegate {
    /// Answers yes.
    public func application(
        _ application: SceneApplication, willFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool { true }
    /// Answers yes.
    public func application(
        _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool { true }
    /// Does nothing.
    public func application(
        _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
    ) {}
    /// Has none.
    public func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { nil }
    /// Answers yes.
    public func application(
        _ application: SceneApplication, shouldRestore session: SceneSession,
        savedUnder context: SaveContext
    ) -> Bool { true }
    /// Asks the windows' conditions.
    public func application(
        _ application: SceneApplication, targetFor payload: Payload
    ) -> PayloadTarget? { nil }
    /// Does nothing.
    public func applicationDidBecomeActive(_ application: SceneApplication) {}
    /// Does nothing.
    public func applicationWillEnterForeground(_ application: SceneApplication) {}
    /// Does nothing.
    public func application(_ application: SceneApplication, open context: OpenURLContext) {}
    /// Does nothing.
    public func application(
        _ application: SceneApplication, willContinueUserActivityWithType type: String
    ) {}
    /// Does nothing.
    public func application(_ application: SceneApplication, continue activity: UserActivity) {}
    /// Does nothing.
    public func application(
        _ application: SceneApplication, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError
    ) {}
    /// Answers that the action was not performed.
    public func application(
        _ application: SceneApplication, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        completionHandler(false)
    }
    /// Does nothing.
    public func application(
        _ application: SceneApplication, didReceive response: NotificationResponse
    ) {}
}

/// An application delegate that chooses the configuration of new sessions: the provider.
///
/// It is asked once in a session's life, when the session is made, and never at a relaunch.
/// Without one, a new session gets the manifest's first configuration for its role.
public protocol SceneConfigurationProvider: SceneApplicationDelegate {
    /// The configuration of a new session, of the session's own role. The session already holds
    /// the manifest's default.
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration
    /// Whether the app wants to be asked now; answering false is like not conforming.
    func providesConfiguration(for role: SceneSessionRole) -> Bool
}

extension SceneConfigurationProvider {
    /// Answers yes.
    public func providesConfiguration(for role: SceneSessionRole) -> Bool { true }
}

/// What launched a pre-scene app. Empty in an app with scenes, whose payloads ride on a scene's
/// ``ConnectionOptions``.
public struct LaunchOptions: Hashable, Sendable {
    /// The link.
    public var url: String?
    /// The bundle identifier of the app that asked to open the link.
    public var sourceApplication: String?
    /// The activity.
    public var userActivity: UserActivity?
    /// The activity's type.
    public var userActivityType: String?
    /// The notification that the user answered.
    public var remoteNotification: NotificationResponse?
    /// The quick action.
    public var shortcutItem: ShortcutItem?

    /// Makes empty options.
    public init() {}

    /// Makes options that hold payloads, the first of each kind.
    package init(payloads: [Payload]) {
        for payload in payloads {
            switch payload {
            case .urls(let contexts):
                url = url ?? contexts.first?.url
                sourceApplication = sourceApplication ?? contexts.first?.sourceApplication
            case .activity(let activity):
                userActivity = userActivity ?? activity
                userActivityType = userActivityType ?? activity.activityType
            case .shortcut(let item): shortcutItem = shortcutItem ?? item
            case .notification(let response):
                remoteNotification = remoteNotification ?? response
            }
        }
    }
}
