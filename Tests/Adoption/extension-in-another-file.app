# Handlers in extensions in other files
expect none
answer url cold yes
answer url warm yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder {
    var window: UIWindow?
}
--- SceneDelegate+Connect.swift
extension SceneDelegate: UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        route(connectionOptions.urlContexts)
    }
}
--- SceneDelegate+Open.swift
extension SceneDelegate {
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
