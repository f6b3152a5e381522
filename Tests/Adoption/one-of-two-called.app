# Two objects got the same call, and only one of them gets it now
expect AD002
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationWillEnterForeground(_ application: UIApplication) {
        locationManager.start()
        Uploader.shared.start()
        radio.start()
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneWillEnterForeground(_ scene: UIScene) {
        LocationManager.shared.start()
        Uploader.shared.start()
    }
}
