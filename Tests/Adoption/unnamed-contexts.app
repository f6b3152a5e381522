# A handler whose payload has no name does nothing with it
expect AD003 AD007
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(_: UIScene, openURLContexts _: Set<UIOpenURLContext>) {}
}
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool {
        Router.open(url)
    }
}
