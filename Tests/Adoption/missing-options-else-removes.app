# The options are kept, and the other branch of a condition removes
expect AD023
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    var options: [UIApplication.LaunchOptionsKey: Any]?
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        options = launchOptions
        prepare()
        return true
    }
    func prepare() {
        if let link = options?[.url] as? URL {
            keep(link)
        } else {
            emptyInbox()
        }
    }
    func keep(_ link: URL) {
        print(link)
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        Router.open(connectionOptions.urlContexts)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        Router.open(contexts)
    }
}
