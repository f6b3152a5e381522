# A scene delegate that saves its state in an extension, and never reads it
expect AD018
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {}
--- SceneDelegate+State.swift
extension SceneDelegate {
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { scene.userActivity }
}
