# Each window sets what belongs to its own model, which has a property of the same name
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var current: Document?
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidBecomeActive(_ scene: UIScene) {
        let d = model
        d.current = document
        let app = UIApplication.shared.delegate as! AppDelegate
        app.open(document)
    }
}
--- Info.plist
SEVERAL SceneDelegate
