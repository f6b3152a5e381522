# The window is a superclass's that is not among the sources, and may be made there
expect none
ask 2
--- AppDelegate.swift
@main class AppDelegate: RCTAppDelegate, UIApplicationDelegate {
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let isStarted = super.application(application, didFinishLaunchingWithOptions: launchOptions)
        window.rootViewController?.view.tintColor = .red
        return isStarted
    }
    func dim() { self.window.rootViewController?.view.alpha = 0.5 }
}
