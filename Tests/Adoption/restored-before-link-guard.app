# The same, behind a guard, for a link that was given a name before
expect AD003
answer url cold no
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        let link = connectionOptions.urlContexts.first?.url
        guard session.stateRestorationActivity == nil else {
            reader.restore(session.stateRestorationActivity)
            return
        }
        if let link {
            reader.open(link)
        }
    }
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        contexts.forEach { reader.open($0.url) }
    }
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        reader.activity
    }
}
