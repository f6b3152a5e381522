# The notification centre gets its delegate too late, maybe
expect none
answer notification cold can't tell
answer notification warm yes
--- Home.swift
final class Home: UIViewController, UNUserNotificationCenterDelegate {
    override func viewDidLoad() {
        UNUserNotificationCenter.current().delegate = self
    }
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        Inbox.open(response)
        completionHandler()
    }
}
