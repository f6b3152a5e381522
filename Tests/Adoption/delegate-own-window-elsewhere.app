# A window of a local name, a parameter, a scene's, and the one that the launch itself makes
expect AD012
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        window = UIWindow(frame: UIScreen.main.bounds)
        window?.makeKeyAndVisible()
        return true
    }
    func dim(_ window: UIWindow) { window.rootViewController?.view.alpha = 0.5 }
    func lightAll(_ app: UIApplication) {
        app.windows.forEach { window in window.rootViewController?.view.alpha = 1 }
    }
    func light(_ view: UIView) {
        guard let window = view.window else { return }
        window.rootViewController?.view.alpha = 1
    }
}
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    func sceneDidBecomeActive(_ scene: UIScene) { window?.rootViewController?.view.alpha = 1 }
}
