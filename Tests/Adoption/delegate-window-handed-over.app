# The scene delegate hands its window to the application delegate
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
}
func top() -> UIViewController? {
    UIApplication.shared.delegate?.window??.rootViewController
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        (UIApplication.shared.delegate as? AppDelegate)?.window = window
    }
}
