# A superclass from elsewhere hands everything to plug-ins; only what the class takes itself is known
expect none
answer shortcut cold can't tell
answer shortcut warm yes
--- SceneDelegate.swift
final class SceneDelegate: ScenePluggableDelegate {
    override func plugins() -> [ScenePlugin] { [ShortcutPlugin(), LinkPlugin()] }
}
extension SceneDelegate {
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        instances.first?.perform(shortcutItem, completionHandler: completionHandler)
    }
}
--- unused.txt
UIApplicationDelegate
--- Info.plist
DELEGATE SceneDelegate
