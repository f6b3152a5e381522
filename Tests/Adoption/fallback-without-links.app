# An app that only restores expects no links
expect none
lost activity cold no
lost activity warm no
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
}
