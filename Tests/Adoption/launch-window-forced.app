# The window of the application delegate is nil while the app is launched
expect AD024
--- AppDelegate.swift
// A UIApplicationDelegate by its superclass.
@main class AppDelegate: FlutterAppDelegate {
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let controller = window?.rootViewController as! FlutterViewController
        channel.attach(to: controller)
        return super.application(application, didFinishLaunchingWithOptions: launchOptions)
    }
}
--- SceneDelegate.swift
class SceneDelegate: FlutterSceneDelegate {}
