# Each window clears the same flag of the application delegate
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    static let shared = UIApplication.shared.delegate as? AppDelegate
    var isFirstWindow = true
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidBecomeActive(_ scene: UIScene) {
        AppDelegate.shared?.isFirstWindow = false
    }
}
--- Info.plist
SEVERAL SceneDelegate
