# A member with a trailing closure
expect none
answer activity cold yes
answer url cold yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let page = connectionOptions.userActivities.first {
            $0.activityType == NSUserActivityTypeBrowsingWeb
        }
        factory.start(launchOptions: Self.launchOptions(url: connectionOptions.urlContexts.first?.url, userActivity: page))
        connectionOptions.urlContexts.forEach { Self.route($0) }
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Router.open(userActivity.webpageURL)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
