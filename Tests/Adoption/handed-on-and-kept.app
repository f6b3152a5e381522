# The options are handed on, kept, and read by another method
expect none
answer url cold yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        coordinator.start(with: connectionOptions)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
--- Coordinator.swift
final class Coordinator {
    private var options: UIScene.ConnectionOptions?
    func start(with options: UIScene.ConnectionOptions?) {
        self.options = options
    }
    func appeared() {
        if let contexts = options?.urlContexts {
            Router.open(contexts)
        }
    }
}
