# A Handoff comes by continue, also after a launch
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
        if userActivity.activityType == "com.example.read" {
            restore(userActivity.userInfo)
        }
    }
}
--- Reader.swift
final class Reader: UIViewController {
    func read() {
        userActivity = NSUserActivity(activityType: "com.example.read")
        userActivity?.becomeCurrent()
    }
}
--- Info.plist
WITH-TYPE
