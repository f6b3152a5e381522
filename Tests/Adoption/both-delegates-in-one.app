# One class that is both delegates
expect AD005
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        Router.open(connectionOptions.urlContexts)
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
--- Info.plist
DELEGATE AppDelegate
--- SceneDelegate.txt
SceneDelegate
