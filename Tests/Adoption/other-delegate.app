# Another delegate is set beside a request for notifications
expect AD006 AD011
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Messaging.messaging().delegate = self
        UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { _, _ in }
        if let info = launchOptions?[.remoteNotification] {
            Inbox.open(info)
        }
        return true
    }
}
