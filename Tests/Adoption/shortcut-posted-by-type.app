# A quick action that decides which notification is posted while the scene connects: can't tell
expect none
answer shortcut cold can't tell
answer shortcut warm yes
--- SceneDelegate.swift
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        handle(connectionOptions.shortcutItem)
    }
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        completionHandler(handle(shortcutItem))
    }
    private func handle(_ item: UIApplicationShortcutItem?) -> Bool {
        guard let item = item else { return false }
        switch item.type {
        case "journal":
            NotificationCenter.default.post(name: Notification.Name("Journal"), object: nil)
            return true
        default:
            return false
        }
    }
}
