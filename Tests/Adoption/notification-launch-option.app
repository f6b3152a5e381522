# A notification that only the launch options held
expect AD006 AD011
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let info = launchOptions?[UIApplication.LaunchOptionsKey.remoteNotification] {
            Inbox.open(info)
        }
        return true
    }
}
