# An activity whose page gets a name and is logged: it is lost, cold and warm
expect AD004 AD008
answer activity cold no
answer activity warm no
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        if let page = userActivity.webpageURL {
            Router.shared.open(page)
            return true
        }
        return false
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        start()
    }
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        guard let page = userActivity.webpageURL else { return }
        print("opened \(page)")
    }
}
--- Info.plist
DELEGATE SceneDelegate
