# A link that is read only if no state is restored: both come with one connection
expect AD003
answer url cold no
answer url warm yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let activity = session.stateRestorationActivity {
            reader.restore(activity)
            return
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
