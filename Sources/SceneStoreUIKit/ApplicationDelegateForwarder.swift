import Foundation
import SceneStore
import SceneStorePreScene

#if canImport(UIKit) && !os(watchOS)
    import CloudKit
    import UIKit
    import UserNotifications
#else
    import SceneStoreUIKitStandIn
#endif

/// A forwarder that calls a pre-scene application delegate when scenes get callbacks (L-66).
///
/// Use it for a framework or plug-in that implements `UIApplicationDelegate`, and that UIKit
/// doesn't call in an app with scenes. Its launch options hold the payloads of the first scene's
/// connection. It gets each payload once, cold and warm, and sees the app enter and leave the
/// foreground as in an app without scenes. Call each method from the scene delegate's callback of
/// its name; one forwarder serves all scenes.
///
/// Don't forward to the app's own delegate, because UIKit still calls it for the launch.
///
/// ```swift
/// func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
///     forwarder.scene(scene, openURLContexts: contexts)
/// }
/// ```
///
/// ## Topics
/// ### Scenes
/// - ``scene(_:willConnectTo:options:)``
/// - ``sceneWillEnterForeground(_:)``
/// - ``sceneDidBecomeActive(_:)``
/// - ``sceneWillResignActive(_:)``
/// - ``sceneDidEnterBackground(_:)``
/// - ``sceneDidDisconnect(_:)``
/// ### Payloads
/// - ``scene(_:openURLContexts:)``
/// - ``scene(_:willContinueUserActivityWithType:)``
/// - ``scene(_:continue:restorationHandler:)``
/// - ``scene(_:didFailToContinueUserActivityWithType:error:)``
/// - ``scene(_:didUpdate:)``
/// - ``windowScene(_:performActionFor:completionHandler:)``
/// - ``windowScene(_:userDidAcceptCloudKitShareWith:)``
/// - ``userNotificationCenter(_:didReceive:withCompletionHandler:)``
@MainActor
public final class ApplicationDelegateForwarder {
    private typealias Arrival = PreSceneCalls<() -> Void>.Arrival

    private let delegate: any UIApplicationDelegate
    private let notifications: (any UNUserNotificationCenterDelegate)?
    private let application: UIApplication
    private var calls = PreSceneCalls<() -> Void>()
    private var answer = false

    /// Makes a forwarder to a delegate, which it keeps.
    ///
    /// Pass a delegate of the notification centre only if the system doesn't call it: it gets the
    /// notification in a connection's options.
    public init(
        to delegate: any UIApplicationDelegate,
        notifications: (any UNUserNotificationCenterDelegate)? = nil, application: UIApplication
    ) {
        self.delegate = delegate
        self.notifications = notifications
        self.application = application
    }

    // MARK: Scenes

