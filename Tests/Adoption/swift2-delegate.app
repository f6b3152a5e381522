# Swift 2: the first argument of each method has no label
expect AD002 AD003 AD005 AD007 AD009 AD011
lost url cold yes
lost url warm yes
lost shortcut cold yes
lost shortcut warm yes
--- AppDelegate.swift
@UIApplicationMain
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        application: UIApplication, didFinishLaunchingWithOptions launchOptions: [NSObject: AnyObject]?
    ) -> Bool {
        if let item = launchOptions?[UIApplicationLaunchOptionsShortcutItemKey] as? UIApplicationShortcutItem {
            handleShortcut(item)
            return false
        }
        return true
    }
    func application(
        application: UIApplication, openURL url: NSURL, sourceApplication: String?,
        annotation: AnyObject
    ) -> Bool {
        return Router.sharedRouter().open(url)
    }
    func application(
        application: UIApplication, performActionForShortcutItem shortcutItem: UIApplicationShortcutItem,
        completionHandler: (Bool) -> Void
    ) {
        completionHandler(handleShortcut(shortcutItem))
    }
    func handleShortcut(item: UIApplicationShortcutItem) -> Bool {
        return Router.sharedRouter().perform(item.type)
    }
    func applicationDidEnterBackground(application: UIApplication) {
        Database.sharedDatabase().save()
    }
}
