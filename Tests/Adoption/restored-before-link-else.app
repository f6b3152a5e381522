# The same, in an else
expect AD003
answer url cold no
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let activity = session.stateRestorationActivity {
            reader.restore(activity)
        } else if let context = connectionOptions.urlContexts.first {
            reader.open(context.url)
        }
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        contexts.forEach { reader.open($0.url) }
    }
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        reader.activity
    }
}
