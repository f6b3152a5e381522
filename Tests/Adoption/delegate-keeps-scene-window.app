# The application delegate makes its window for the scene that connects, and keeps it
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    func start(in windowScene: UIWindowScene) {
        let created = UIWindow(windowScene: windowScene)
        window = created
        created.makeKeyAndVisible()
    }
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene,
            let appDelegate = UIApplication.shared.delegate as? AppDelegate
        else { return }
        appDelegate.start(in: windowScene)
        window = appDelegate.window
    }
}
