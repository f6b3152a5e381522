# Activities of the app's own requests for windows, which no other device gets
expect none
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
        userActivity?.isEligibleForHandoff = false
        userActivity?.becomeCurrent()
    }
}
--- Info.plist
WITH-TYPE
