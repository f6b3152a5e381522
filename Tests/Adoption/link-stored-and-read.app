# A link that is kept and read later is taken
expect none
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        pendingURL = connectionOptions.urlContexts.first?.url
    }
    private var pendingURL: URL?
    func sceneDidBecomeActive(_ scene: UIScene) {
        if let url = pendingURL {
            Router.open(url)
        }
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
