# A session's identifier is compared, looked up and logged
expect none
ask 0
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidEnterBackground(_ scene: UIScene) {
        guard open.contains(scene.session.persistentIdentifier) else { return }
        windows[scene.session.persistentIdentifier] = nil
        note(scene.session.persistentIdentifier)
        logger.info("left \(scene.session.persistentIdentifier)")
    }
}
func note(_ text: String) { print(text) }
