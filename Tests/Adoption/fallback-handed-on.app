# An activity or the state to restore is handed to a function that takes no link: the link is lost
expect AD004
answer activity cold no
answer activity warm yes
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        window = makeWindow(
            scene: scene,
            userActivity: connectionOptions.userActivities.first ?? session.stateRestorationActivity
        )
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        if let page = userActivity.webpageURL {
            Router.shared.open(page)
        }
    }
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { scene.userActivity }
    private func makeWindow(scene: UIScene, userActivity: NSUserActivity?) -> UIWindow? {
        guard let windowScene = scene as? UIWindowScene else { return nil }
        let made = UIWindow(windowScene: windowScene)
        made.rootViewController = Browser(id: userActivity?.userInfo?["id"] as? String)
        return made
    }
}
--- Info.plist
DELEGATE SceneDelegate
