# Who gets the launch options of a notification can't be told once they leave the sources
expect none
ask 2
answer notification warm yes
lost notification cold can't tell
--- AppDelegate.swift
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Analytics.shared.start(launchOptions)
        return true
    }
    func application(
        _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
    ) {
        Inbox.shared.show(userInfo)
    }
}
