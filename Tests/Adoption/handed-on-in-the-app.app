# The options are handed to a function of the app that reads them
expect AD005
answer url cold yes
answer shortcut cold no
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        coordinator = Coordinator(window: window, connectionOptions: connectionOptions)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        Router.perform(shortcutItem)
    }
}
--- Coordinator.swift
final class Coordinator {
    init(window: UIWindow?, connectionOptions: UIScene.ConnectionOptions) {
        open(connectionOptions.urlContexts)
    }
}
