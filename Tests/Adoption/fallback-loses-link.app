# A link that is taken for a state to restore
expect AD004
answer activity cold no
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let activity = connectionOptions.userActivities.first ?? session.stateRestorationActivity
        if let activity {
            restore(activity)
        }
    }
    func restore(_ activity: NSUserActivity) {
        detail = activity.userInfo?["detail"] as? String
    }
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        current
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Router.open(userActivity.webpageURL)
    }
}
