# An app without activities of its own gets links alone, whoever takes them
expect AD004
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        start()
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Branch.getInstance().continue(userActivity)
    }
}
