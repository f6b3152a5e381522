# What restores a state is what takes the running app's activities
expect none
answer activity cold yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let userActivity = connectionOptions.userActivities.first ?? session.stateRestorationActivity {
            coordinator.handle(userActivity)
        }
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        coordinator.handle(userActivity)
    }
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        current
    }
}
--- Index.swift
func index(_ activity: NSUserActivity) {
    activity.isEligibleForSearch = true
    activity.webpageURL = nil
}
