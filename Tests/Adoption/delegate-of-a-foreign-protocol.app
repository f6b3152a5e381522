# What launches an app is its delegate, whatever its superclass or protocol from elsewhere is named
expect AD005 AD009 AD011
lost shortcut cold yes
--- AppDelegate.swift
@UIApplicationMain
class AppDelegate: NotifiedDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        perform(launchOptions?[.shortcutItem] as? UIApplicationShortcutItem)
        return true
    }
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        perform(shortcutItem)
        completionHandler(true)
    }
    private func perform(_ item: UIApplicationShortcutItem?) {
        guard let item else { return }
        Feeds.shared.open(item.type)
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {}
--- Note.swift
// UIApplicationDelegate is adopted by the protocol of the framework.
