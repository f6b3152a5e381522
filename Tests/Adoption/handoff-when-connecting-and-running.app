# The same with scene(_:continue:)
expect none
answer activity warm yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        for activity in connectionOptions.userActivities {
            reader.show(activity.userInfo)
        }
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        reader.show(userActivity.userInfo)
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
