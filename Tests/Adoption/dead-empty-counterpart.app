# A counterpart that does nothing does not do the work
expect AD002
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationWillEnterForeground(_ application: UIApplication) {
        Feed.refresh()
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneWillEnterForeground(_ scene: UIScene) {
        // Called as the scene transitions to the foreground.
    }
}
