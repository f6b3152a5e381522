# A raw text of one line that begins as one of many lines does
expect none
answer url cold yes
answer url warm yes
--- SceneDelegate.swift
let lines = #"""
    a "# b
    """#
let quote = #"""#
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        Router.open(connectionOptions.urlContexts)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
