# A plug-in that says it knows scenes, and takes links only from the application delegate
expect none
ask 2
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
public class SharePlugin: NSObject, FlutterPlugin, FlutterSceneLifeCycleDelegate {
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
    public func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([Any]) -> Void
    ) -> Bool {
        channel.invokeMethod("page", arguments: userActivity.webpageURL?.absoluteString)
        return true
    }
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) -> Bool {
        channel.invokeMethod("page", arguments: userActivity.webpageURL?.absoluteString)
        return true
    }
}
