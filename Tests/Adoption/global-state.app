# Each window sets its editor as the application delegate's
expect AD020
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var editor: Editor?
}
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func sceneDidBecomeActive(_ scene: UIScene) {
        (UIApplication.shared.delegate as! AppDelegate).editor = editor
    }
}
--- Info.plist
SEVERAL SceneDelegate
