# A state that the app only takes away from the session is never saved
expect AD019
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let activity = session.stateRestorationActivity { editor.restore(activity) }
        session.stateRestorationActivity = nil
    }
}
