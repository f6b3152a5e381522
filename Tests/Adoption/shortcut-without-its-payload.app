# There is one quick action, so nobody asks which; a launch by it calls the warm callback
expect none
answer shortcut cold yes
answer shortcut warm yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene,
            let item = connectionOptions.shortcutItem
        else { return }
        self.windowScene(windowScene, performActionFor: item, completionHandler: { _ in })
    }
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        Navigator.shared.openNewNote()
    }
}
