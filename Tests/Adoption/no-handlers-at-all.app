# An app that takes nothing loses nothing
expect none
answer url cold no
lost url cold no
lost notification warm no
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        window?.makeKeyAndVisible()
    }
}
