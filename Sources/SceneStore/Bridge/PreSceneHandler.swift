/// The callbacks of an app, a framework or a plug-in from before scenes.
///
/// The counterpart of the half of
/// [UIApplicationDelegate](https://developer.apple.com/documentation/uikit/uiapplicationdelegate)
/// that scenes replace. ``PreSceneForwarder`` calls them in an app with scenes. Every method has a
/// default: it does nothing, and a Boolean one answers as UIKit does for a method that is not
/// implemented.
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
    /// The process was launched. Answering false keeps a link, an activity and a quick action from
    /// being delivered; a notification is delivered all the same.
    func willFinishLaunching(with options: LaunchOptions) -> Bool
    /// The launch is nearly done. Answering false does what it does in the method above.
    func didFinishLaunching(with options: LaunchOptions) -> Bool
    /// The app is about to be seen again.
    func willEnterForeground()
    /// The app has the focus.
    func didBecomeActive()
    /// The app loses the focus.
    func willResignActive()
    /// The app is no longer seen.
    func didEnterBackground()
    /// A link to open; answers whether it was opened.
    func open(_ context: OpenURLContext) -> Bool
    /// An activity is on its way; answers whether the handler tells the user so.
    func willContinueUserActivity(withType type: String) -> Bool
    /// An activity to continue; answers whether it was.
    func continueUserActivity(_ activity: UserActivity) -> Bool
    /// The announced activity never came.
    func didFailToContinueUserActivity(withType type: String, error: SceneStoreError)
    /// A quick action to perform; tells once whether it was.
    func performAction(
        for shortcutItem: ShortcutItem, completionHandler: @escaping (Bool) -> Void)
    /// The user answered a notification; tells once when that was dealt with.
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
    /// Tells that the action was not performed.
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
