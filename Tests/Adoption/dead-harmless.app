# Dead methods that do nothing, or whose work the scene delegate does
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationDidBecomeActive(_ application: UIApplication) {
        // Nothing to do.
    }
    func applicationWillResignActive(_ application: UIApplication) {
        print("resigned")
    }
    func applicationDidEnterBackground(_ application: UIApplication) {
        Database.save()
    }
    func applicationWillTerminate(_ application: UIApplication) {
        Database.save()
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidEnterBackground(_ scene: UIScene) {
        Database.save()
    }
}
