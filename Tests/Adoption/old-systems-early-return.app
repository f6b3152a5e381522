# What follows a return for newer systems is for older ones
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if #available(iOS 13, *) {
            return true
        }
        window = UIWindow(frame: UIScreen.main.bounds)
        return true
    }
}
