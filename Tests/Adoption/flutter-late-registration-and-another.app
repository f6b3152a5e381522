# Somebody else's code gets the launch options, too, and that can't be told
expect none
ask 1
--- AppDelegate.swift
@main @objc class AppDelegate: FlutterAppDelegate, FlutterImplicitEngineDelegate {
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        Campaigns.shared.start(launchOptions)
        return super.application(application, didFinishLaunchingWithOptions: launchOptions)
    }
    func didInitializeImplicitFlutterEngine(_ engineBridge: FlutterImplicitEngineBridge) {
        GeneratedPluginRegistrant.register(with: engineBridge.pluginRegistry)
    }
}
extension AppDelegate: UIApplicationDelegate {}
--- SceneDelegate.swift
class SceneDelegate: FlutterSceneDelegate {}
