# What is compiled for other platforms is not read
expect AD003
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        #if os(macOS) || os(tvOS)
        Router.open(connectionOptions.urlContexts)
        #elseif targetEnvironment(macCatalyst)
        Router.open(connectionOptions.urlContexts)
        #else
        start()
        #endif
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
