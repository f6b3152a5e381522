# The launch options are read, and the notification centre's delegate may be set later
expect AD011
ask 1
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let payload = launchOptions?[.remoteNotification] as? [String: Any] {
            Inbox.shared.open(payload)
        }
        return true
    }
}
final class AskingViewController: UIViewController, UNUserNotificationCenterDelegate {
    func viewDidAppear(_ animated: Bool) {
        UNUserNotificationCenter.current().delegate = self
    }
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        Inbox.shared.open(response.notification.request.content.userInfo)
    }
}
