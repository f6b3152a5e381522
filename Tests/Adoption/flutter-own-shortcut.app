# Flutter's scene delegate does not call the application delegate's own method
expect AD005 AD009 AD011
answer shortcut cold no
answer shortcut warm no
--- AppDelegate.swift
@main @objc class AppDelegate: FlutterAppDelegate {
    var pending: String?
    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let item = launchOptions?[.shortcutItem] as? UIApplicationShortcutItem {
            pending = item.type
        }
        GeneratedPluginRegistrant.register(with: self)
        return super.application(application, didFinishLaunchingWithOptions: launchOptions)
    }
    override func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        channel.invokeMethod(pending ?? "launch", arguments: shortcutItem.type)
        completionHandler(true)
    }
}
extension AppDelegate: UIApplicationDelegate {}
--- SceneDelegate.swift
class SceneDelegate: FlutterSceneDelegate {}
