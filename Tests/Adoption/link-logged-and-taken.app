# A link that is logged and taken is not lost
expect none
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        os_log("options %@", connectionOptions.urlContexts.description)
        for context in connectionOptions.urlContexts {
            NSLog("%@", context.url.absoluteString)
            Router.open(context.url)
        }
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
