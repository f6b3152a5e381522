# A window of a class from outside that gets its scene, and a window that is no UIKit window
expect none
--- AppDelegate.swift
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let limit = TimeWindow(length: 60)
        Quota.shared.window = limit
        return true
    }
    func show(in scene: UIWindowScene) {
        window = TouchRecorder(frame: .zero)
        window?.windowScene = scene
    }
}
