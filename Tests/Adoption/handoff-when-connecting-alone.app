# A Handoff comes by scene(_:continue:), and only the connection's activities are read
expect AD008
answer activity warm no
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
