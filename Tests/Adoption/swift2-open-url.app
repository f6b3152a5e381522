# Swift 2: a method may call the application otherwise than the others do
expect AD003 AD005 AD007 AD009
answer url cold no
answer shortcut cold no
--- AppDelegate.swift
@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        application: UIApplication, performActionForShortcutItem item: UIApplicationShortcutItem,
        completionHandler: (Bool) -> Void
    ) {
        completionHandler(Shelf.shared.perform(item))
    }
}
extension AppDelegate {
    func application(
        app: UIApplication, openURL url: NSURL, options: [String: AnyObject]
    ) -> Bool {
        Shelf.shared.open(url)
        return true
    }
}
