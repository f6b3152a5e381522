# The scene delegate does what the application delegate does for older systems
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ a: UIApplication, willContinueUserActivityWithType type: String) -> Bool {
        Spinner.shared.show()
        return true
    }
    func application(
        _ a: UIApplication, didFailToContinueUserActivityWithType type: String, error: Error
    ) {  }
    func application(_ a: UIApplication, didUpdate userActivity: NSUserActivity) {  }
}
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, willContinueUserActivityWithType type: String) {
        Spinner.shared.show()
    }
}
