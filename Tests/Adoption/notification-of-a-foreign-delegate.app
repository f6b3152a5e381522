# A superclass from outside may take notifications while the app runs
expect none
ask 1
answer notification cold yes
lost notification warm can't tell
--- AppDelegate.swift
@main
class AppDelegate: HostAppDelegate {
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        super.application(application, didFinishLaunchingWithOptions: nil)
    }
}
extension AppDelegate: UIApplicationDelegate {}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let response = connectionOptions.notificationResponse {
            Inbox.shared.open(response.notification)
        }
    }
}
