/// The callbacks that concern the complete app.
///
/// The counterpart of
/// [UIApplicationDelegate](https://developer.apple.com/documentation/uikit/uiapplicationdelegate):
/// its scene half and, for ``SceneApplicationOptions/Lifecycle/application``, the callbacks from before
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
    /// Tells the delegate that the process was launched; no scene is connected yet.
    func application(
        _ application: SceneApplication, willFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool
    /// Tells the delegate that the launch is nearly done.
    ///
    /// ``SceneApplication/openSessions`` is complete.
    func application(
        _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool
    /// Sessions are gone for good, each with its ``SceneSession/discardCause``.
    func application(
        _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession])
    /// Returns the scene delegate for a session that connects, for classes not registered by name.
    ///
    /// Return `nil` to connect the session without a delegate.
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)?
    /// Returns whether a state that was saved under other circumstances may be restored.
    ///
    /// The session is kept either way.
    func application(
        _ application: SceneApplication, shouldRestore session: SceneSession,
        savedUnder context: SaveContext
    ) -> Bool

    /// Returns the window for a link, an activity, a quick action or a notification (L-79).
    ///
    /// Return `nil` to let the windows' conditions decide. They also decide if the target can't be
    /// met, with a diagnostic. Called first at a launch, and once for each payload. Not called for
    /// an activity from another device, because its data has not arrived yet, unless it waited in
    /// the inbox. If the app dies in this call, that counts as a death in the payload's delivery.
    func application(_ application: SceneApplication, targetFor payload: Payload) -> PayloadTarget?

    /// Tells the delegate of a pre-scene app that the app has the focus.
    func applicationDidBecomeActive(_ application: SceneApplication)
    /// Tells the delegate of a pre-scene app that the app is about to be visible again.
    func applicationWillEnterForeground(_ application: SceneApplication)
    /// Asks the delegate of a pre-scene app to open a link, and returns whether it did.
    func application(_ application: SceneApplication, open context: OpenURLContext) -> Bool
    /// Asks the delegate of a pre-scene app whether it tells the user that an activity is on its
    /// way.
    func application(
        _ application: SceneApplication, willContinueUserActivityWithType type: String
    ) -> Bool
    /// Asks the delegate of a pre-scene app to continue an activity, and returns whether it did.
    func application(_ application: SceneApplication, continue activity: UserActivity) -> Bool
    /// Tells the delegate of a pre-scene app that the announced activity failed to arrive.
    func application(
        _ application: SceneApplication, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError)
    /// Asks the delegate of a pre-scene app to perform a quick action.
    ///
    /// Call the completion handler once, with whether the action was performed.
    func application(
        _ application: SceneApplication, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// Tells the delegate of a pre-scene app that the user responded to a notification.
    ///
    /// Call the completion handler once, when you have handled the response.
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
    /// Reports that the action was not performed.
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
/// The provider is asked once in a session's life, when the session is made, and never at a
/// relaunch. Without one, a new session gets the manifest's first configuration for its role.
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
    /// Returns the configuration of a new session, with the session's own role.
    ///
    /// The session already has the manifest's default.
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration
    /// Returns whether the provider wants to be asked now.
    ///
    /// Returning false has the same effect as not conforming to the protocol.
    func providesConfiguration(for role: SceneSessionRole) -> Bool
}

extension SceneConfigurationProvider {
    /// Answers yes.
    public func providesConfiguration(for role: SceneSessionRole) -> Bool { true }
}
