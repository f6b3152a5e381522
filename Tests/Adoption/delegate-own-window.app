# The application delegate itself asks its window after the launch; one of a local name is another
expect AD013
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate, UNUserNotificationCenterDelegate {
    var window: UIWindow?
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        UNUserNotificationCenter.current().delegate = self
        return true
    }
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {
        let home = window?.rootViewController as? HomeViewController
        home?.open(response.notification.request.identifier)
    }
}
