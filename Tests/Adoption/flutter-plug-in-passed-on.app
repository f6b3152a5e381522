# A scene delegate of the app's own passes links on to Flutter's plug-ins
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
final class SceneDelegate: UIResponder, UIWindowSceneDelegate, FlutterSceneLifeCycleProvider {
    var sceneLifeCycleDelegate = FlutterPluginSceneLifeCycleDelegate()
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        sceneLifeCycleDelegate.scene(scene, willConnectTo: session, options: connectionOptions)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        sceneLifeCycleDelegate.scene(scene, openURLContexts: contexts)
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        sceneLifeCycleDelegate.scene(scene, continue: userActivity)
    }
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        sceneLifeCycleDelegate.windowScene(
            windowScene, performActionFor: shortcutItem, completionHandler: completionHandler)
    }
}
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
