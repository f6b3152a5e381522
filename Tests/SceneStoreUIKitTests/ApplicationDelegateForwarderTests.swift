import Foundation
import SceneStore
import SceneStoreUIKit
import Testing

#if !canImport(UIKit)
    import SceneStoreUIKitStandIn

    /// A plug-in from before scenes.
    private final class Plugin: NSObject, UIApplicationDelegate, UNUserNotificationCenterDelegate {
        var calls: [String] = []
        var options: [UIApplication.LaunchOptionsKey: Any] = [:]
        var launches = true

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            calls.append("did")
            options = launchOptions ?? [:]
            return launches
        }
        func applicationWillEnterForeground(_ application: UIApplication) {
            calls.append("willEnterForeground")
        }
        func applicationDidBecomeActive(_ application: UIApplication) {
            calls.append("didBecomeActive")
        }
        func applicationWillResignActive(_ application: UIApplication) {
            calls.append("willResignActive")
        }
        func applicationDidEnterBackground(_ application: UIApplication) {
            calls.append("didEnterBackground")
        }
        func application(
            _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
        ) -> Bool {
            let source = options[.sourceApplication] as? String
            calls.append("open \(url) \(source ?? "-") \(options[.openInPlace] as? Bool == true)")
            return true
        }
        func application(
            _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
        ) -> Bool {
            calls.append("willContinue")
            return true
        }
        func application(
            _ application: UIApplication, continue userActivity: NSUserActivity,
            restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
        ) -> Bool {
            calls.append("continue")
            restorationHandler(nil)
            return true
        }
        func application(
            _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            calls.append("performActionFor")
            completionHandler(true)
        }
        nonisolated func userNotificationCenter(
            _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
            withCompletionHandler completionHandler: @escaping () -> Void
        ) {
            MainActor.assumeIsolated { calls.append("response") }
            completionHandler()
        }
    }

    @MainActor
    @Suite("an application delegate from before scenes, in a UIKit app with scenes")
    struct ApplicationDelegateForwarderTests {
        private let application = UIApplication()

        private func scene(_ name: String = "A") -> UIWindowScene {
            UIWindowScene(
                session: UISceneSession(
                    persistentIdentifier: name,
                    configuration: UISceneConfiguration(
                        name: "Default", sessionRole: .windowApplication)),
                connectionOptions: UIScene.ConnectionOptions())
        }

        private func response(_ identifier: String) -> UNNotificationResponse {
            let content = UNNotificationContent()
            content.userInfo = ["id": 7]
            return UNNotificationResponse(
                notification: UNNotification(
                    request: UNNotificationRequest(identifier: identifier, content: content)),
                actionIdentifier: "tap")
        }

        private func context(_ url: String) throws -> UIOpenURLContext {
            let options = UIScene.OpenURLOptions()
            options.sourceApplication = "com.example.mail"
            options.openInPlace = true
            return UIOpenURLContext(url: try #require(URL(string: url)), options: options)
        }

        /// What UIKit calls at a launch.
        private func launch(
            _ plugin: Plugin, _ fill: (UIScene.ConnectionOptions) throws -> Void
        ) throws -> (ApplicationDelegateForwarder, UIWindowScene) {
            let forwarder = ApplicationDelegateForwarder(
                to: plugin, notifications: plugin, application: application)
            let scene = scene()
            let options = UIScene.ConnectionOptions()
            try fill(options)
            forwarder.scene(scene, willConnectTo: scene.session, options: options)
            forwarder.sceneWillEnterForeground(scene)
            forwarder.sceneDidBecomeActive(scene)
            return (forwarder, scene)
        }

        @Test("L-66 a launch by each kind of payload, with the payload in the launch options")
        func cold() throws {
            let plugin = Plugin()
            _ = try launch(plugin) { options in
                options.urlContexts = [try context("app://1"), try context("app://2")]
                options.userActivities = [NSUserActivity(activityType: UserActivity.browsingWeb)]
                options.shortcutItem = UIApplicationShortcutItem(type: "new", localizedTitle: "New")
                options.notificationResponse = response("n1")
            }
            #expect(
                plugin.calls == [
                    "did", "open app://1 com.example.mail true",
                    "open app://2 com.example.mail true", "willContinue", "continue",
                    "performActionFor", "response", "didBecomeActive",
                ])
            #expect(plugin.options[.url] as? URL == URL(string: "app://1"))
            #expect(plugin.options[.sourceApplication] as? String == "com.example.mail")
            #expect(plugin.options[.userActivityType] as? String == UserActivity.browsingWeb)
            let activity = plugin.options[.userActivityDictionary] as? [AnyHashable: Any]
            #expect(
                activity?["UIApplicationLaunchOptionsUserActivityKey"] is NSUserActivity)
            #expect(plugin.options[.shortcutItem] is UIApplicationShortcutItem)
            #expect(
                (plugin.options[.remoteNotification] as? [AnyHashable: Any])?["id"] as? Int == 7)
        }

        @Test("L-66 a refused launch keeps everything from being delivered but a notification")
        func gate() throws {
            let plugin = Plugin()
            plugin.launches = false
            _ = try launch(plugin) { options in
                options.urlContexts = [try context("app://1")]
                options.notificationResponse = response("n1")
            }
            #expect(plugin.calls == ["did", "response", "didBecomeActive"])
        }

        @Test("L-66 what comes to the background app, each once, and what is answered")
        func warm() throws {
            let plugin = Plugin()
            let (forwarder, scene) = try launch(plugin) { _ in }
            plugin.calls = []
            forwarder.sceneWillResignActive(scene)
            forwarder.sceneDidEnterBackground(scene)
            #expect(plugin.calls == ["willResignActive", "didEnterBackground"])
            plugin.calls = []
            // UIKit's order of a link: the payload comes first.
            #expect(forwarder.scene(scene, openURLContexts: [try context("app://3")]))
            forwarder.sceneWillEnterForeground(scene)
            forwarder.sceneDidBecomeActive(scene)
            #expect(
                plugin.calls == [
                    "willEnterForeground", "open app://3 com.example.mail true",
                    "didBecomeActive",
                ])
            plugin.calls = []
            #expect(forwarder.scene(scene, willContinueUserActivityWithType: "a"))
            var restored = 0
            #expect(
                forwarder.scene(scene, continue: NSUserActivity(activityType: "a")) { _ in
                    restored += 1
                })
            var performed: [Bool] = []
            forwarder.windowScene(
                scene, performActionFor: UIApplicationShortcutItem(type: "a", localizedTitle: "A")
            ) { performed.append($0) }
            #expect(plugin.calls == ["willContinue", "continue", "performActionFor"])
            #expect(restored == 1)
            #expect(performed == [true])
        }

        @Test("L-65 a notification that rode on the connection is not delivered again")
        func notificationOnce() throws {
            let plugin = Plugin()
            let (forwarder, _) = try launch(plugin) { $0.notificationResponse = response("n1") }
            var ended = 0
            for identifier in ["n1", "n2"] {
                forwarder.userNotificationCenter(.current(), didReceive: response(identifier)) {
                    ended += 1
                }
            }
            #expect(ended == 2)
            #expect(plugin.calls.filter { $0 == "response" }.count == 2)
        }

        @Test("L-66 launch options come over from UIKit's dictionary and go back, key by key")
        func dictionary() throws {
            var options = LaunchOptions()
            options.url = "app://1"
            options.sourceApplication = "com.example.mail"
            options.annotation = .string("note")
            options.userActivity = try UserActivity(activityType: "com.example.edit")
            options.userActivityType = "com.example.edit"
            options.userActivityIdentifier = "8A2F"
            options.shortcutItem = ShortcutItem(
                type: "new", targetContentIdentifier: "t", userInfo: ["a": .integer(1)],
                localizedTitle: "New", localizedSubtitle: "in the inbox")
            options.remoteNotification = NotificationResponse(
                identifier: "", userInfo: ["id": .integer(7)])
            options.isLocationEvent = true
            options.bluetoothCentrals = ["c1"]
            options.bluetoothPeripherals = ["p1", "p2"]
            options.newsstandDownloads = ["d1"]
            var dictionary = try options.makeLaunchOptions()
            #expect(try LaunchOptions(dictionary) == options)
            #expect(
                Set(dictionary.keys) == [
                    .url, .sourceApplication, .annotation, .userActivityDictionary,
                    .userActivityType, .shortcutItem, .remoteNotification, .location,
                    .bluetoothCentrals, .bluetoothPeripherals, .newsstandDownloads,
                ])
            dictionary[.eventAttribution] = NSObject()
            dictionary[.cloudKitShareMetadata] = NSObject()
            dictionary[.localNotification] = NSObject()
            options.objectKeys = [.eventAttribution, .cloudKitShareMetadata, .localNotification]
            #expect(try LaunchOptions(dictionary) == options)
            #expect(options.keys == Set(LaunchOptions.Key.all))
            #expect(try LaunchOptions(nil) == LaunchOptions())
        }

        @Test("L-81 launch options whose objects have no value are a typed error")
        func refused() throws {
            #expect(throws: SceneStoreError.self) {
                try LaunchOptions([.annotation: NSObject()])
            }
        }
    }
#endif
