# Each window sets its document as the application delegate's, by a name
expect AD020
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var current: Document?
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidBecomeActive(_ scene: UIScene) {
        let d = UIApplication.shared.delegate as! AppDelegate
        d.current = document
    }
}
--- Info.plist
SEVERAL SceneDelegate