    /// Forwards a connection; the first one of the process launches the delegate, with the payload.
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let links = connectionOptions.urlContexts.sorted {
            $0.url.absoluteString < $1.url.absoluteString
        }
        var arrivals = links.map(arrival)
        let activities = connectionOptions.userActivities.sorted {
            $0.activityType < $1.activityType
        }
        arrivals += activities.map { arrival($0, isAnnounced: false) { _ in } }
        if let item = connectionOptions.shortcutItem {
            arrivals.append(arrival(item) { _ in })
        }
        if let share = connectionOptions.cloudKitShareMetadata {
            arrivals.append(arrival(share))
        }
        if let response = connectionOptions.notificationResponse {
            arrivals.append(arrival(response, .current()) {})
        }
        perform(calls.connect(arrivals), connectionOptions.launchOptions)
    }

    /// Forwards that a scene is about to be visible.
    public func sceneWillEnterForeground(_ scene: UIScene) {
        perform(calls.enterForeground(scene.session.persistentIdentifier))
    }

    /// Forwards that a scene has the focus.
    public func sceneDidBecomeActive(_ scene: UIScene) {
        perform(calls.activate(scene.session.persistentIdentifier))
    }

    /// Forwards that a scene loses the focus.
    public func sceneWillResignActive(_ scene: UIScene) {
        perform(calls.resign(scene.session.persistentIdentifier))
    }

    /// Forwards that a scene is no longer visible.
    public func sceneDidEnterBackground(_ scene: UIScene) {
        perform(calls.leave(scene.session.persistentIdentifier))
    }

    /// Forwards that a session lost its scene.
    public func sceneDidDisconnect(_ scene: UIScene) {
        perform(calls.leave(scene.session.persistentIdentifier))
    }

    // MARK: Payloads

    /// Forwards links to open, and returns whether the delegate opened the last one.
    @discardableResult
    public func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) -> Bool {
        receive(
            contexts.sorted { $0.url.absoluteString < $1.url.absoluteString }.map(arrival))
    }

    /// Forwards that an activity is on its way, and returns whether the delegate tells the user.
    @discardableResult
    public func scene(_ scene: UIScene, willContinueUserActivityWithType type: String) -> Bool {
        calls.announce(type)
        return receive([
            Arrival({ [self] in answer = delegate.willContinue(application, type) }, isGated: true)
        ])
    }

    /// Forwards an activity, and returns whether the delegate continued it.
    @discardableResult
    public func scene(
        _ scene: UIScene, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void = { _ in }
    ) -> Bool {
        let isAnnounced = calls.endAnnouncement(userActivity.activityType)
        return receive([arrival(userActivity, isAnnounced: isAnnounced, restorationHandler)])
    }

    /// Forwards that the announced activity failed to arrive.
    public func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType type: String, error: any Error
    ) {
        calls.endAnnouncement(type)
        receive([
            Arrival({ [self] in delegate.failContinue(application, type, error) }, isGated: true)
        ])
    }

    /// Forwards that an activity of the scene was updated.
    public func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {
        delegate.didUpdate(application, userActivity)
    }

    /// Forwards a quick action. The delegate reports once whether the action was performed.
    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        receive([arrival(shortcutItem, completionHandler)])
    }

    /// Forwards that the user accepted a share of CloudKit.
    public func windowScene(
        _ windowScene: UIWindowScene,
        userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
    ) {
        receive([arrival(cloudKitShareMetadata)])
    }

    /// Forwards that the user responded to a notification.
    ///
    /// A response that a connection already delivered, or that was received before, is not
    /// delivered again; its completion handler is called immediately.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        var isDelivered = false
        for call in calls.receive([arrival(response, center, completionHandler)]) {
            if case .deliver = call {
                isDelivered = true
            }
            perform([call])
        }
        if !isDelivered, !calls.isLaunching {
            completionHandler()
        }
    }

    // MARK: Performing

    private func arrival(_ context: UIOpenURLContext) -> Arrival {
        Arrival(
            { [self] in
                var options: [UIApplication.OpenURLOptionsKey: Any] = [:]
                options[.sourceApplication] = context.options.sourceApplication
                options[.annotation] = context.options.annotation
                options[.openInPlace] = NSNumber(value: context.options.openInPlace)
                answer = delegate.open(application, context.url, options)
            }, isGated: true)
    }

    private func arrival(
        _ activity: NSUserActivity, isAnnounced: Bool,
        _ restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Arrival {
        Arrival(
            { [self] in
                if !isAnnounced {
                    _ = delegate.willContinue(application, activity.activityType)
                }
                answer = delegate.continueActivity(application, activity, restorationHandler)
            }, isGated: true)
    }

    private func arrival(
        _ item: UIApplicationShortcutItem, _ completionHandler: @escaping (Bool) -> Void
    ) -> Arrival {
        Arrival(
            { [self] in delegate.performAction(application, item, completionHandler) },
            isGated: true)
    }

    /// A refused launch keeps links, activities and quick actions from the app, and no share.
    private func arrival(_ share: CKShare.Metadata) -> Arrival {
        Arrival({ [self] in delegate.acceptShare(application, share) }, isGated: false)
    }

    private func arrival(
        _ response: UNNotificationResponse, _ center: UNUserNotificationCenter,
        _ completionHandler: @escaping () -> Void
    ) -> Arrival {
        let notification = response.notification
        let date = notification.date.timeIntervalSinceReferenceDate
        return Arrival(
            { [self] in
                guard let notifications else {
                    return completionHandler()
                }
                notifications.didReceive(center, response, completionHandler)
            }, isGated: false,
            key: "\(notification.request.identifier)\u{0}\(response.actionIdentifier)\u{0}\(date)")
    }

    @discardableResult
    private func receive(_ arrivals: [Arrival]) -> Bool {
        answer = false
        perform(calls.receive(arrivals))
        return answer
    }

    private func perform(
        _ list: [PreSceneCalls<() -> Void>.Call],
        _ options: [UIApplication.LaunchOptionsKey: Any] = [:]
    ) {
        var (will, did) = (true, true)
        var launches = false
        for call in list {
            switch call {
            case .willFinishLaunching: will = delegate.willFinishLaunching(application, options)
            case .didFinishLaunching:
                did = delegate.didFinishLaunching(application, options)
                launches = true
            case .willEnterForeground: delegate.willEnterForeground(application)
            case .didBecomeActive: delegate.didBecomeActive(application)
            case .willResignActive: delegate.willResignActive(application)
            case .didEnterBackground: delegate.didEnterBackground(application)
            case .deliver(let deliver): deliver()
            }
        }
        if launches {
            perform(calls.launched(will: will, did: did))
        }
    }
}
