# A session's identifier goes to a function beside it that stores
expect AD017
ask 0
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidEnterBackground(_ scene: UIScene) {
        Drafts.keep(document, under: scene.session.persistentIdentifier)
    }
}
enum Drafts {
    static func keep(_ document: Document, under name: String) {
        UserDefaults.standard.set(document.text, forKey: name)
    }
}
