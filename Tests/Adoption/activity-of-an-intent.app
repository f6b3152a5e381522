# An activity that an Intents extension hands over comes when the scene connects
expect AD004
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        guard userActivity.activityType == "INPlayMediaIntent" else { return }
        player.play(userActivity)
    }
    func make() -> NSUserActivity {
        NSUserActivity(activityType: "INPlayMediaIntent")
    }
}
