#if !canImport(UIKit)
    import Foundation
    import SceneStore
    import SceneStoreUIKit
    import SceneStoreUIKitStandIn
    import Testing

    /// A plug-in from before scenes, which notes what it is called with.
    final class OldPlugin: NSObject, UIApplicationDelegate,
        @MainActor UNUserNotificationCenterDelegate
    {
        /// A call by the contract's short name, with what it brings.
        struct Call: Equatable {
            var name: String
            var options: LaunchOptions?
            var type: String?
            var payload: Payload?
        }

        var calls: [Call] = []
        var launches = true

        var names: [String] { calls.map(\.name) }
        /// The payloads, without the launch options.
        var payloads: [Payload] { calls.compactMap(\.payload) }

        private func note(
            _ name: String, options: LaunchOptions? = nil, type: String? = nil,
            payload: Payload? = nil
        ) {
            calls.append(Call(name: name, options: options, type: type, payload: payload))
        }

        func application(
            _ application: UIApplication,
            willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            note("will", options: FakeUIKit.converting { try LaunchOptions(launchOptions) })
            return launches
        }

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            note("did", options: FakeUIKit.converting { try LaunchOptions(launchOptions) })
            return true
        }

        func applicationWillEnterForeground(_ application: UIApplication) {
            note("willEnterForeground")
        }
        func applicationDidBecomeActive(_ application: UIApplication) { note("didBecomeActive") }
        func applicationWillResignActive(_ application: UIApplication) { note("willResignActive") }
        func applicationDidEnterBackground(_ application: UIApplication) {
            note("didEnterBackground")
        }

        func application(
            _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
        ) -> Bool {
            let context = OpenURLContext(
                url: url.absoluteString, sourceApplication: options[.sourceApplication] as? String,
                openInPlace: options[.openInPlace] as? Bool == true)
            note("open", payload: .urls([context]))
            return true
        }

        func application(
            _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
        ) -> Bool {
            note("willContinue", type: userActivityType)
            return true
        }

        func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            let activity = FakeUIKit.converting { try UserActivity(userActivity) }
            note("continue", payload: activity.map { .activity($0) })
            return true
        }

        func application(
            _ application: UIApplication,
            didFailToContinueUserActivityWithType userActivityType: String, error: any Error
        ) {
            note("failContinue", type: userActivityType)
        }

        func application(
            _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            let item = FakeUIKit.converting { try ShortcutItem(shortcutItem) }
            note("performActionFor", payload: item.map { .shortcut($0) })
            completionHandler(true)
        }

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            let value = FakeUIKit.converting { try NotificationResponse(response) }
            note("response", payload: value.map { .notification($0) })
            completionHandler()
        }
    }

    /// An app with scenes that forwards everything to a plug-in, and notes its scenes' callbacks.
    final class ForwardingApp: NSObject, UIApplicationDelegate,
        @MainActor UNUserNotificationCenterDelegate
    {
        let forwarder: ApplicationDelegateForwarder
        /// The callbacks of the scenes, by the contract's short names.
        var calls: [String] = []
        /// What the scenes connected with.
        var connections: [ConnectionOptions] = []

        init(_ plugin: OldPlugin) {
            forwarder = ApplicationDelegateForwarder(
                to: plugin, notifications: plugin, application: UIApplication())
        }

        var app: FakeUIKit.App {
            FakeUIKit.App(delegate: self, notifications: self) { [unowned self] in
                ForwardingSceneDelegate(self)
            }
        }

        func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            calls.append("response")
            forwarder.userNotificationCenter(
                center, didReceive: response, withCompletionHandler: completionHandler)
        }
    }

    private final class ForwardingSceneDelegate: UIResponder, UIWindowSceneDelegate {
        private let app: ForwardingApp

        init(_ app: ForwardingApp) {
            self.app = app
            super.init()
        }

        func scene(
            _ scene: UIScene, willConnectTo session: UISceneSession,
            options connectionOptions: UIScene.ConnectionOptions
        ) {
            app.calls.append("connect")
            if let options = FakeUIKit.converting({ try ConnectionOptions(connectionOptions) }) {
                app.connections.append(options)
            }
            app.forwarder.scene(scene, willConnectTo: session, options: connectionOptions)
        }

        func sceneWillEnterForeground(_ scene: UIScene) {
            app.calls.append("fg")
            app.forwarder.sceneWillEnterForeground(scene)
        }

        func sceneDidBecomeActive(_ scene: UIScene) {
            app.calls.append("active")
            app.forwarder.sceneDidBecomeActive(scene)
        }

        func sceneWillResignActive(_ scene: UIScene) {
            app.calls.append("inactive")
            app.forwarder.sceneWillResignActive(scene)
        }

        func sceneDidEnterBackground(_ scene: UIScene) {
            app.calls.append("bg")
            app.forwarder.sceneDidEnterBackground(scene)
        }

        func sceneDidDisconnect(_ scene: UIScene) {
            app.calls.append("disconnect")
            app.forwarder.sceneDidDisconnect(scene)
        }

        func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
            app.calls.append("url")
            app.forwarder.scene(scene, openURLContexts: contexts)
        }

        func scene(_ scene: UIScene, willContinueUserActivityWithType type: String) {
            app.calls.append("willContinue")
            app.forwarder.scene(scene, willContinueUserActivityWithType: type)
        }

        func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
            app.calls.append("continue")
            app.forwarder.scene(scene, continue: userActivity)
        }

        func scene(
            _ scene: UIScene, didFailToContinueUserActivityWithType type: String, error: any Error
        ) {
            app.calls.append("failContinue")
            app.forwarder.scene(scene, didFailToContinueUserActivityWithType: type, error: error)
        }

        func windowScene(
            _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            app.calls.append("shortcut")
            app.forwarder.windowScene(
                windowScene, performActionFor: shortcutItem, completionHandler: completionHandler)
        }
    }
#endif
