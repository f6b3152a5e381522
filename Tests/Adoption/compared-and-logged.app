# A link that is compared and then only logged
expect AD004
answer activity cold no
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let userActivity = connectionOptions.userActivities.first(where: { $0.webpageURL != nil }),
            userActivity.activityType == NSUserActivityTypeBrowsingWeb,
            let url = userActivity.webpageURL
        {
            print("url: \(url)")
        }
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Router.open(userActivity.webpageURL)
    }
}
