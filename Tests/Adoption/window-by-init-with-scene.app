# A window that is made by the name of its initializer, for a scene
expect none
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        window = UIWindow.init(windowScene: scene as! UIWindowScene)
        window?.makeKeyAndVisible()
    }
}
