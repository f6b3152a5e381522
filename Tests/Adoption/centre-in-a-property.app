# The notification centre is kept in a property
expect none
answer notification cold yes
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    let listener = Listener()
}
final class Listener: NSObject, UNUserNotificationCenterDelegate {
    let notificationCenter = UNUserNotificationCenter.current()
    override init() {
        super.init()
        self.notificationCenter.delegate = self
    }
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler handler: @escaping () -> Void
    ) {
        Router.open(response)
    }
}
