# Flutter's scene delegate calls the old method of a plug-in that doesn't know scenes
expect none
ask 1
--- AppDelegate.swift
@main @objc class AppDelegate: FlutterAppDelegate {
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        GeneratedPluginRegistrant.register(with: self)
        return super.application(application, didFinishLaunchingWithOptions: launchOptions)
    }
}
extension AppDelegate: UIApplicationDelegate {}
--- SceneDelegate.swift
class SceneDelegate: FlutterSceneDelegate {}
--- SharePlugin.swift
public class SharePlugin: NSObject, FlutterPlugin {
    public static func register(with registrar: FlutterPluginRegistrar) {
        let plugIn = SharePlugin()
        registrar.addApplicationDelegate(plugIn)
    }
    public func application(
        _ application: UIApplication, open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        channel.invokeMethod("open", arguments: url.absoluteString)
        return true
    }
}
