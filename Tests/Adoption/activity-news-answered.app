# An application delegate that only agrees to what comes loses nothing
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ a: UIApplication, willContinueUserActivityWithType type: String) -> Bool {
        
        return true
    }
    func application(
        _ a: UIApplication, didFailToContinueUserActivityWithType type: String, error: Error
    ) { print(error) }
    func application(_ a: UIApplication, didUpdate userActivity: NSUserActivity) {  }
}
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {}
