# A function that the launch calls asks for it, too
expect AD024
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        attach()
        return true
    }
    func attach() {
        if let tabs = window?.rootViewController as? UITabBarController {
            tabs.delegate = self
        }
    }
}
