# The notification centre gets its delegate in a function that the launch calls
expect none
answer notification cold yes
answer notification warm yes
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    let push = Push()
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        push.register()
        return true
    }
}
--- Push.swift
final class Push: NSObject, UNUserNotificationCenterDelegate {
    func register() {
        let center = UNUserNotificationCenter.current()
        center.delegate = self
    }
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        Inbox.open(response)
        completionHandler()
    }
}
