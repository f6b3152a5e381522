#if !canImport(UIKit)
    import Foundation
    import SceneStore
    import SceneStoreUIKitStandIn
    import Testing

    /// UIKit, played by the engine: each callback of the engine becomes UIKit's, with UIKit's objects.
    ///
    /// Which sessions exist, when they connect and which state they had is the engine's decision, as it
    /// is UIKit's on a device. With the life cycle `.application` the app's delegate gets the callbacks
    /// from before scenes.
    @MainActor
    final class FakeUIKit: @MainActor SceneApplicationDelegate {
        /// What UIKit knows of an app.
        struct App {
            var delegate: any UIApplicationDelegate
            var notifications: (any UNUserNotificationCenterDelegate)?
            var makeSceneDelegate: () -> any UIWindowSceneDelegate
        }

        let app: App
        private let application = UIApplication()
        private var sessions: [SceneSession.ID: UISceneSession] = [:]

        init(_ app: App) {
            self.app = app
        }

        /// The result, or nil with a recorded issue: every value of a test has its object.
        static func converting<Result>(_ work: () throws -> Result) -> Result? {
            do {
                return try work()
            } catch {
                Issue.record(error)
                return nil
            }
        }

        /// A session keeps its object for as long as the process lives.
        fileprivate func uiKit(_ session: SceneSession) -> UISceneSession {
            let known = sessions[session.id]
            let object =
                known
                ?? UISceneSession(
                    persistentIdentifier: session.id.rawValue,
                    configuration: session.configuration.makeSceneConfiguration())
            sessions[session.id] = object
            return object
        }

        // MARK: The app

        func application(
            _ application: SceneApplication, willFinishLaunchingWithOptions options: LaunchOptions
        ) -> Bool {
            app.delegate.application(
                self.application,
                willFinishLaunchingWithOptions: Self.converting { try options.makeLaunchOptions() })
        }

        func application(
            _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
        ) -> Bool {
            app.delegate.application(
                self.application,
                didFinishLaunchingWithOptions: Self.converting { try options.makeLaunchOptions() })
        }

        func application(
            _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
        ) {
            let objects = sessions.map(uiKit)
            app.delegate.application(self.application, didDiscardSceneSessions: Set(objects))
        }

        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? {
            FakeUIKitScene(self, uiKit(session))
        }

        fileprivate func receive(_ response: NotificationResponse, _ end: @escaping () -> Void) {
            guard let object = Self.converting({ try response.makeNotificationResponse() }) else {
                return
            }
            app.notifications?.userNotificationCenter(
                .current(), didReceive: object, withCompletionHandler: end)
        }

        // MARK: Without scenes

        func applicationDidBecomeActive(_ application: SceneApplication) {
            app.delegate.applicationDidBecomeActive(self.application)
        }

        func applicationWillEnterForeground(_ application: SceneApplication) {
            app.delegate.applicationWillEnterForeground(self.application)
        }

        func application(_ application: SceneApplication, open context: OpenURLContext) -> Bool {
            guard let object = Self.converting({ try context.makeOpenURLContext() }) else {
                return false
            }
            var options: [UIApplication.OpenURLOptionsKey: Any] = [:]
            options[.sourceApplication] = object.options.sourceApplication
            options[.openInPlace] = NSNumber(value: object.options.openInPlace)
            return app.delegate.application(self.application, open: object.url, options: options)
        }

        func application(
            _ application: SceneApplication, willContinueUserActivityWithType type: String
        ) -> Bool {
            app.delegate.application(self.application, willContinueUserActivityWithType: type)
        }

        func application(
            _ application: SceneApplication, continue activity: UserActivity
        ) -> Bool {
            guard let object = Self.converting({ try activity.makeUserActivity() }) else {
                return false
            }
            return app.delegate.application(self.application, continue: object) { _ in }
        }

        func application(
            _ application: SceneApplication, didFailToContinueUserActivityWithType type: String,
            error: SceneStoreError
        ) {
            app.delegate.application(
                self.application, didFailToContinueUserActivityWithType: type, error: error)
        }

        func application(
            _ application: SceneApplication, performActionFor shortcutItem: ShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            guard let item = Self.converting({ try shortcutItem.makeShortcutItem() }) else {
                return
            }
            app.delegate.application(
                self.application, performActionFor: item, completionHandler: completionHandler)
        }

        func application(
            _ application: SceneApplication, didReceive response: NotificationResponse,
            completionHandler: @escaping () -> Void
        ) {
            receive(response, completionHandler)
        }
    }

    /// One of the fake UIKit's scenes, and the app's delegate for it.
    @MainActor
    final class FakeUIKitScene: @MainActor StateRestoringSceneDelegate {
        let scene: UIWindowScene
        let delegate: any UIWindowSceneDelegate
        private let uiKit: FakeUIKit

        fileprivate init(_ uiKit: FakeUIKit, _ session: UISceneSession) {
            self.uiKit = uiKit
            scene = UIWindowScene(session: session, connectionOptions: UIScene.ConnectionOptions())
            delegate = uiKit.app.makeSceneDelegate()
            scene.delegate = delegate
            session.scene = scene
        }

        func scene(
            _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
        ) {
            let object = uiKit.uiKit(session)
            let isGiven = session.restoration == .available
            object.stateRestorationActivity =
                isGiven
                ? session.stateRestorationActivity.flatMap { activity in
                    FakeUIKit.converting { try activity.makeUserActivity() }
                } : nil
            guard let options = FakeUIKit.converting({ try options.makeConnectionOptions() }) else {
                return
            }
            delegate.scene(self.scene, willConnectTo: object, options: options)
        }

        func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
            guard let activity = delegate.stateRestorationActivity(for: self.scene) else {
                return nil
            }
            return try UserActivity(activity)
        }

        func sceneWillEnterForeground(_ scene: Scene) {
            delegate.sceneWillEnterForeground(self.scene)
        }

        func sceneDidBecomeActive(_ scene: Scene) {
            delegate.sceneDidBecomeActive(self.scene)
        }

        func sceneWillResignActive(_ scene: Scene) {
            delegate.sceneWillResignActive(self.scene)
        }

        func sceneDidEnterBackground(_ scene: Scene) {
            delegate.sceneDidEnterBackground(self.scene)
        }

        func sceneDidDisconnect(_ scene: Scene) {
            delegate.sceneDidDisconnect(self.scene)
        }

        func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
            let objects = contexts.compactMap { context in
                FakeUIKit.converting { try context.makeOpenURLContext() }
            }
            delegate.scene(self.scene, openURLContexts: Set(objects))
        }

        func scene(_ scene: Scene, willContinueUserActivityWithType type: String) {
            delegate.scene(self.scene, willContinueUserActivityWithType: type)
        }

        func scene(_ scene: Scene, continue activity: UserActivity) {
            if let object = FakeUIKit.converting({ try activity.makeUserActivity() }) {
                delegate.scene(self.scene, continue: object)
            }
        }

        func scene(
            _ scene: Scene, didFailToContinueUserActivityWithType type: String,
            error: SceneStoreError
        ) {
            delegate.scene(
                self.scene, didFailToContinueUserActivityWithType: type, error: error)
        }

        func windowScene(
            _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
            completionHandler: @escaping (Bool) -> Void
        ) {
            if let item = FakeUIKit.converting({ try shortcutItem.makeShortcutItem() }) {
                delegate.windowScene(
                    self.scene, performActionFor: item, completionHandler: completionHandler)
            }
        }

        func scene(_ scene: Scene, didReceive response: NotificationResponse) {
            uiKit.receive(response) {}
        }
    }

    // MARK: UIKit's objects, which only UIKit makes

    extension OpenURLContext {
        @MainActor
        func makeOpenURLContext() throws -> UIOpenURLContext {
            let options = UIScene.OpenURLOptions()
            options.sourceApplication = sourceApplication
            options.openInPlace = openInPlace
            return UIOpenURLContext(url: try #require(URL(string: url)), options: options)
        }
    }

    extension NotificationResponse {
        func makeNotificationResponse() throws -> UNNotificationResponse {
            let content = UNNotificationContent()
            content.userInfo = try userInfo.foundationDictionary()
            content.targetContentIdentifier = targetContentIdentifier
            let request = UNNotificationRequest(identifier: identifier, content: content)
            return UNNotificationResponse(
                notification: UNNotification(request: request, date: try #require(date)),
                actionIdentifier: actionIdentifier)
        }
    }

    extension ConnectionOptions {
        @MainActor
        func makeConnectionOptions() throws -> UIScene.ConnectionOptions {
            let options = UIScene.ConnectionOptions()
            options.urlContexts = Set(try urlContexts.map { try $0.makeOpenURLContext() })
            options.userActivities = Set(try userActivities.map { try $0.makeUserActivity() })
            options.shortcutItem = try shortcutItem?.makeShortcutItem()
            options.notificationResponse = try notificationResponse?.makeNotificationResponse()
            options.handoffUserActivityType = handoffUserActivityType
            options.sourceApplication = sourceApplication
            return options
        }
    }
#endif
