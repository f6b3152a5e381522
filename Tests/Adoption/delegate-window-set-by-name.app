# The scene delegate gives the application delegate its window, by a name
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    func sceneDidBecomeActive(_ scene: UIScene) {
        let d = UIApplication.shared.delegate as! AppDelegate
        d.window = window
    }
}
--- Alert.swift
func show(_ alert: UIAlertController) {
    let d = UIApplication.shared.delegate as! AppDelegate
    d.window?.rootViewController?.present(alert, animated: true)
}
