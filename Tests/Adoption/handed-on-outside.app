# The options are handed to somebody else's code: can't tell
expect none
answer url cold can't tell
answer activity cold can't tell
answer url warm yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        BranchScene.shared().scene(scene, willConnectTo: session, options: connectionOptions)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Router.open(userActivity.webpageURL)
    }
}
