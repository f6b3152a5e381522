# A link that is taken for a state to restore, with a name for each
expect AD004
answer activity cold no
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let restored = session.stateRestorationActivity
        let dragged = connectionOptions.userActivities.first
        let activity = restored ?? dragged
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
