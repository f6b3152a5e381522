# A property that the old method set, and the new one doesn't
expect AD002
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    var leftAt: Date?
    func applicationDidEnterBackground(_ application: UIApplication) {
        let now = Date()
        store.save()
        leftAt = now
    }
    var isLate: Bool { leftAt.map { $0 < Date() } ?? false }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidEnterBackground(_ scene: UIScene) {
        store.save()
    }
}
