# A state that the app gives the session itself is saved
expect none
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        if let activity = session.stateRestorationActivity { editor.restore(activity) }
    }
    func sceneDidEnterBackground(_ scene: UIScene) {
        scene.session.stateRestorationActivity = editor.activity
    }
}
