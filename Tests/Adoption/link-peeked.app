# Only whether there is a link is asked: can't tell
expect none
answer url cold can't tell
lost url cold can't tell
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if !connectionOptions.urlContexts.isEmpty {
            Analytics.coldStart()
        }
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
