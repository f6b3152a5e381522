import SceneStore

/// The callbacks of an app, a framework or a plug-in from before scenes.
///
/// The counterpart of the half of
/// [UIApplicationDelegate](https://developer.apple.com/documentation/uikit/uiapplicationdelegate)
/// that scenes replace. ``PreSceneForwarder`` calls them in an app with scenes. Every method has a
/// default, which does nothing. A default that returns a Boolean returns what UIKit assumes for a
/// missing method.
///
/// ```swift
/// final class LinkPlugIn: PreSceneHandler {
///     var links: [String] = []
///     func open(_ context: OpenURLContext) -> Bool {
///         links.append(context.url)
///         return true
///     }
/// }
/// ```
public protocol PreSceneHandler: AnyObject {
    /// Tells the handler that the process was launched.
    ///
    /// Returning false keeps a link, an activity and a quick action from being delivered; a
    /// notification is delivered all the same.
    func willFinishLaunching(with options: LaunchOptions) -> Bool
    /// Tells the handler that the launch is nearly done.
    ///
    /// Returning false has the same effect as in ``willFinishLaunching(with:)``.
    func didFinishLaunching(with options: LaunchOptions) -> Bool
    /// Tells the handler that the app is about to be visible again.
    func willEnterForeground()
    /// Tells the handler that the app has the focus.
    func didBecomeActive()
    /// Tells the handler that the app loses the focus.
    func willResignActive()
    /// Tells the handler that the app is no longer visible.
    func didEnterBackground()
    /// Asks the handler to open a link, and returns whether it did.
    func open(_ context: OpenURLContext) -> Bool
    /// Asks the handler whether it tells the user that an activity is on its way.
    func willContinueUserActivity(withType type: String) -> Bool
    /// Asks the handler to continue an activity, and returns whether it did.
    func continueUserActivity(_ activity: UserActivity) -> Bool
    /// Tells the handler that the announced activity failed to arrive.
    func didFailToContinueUserActivity(withType type: String, error: SceneStoreError)
    /// Asks the handler to perform a quick action.
    ///
    /// Call the completion handler once, with whether the action was performed.
    func performAction(
        for shortcutItem: ShortcutItem, completionHandler: @escaping (Bool) -> Void)
    /// Tells the handler that the user responded to a notification.
    ///
    /// Call the completion handler once, when you have handled the response.
    func didReceive(
        _ response: NotificationResponse, completionHandler: @escaping () -> Void)
}

extension PreSceneHandler {
    /// Answers yes.
    public func willFinishLaunching(with options: LaunchOptions) -> Bool { true }
    /// Answers yes.
    public func didFinishLaunching(with options: LaunchOptions) -> Bool { true }
    /// Does nothing.
    public func willEnterForeground() {}
    /// Does nothing.
    public func didBecomeActive() {}
    /// Does nothing.
    public func willResignActive() {}
    /// Does nothing.
    public func didEnterBackground() {}
    /// Answers no.
    public func open(_ context: OpenURLContext) -> Bool { false }
    /// Answers no.
    public func willContinueUserActivity(withType type: String) -> Bool { false }
    /// Answers no.
    public func continueUserActivity(_ activity: UserActivity) -> Bool { false }
    /// Does nothing.
    public func didFailToContinueUserActivity(withType type: String, error: SceneStoreError) {}
    /// Reports that the action was not performed.
    public func performAction(
        for shortcutItem: ShortcutItem, completionHandler: @escaping (Bool) -> Void
    ) {
        completionHandler(false)
    }
    /// Tells that it is done.
    public func didReceive(
        _ response: NotificationResponse, completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }
}
