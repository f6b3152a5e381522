import Foundation
import SceneStoreUIKit
import Testing

@testable import SceneStoreAdoption

#if !canImport(UIKit)
    import SceneStoreUIKitStandIn

    /// A delegate from before scenes that notes the names of the calls which scenes replace.
    private final class ReplacedDelegate: NSObject, UIApplicationDelegate {
        var calls: [String] = []
        var options: [UIApplication.LaunchOptionsKey: Any] = [:]
        var share: CKShare.Metadata?

        private func note(_ name: String) {
            calls.append(name)
        }

        func application(
            _ application: UIApplication,
            didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
        ) -> Bool {
            options = launchOptions ?? [:]
            return true
        }
        func applicationDidBecomeActive(_ application: UIApplication) { note(#function) }
        func applicationWillResignActive(_ application: UIApplication) { note(#function) }
        func applicationDidEnterBackground(_ application: UIApplication) { note(#function) }
        func applicationWillEnterForeground(_ application: UIApplication) { note(#function) }
        func application(
            _ application: UIApplication,
            userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
        ) {
            share = cloudKitShareMetadata
            note(#function)
        }
        func application(
            _ application: UIApplication, willContinueUserActivityWithType userActivityType: String
        ) -> Bool {
            note(#function)
            return true
        }
        func application(
            _ application: UIApplication,
            didFailToContinueUserActivityWithType userActivityType: String, error: any Error
        ) {
            note(#function)
        }
        func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
            note(#function)
        }
    }

    @MainActor
    @Suite("the calls that scenes replace, as adopt knows them")
    struct ReplacedCallbackTests {
        private let delegate = ReplacedDelegate()
        private let forwarder: ApplicationDelegateForwarder
        private let scene: UIWindowScene

        init() {
            forwarder = ApplicationDelegateForwarder(to: delegate, application: UIApplication())
            let session = UISceneSession(
                persistentIdentifier: "A",
                configuration: UISceneConfiguration(
                    name: "Default", sessionRole: .windowApplication))
            scene = UIWindowScene(
                session: session, connectionOptions: UIScene.ConnectionOptions())
        }

        private func launch(_ options: UIScene.ConnectionOptions) {
            forwarder.scene(scene, willConnectTo: scene.session, options: options)
        }

        /// Calls the forwarder as a scene delegate does in its callback of a name.
        private func forward(_ callback: String) {
            switch callback {
            case "sceneDidBecomeActive(_:)": forwarder.sceneDidBecomeActive(scene)
            case "sceneWillResignActive(_:)": forwarder.sceneWillResignActive(scene)
            case "sceneDidEnterBackground(_:)": forwarder.sceneDidEnterBackground(scene)
            case "sceneWillEnterForeground(_:)": forwarder.sceneWillEnterForeground(scene)
            case "windowScene(_:userDidAcceptCloudKitShareWith:)":
                forwarder.windowScene(scene, userDidAcceptCloudKitShareWith: CKShare.Metadata())
            case "scene(_:willContinueUserActivityWithType:)":
                forwarder.scene(scene, willContinueUserActivityWithType: "a")
            case "scene(_:didFailToContinueUserActivityWithType:error:)":
                forwarder.scene(
                    scene, didFailToContinueUserActivityWithType: "a", error: CancellationError())
            case "scene(_:didUpdate:)":
                forwarder.scene(scene, didUpdate: NSUserActivity(activityType: "a"))
            default: Issue.record("\(callback) is not forwarded")
            }
        }

        @Test("L-66 every call of the application delegate that scenes replace is forwarded")
        func all() {
            launch(UIScene.ConnectionOptions())
            // In this order the app goes to the background, and comes back by the fourth.
            for replaced in ReplacedCallback.all {
                delegate.calls = []
                forward(replaced.new.title)
                #expect(delegate.calls == [replaced.old.title])
            }
        }

        @Test("L-66 a share that launches the app is in the launch options, and is forwarded once")
        func coldShare() {
            let options = UIScene.ConnectionOptions()
            let share = CKShare.Metadata()
            options.cloudKitShareMetadata = share
            launch(options)
            #expect(
                delegate.options[.cloudKitShareMetadata] as? CKShare.Metadata === share)
            #expect(delegate.share === share)
            #expect(delegate.calls == [ReplacedCallback.didAcceptShare.old.title])
        }

        @Test("L-66 an activity that is updated in the background does not bring the app forward")
        func updated() {
            launch(UIScene.ConnectionOptions())
            forwarder.sceneDidBecomeActive(scene)
            forwarder.sceneDidEnterBackground(scene)
            delegate.calls = []
            forward("scene(_:didUpdate:)")
            #expect(delegate.calls == [ReplacedCallback.didUpdateActivity.old.title])
        }
    }
#endif
