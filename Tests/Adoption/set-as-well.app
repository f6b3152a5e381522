# What the old method set is set by the new one, or read by nobody
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    var leftAt: Date?
    var lastCall: Date?
    func applicationDidEnterBackground(_ application: UIApplication) {
        application.applicationIconBadgeNumber = 0
        leftAt = Date()
        lastCall = Date()
        store.save()
    }
    var isLate: Bool { leftAt.map { $0 < Date() } ?? false }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidEnterBackground(_ scene: UIScene) {
        UNUserNotificationCenter.current().setBadgeCount(0)
        (UIApplication.shared.delegate as? AppDelegate)?.leftAt = Date()
        store.save()
    }
}
