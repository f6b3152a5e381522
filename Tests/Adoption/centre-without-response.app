# The notification centre's delegate has no method for a response, so the old handler is called
expect AD006 AD011
answer notification cold no
answer notification warm yes
--- AppDelegate.swift
@main
class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    var message: String?
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let info = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            message = info["message"] as? String
            showMessage()
        }
        UNUserNotificationCenter.current().delegate = self
        return true
    }
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) {
        message = userInfo["message"] as? String
        showMessage()
    }
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler(.banner)
    }
    func showMessage() { Inbox.shared.show(message) }
}
