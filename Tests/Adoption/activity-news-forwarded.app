# The scene delegate asks the application delegate, whose methods so go on being called
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ a: UIApplication, willContinueUserActivityWithType type: String) -> Bool {
        Spinner.shared.show()
        return true
    }
    func application(
        _ a: UIApplication, didFailToContinueUserActivityWithType type: String, error: Error
    ) { Spinner.shared.hide() }
    func application(_ a: UIApplication, didUpdate userActivity: NSUserActivity) {  }
}
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var old: UIApplicationDelegate? { UIApplication.shared.delegate }
    func sceneWillEnterForeground(_ scene: UIScene) {
        _ = old?.application?(.shared, willContinueUserActivityWithType: "com.example.read")
        old?.application?(
            .shared, didFailToContinueUserActivityWithType: "com.example.read", error: failure)
    }
}
