# A page that is offered with a Handoff is not one that is taken
expect none
answer activity cold yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        start()
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        restore(userActivity.userInfo)
    }
}
--- Reader.swift
final class Reader: UIViewController {
    func read() {
        let activity = NSUserActivity(activityType: "com.example.read")
        activity.webpageURL = page
        activity.becomeCurrent()
    }
    func menu(_ interaction: UIContextMenuInteraction) { show(interaction) }
}
--- Info.plist
WITH-TYPE
