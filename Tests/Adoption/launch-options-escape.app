# Launch options that go to somebody else's code: can't tell, and nothing is lost
expect none
ask 1
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        SDK.shared.application(application, didFinishLaunchingWithOptions: launchOptions)
    }
}
