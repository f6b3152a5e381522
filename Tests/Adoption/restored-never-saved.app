# A scene delegate that reads a state that nobody saves
expect AD019
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let activity = session.stateRestorationActivity { editor.restore(activity) }
    }
}
