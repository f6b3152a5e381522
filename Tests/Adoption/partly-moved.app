# A method of which only a part moved to the scene delegate
expect AD002
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationDidEnterBackground(_ application: UIApplication) {
        store.save()
        badge.refresh()
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidEnterBackground(_ scene: UIScene) {
        store.save()
    }
}
