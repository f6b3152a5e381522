# A quick action that the application delegate takes apart and only prints is not meant to be taken
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        print(shortcutItem.type)
        if let type = shortcutItem.type.components(separatedBy: ".").last {
            switch type {
            case "space": print("space")
            default: print("something else")
            }
        }
    }
}
