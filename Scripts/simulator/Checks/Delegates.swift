import Foundation
import SceneStore
import SceneStoreUIKit

#if canImport(UIKit)
    import UIKit
#else
    import SceneStoreUIKitStandIn
#endif

/// A plug-in from before scenes: it notes which of its methods are called.
final class NotingPlugin: UIResponder, UIApplicationDelegate {
    private(set) var notes: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        notes.append(launchOptions?[.url] == nil ? "launch" : "launch with url")
        return true
    }

    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool {
        notes.append("open \(url.absoluteString)")
        return true
    }

    func applicationWillEnterForeground(_ application: UIApplication) { notes.append("foreground") }
    func applicationDidBecomeActive(_ application: UIApplication) { notes.append("active") }
}

/// The scene delegate of the app that the checks drive: it records its text, and forwards to the
/// plug-in.
class ChecksSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var recorder: SceneRecorder?
    var forwarder: ApplicationDelegateForwarder?
    var text = ""

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let activity = recorder?.scene(scene, willConnectTo: session, options: connectionOptions)
        text = activity?.userInfo?["text"] as? String ?? ""
        forwarder?.scene(scene, willConnectTo: session, options: connectionOptions)
    }

    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        forwarder?.scene(scene, openURLContexts: contexts)
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        let activity = NSUserActivity(activityType: "com.example.checks.edit")
        activity.userInfo = ["text": text]
        return recorder?.stateRestorationActivity(activity, for: scene) ?? activity
    }

    func sceneWillEnterForeground(_ scene: UIScene) { forwarder?.sceneWillEnterForeground(scene) }

    func sceneDidBecomeActive(_ scene: UIScene) {
        recorder?.sceneDidBecomeActive(scene)
        forwarder?.sceneDidBecomeActive(scene)
    }

    func sceneWillResignActive(_ scene: UIScene) { forwarder?.sceneWillResignActive(scene) }

    func sceneDidEnterBackground(_ scene: UIScene) {
        recorder?.sceneDidEnterBackground(scene)
        forwarder?.sceneDidEnterBackground(scene)
    }

    func sceneDidDisconnect(_ scene: UIScene) { forwarder?.sceneDidDisconnect(scene) }
}
