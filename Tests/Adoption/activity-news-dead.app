# What the application delegate does before an activity comes, or when none does, is lost
expect AD002
lost activity warm no
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ a: UIApplication, willContinueUserActivityWithType type: String) -> Bool {
        Spinner.shared.show()
        return true
    }
    func application(
        _ a: UIApplication, didFailToContinueUserActivityWithType type: String, error: Error
    ) { Spinner.shared.hide() }
    func application(_ a: UIApplication, didUpdate userActivity: NSUserActivity) { Feed.shared.note(userActivity) }
}
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {}
