# A session's identifier goes to a database that is not among the sources
expect none
ask 1
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidEnterBackground(_ scene: UIScene) {
        database.save(document, under: scene.session.persistentIdentifier)
    }
}
