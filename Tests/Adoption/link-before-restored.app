# The link first, and the state only without one
expect none
answer url cold yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let context = connectionOptions.urlContexts.first {
            reader.open(context.url)
            return
        }
        if let activity = session.stateRestorationActivity {
            reader.restore(activity)
        }
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        contexts.forEach { reader.open($0.url) }
    }
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        reader.activity
    }
}
