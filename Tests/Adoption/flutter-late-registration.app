# Flutter hands its scene's options to plug-ins that are registered when the scene has connected
expect none
ask 0
answer url cold yes
--- AppDelegate.swift
@main @objc class AppDelegate: FlutterAppDelegate, FlutterImplicitEngineDelegate {
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        return super.application(application, didFinishLaunchingWithOptions: launchOptions)
    }
    func didInitializeImplicitFlutterEngine(_ engineBridge: FlutterImplicitEngineBridge) {
        GeneratedPluginRegistrant.register(with: engineBridge.pluginRegistry)
    }
}
extension AppDelegate: UIApplicationDelegate {}
--- SceneDelegate.swift
class SceneDelegate: FlutterSceneDelegate {}
