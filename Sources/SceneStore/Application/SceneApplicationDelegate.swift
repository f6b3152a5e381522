/// What an app does as a whole.
///
/// The counterpart of
/// [UIApplicationDelegate](https://developer.apple.com/documentation/uikit/uiapplicationdelegate),
/// its scene half and, for ``SceneApplication/Lifecycle/application``, the callbacks from before
/// scenes. Every method has a default that does nothing.
///
/// ```swift
/// final class NotesApp: SceneApplicationDelegate {
///     func application(
///         _ application: SceneApplication, sceneDelegateFor session: SceneSession
///     ) -> (any SceneDelegate)? { NoteWindow() }
/// }
/// ```
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
    /// Pre-scene apps: a link to open; answers whether it was opened.
    func application(_ application: SceneApplication, open context: OpenURLContext) -> Bool
    /// Pre-scene apps: an activity is on its way; answers whether the app tells the user so.
    func application(
        _ application: SceneApplication, willContinueUserActivityWithType type: String
    ) -> Bool
    /// Pre-scene apps: an activity to continue; answers whether it was.
    func application(_ application: SceneApplication, continue activity: UserActivity) -> Bool
    /// Pre-scene apps: the announced activity never came.
    func application(
        _ application: SceneApplication, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError)
    /// Pre-scene apps: a quick action to perform; tells once whether it was.
    func application(
        _ application: SceneApplication, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// Pre-scene apps: the user answered a notification; tells once when that was dealt with.
    func application(
        _ application: SceneApplication, didReceive response: NotificationResponse,
        completionHandler: @escaping () -> Void)
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
    /// Answers no.
    public func application(
        _ application: SceneApplication, open context: OpenURLContext
    ) -> Bool { false }
    /// Answers no.
    public func application(
        _ application: SceneApplication, willContinueUserActivityWithType type: String
    ) -> Bool { false }
    /// Answers no.
    public func application(
        _ application: SceneApplication, continue activity: UserActivity
    ) -> Bool { false }
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
    /// Tells that it is done.
    public func application(
        _ application: SceneApplication, didReceive response: NotificationResponse,
        completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }
}

/// An application delegate that chooses the configuration of new sessions: the provider.
///
/// It is asked once in a session's life, when the session is made, and never at a relaunch.
/// Without one, a new session gets the manifest's first configuration for its role.
///
/// ```swift
/// final class ReaderApp: SceneConfigurationProvider {
///     func application(
///         _ application: SceneApplication, configurationForConnecting session: SceneSession,
///         options: ConnectionOptions
///     ) -> SceneConfiguration { SceneConfiguration(name: "Note", role: session.role) }
/// }
/// ```
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
