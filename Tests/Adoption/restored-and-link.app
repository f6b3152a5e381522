# The state is restored, and then the link is opened
expect none
answer url cold yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let activity = session.stateRestorationActivity {
            reader.restore(activity)
        }
        self.scene(scene, openURLContexts: connectionOptions.urlContexts)
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        contexts.forEach { reader.open($0.url) }
    }
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        reader.activity
    }
}
