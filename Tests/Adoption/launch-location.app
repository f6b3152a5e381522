# A launch option that stays, and a log
expect none
lost url cold no
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if launchOptions?[.location] != nil {
            Tracker.start()
        }
        print("launched with \(launchOptions?[.url] ?? "nothing")")
        return true
    }
}
