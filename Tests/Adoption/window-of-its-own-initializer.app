# A window whose own initializer takes the scene
expect none
--- Window.swift
extension UIWindow {
    convenience init(for scene: UIWindowScene) {
        self.init(windowScene: scene)
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        window = UIWindow(for: scene as! UIWindowScene)
    }
}
