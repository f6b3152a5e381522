import Foundation
import SceneStore
import SceneStoreUIKit

#if canImport(UIKit)
    import UIKit
#else
    import SceneStoreUIKitStandIn
#endif

// snippet: uikit-host
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// Nil when no disk is usable: UIKit's own restoration goes on.
    let recorder = try? SceneRecorder(at: .standard(bundleIdentifier: "com.example.notes"))

    func application(_ app: UIApplication, didDiscardSceneSessions sessions: Set<UISceneSession>) {
        recorder?.application(didDiscardSceneSessions: sessions)
    }

    func applicationWillTerminate(_ application: UIApplication) {
        recorder?.applicationWillTerminate()
    }
}
// end

// snippet: uikit-forward
final class NoteSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var recorder: SceneRecorder?
    var text = ""

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let activity = recorder?.scene(scene, willConnectTo: session, options: connectionOptions)
        text = activity?.userInfo?["text"] as? String ?? ""
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        let activity = NSUserActivity(activityType: "com.example.notes.edit")
        activity.userInfo = ["text": text]
        return recorder?.stateRestorationActivity(activity, for: scene) ?? activity
    }

    func sceneDidBecomeActive(_ scene: UIScene) { recorder?.sceneDidBecomeActive(scene) }
    func sceneDidEnterBackground(_ scene: UIScene) { recorder?.sceneDidEnterBackground(scene) }
}
// end
