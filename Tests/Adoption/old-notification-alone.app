# At a launch nobody took the notification before, so nothing is lost
expect none
answer notification warm yes
lost notification cold no
--- AppDelegate.swift
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let info = launchOptions?[.remoteNotification] as? [String: AnyObject] {
            print("launched by a notification")
            let aps = info["aps"] as? [String: AnyObject]
        }
        return true
    }
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) {
        Inbox.shared.show(userInfo)
    }
}
