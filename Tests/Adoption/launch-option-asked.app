# Launch options of which only whether they are there decides what the app does
expect AD005 AD009 AD011
ask 0
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    var hasTask = false
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        if let launchOptions = launchOptions {
            if launchOptions[.userActivityDictionary] != nil || launchOptions[.shortcutItem] != nil {
                hasTask = true
            }
        }
        return true
    }
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        Router.shared.perform(shortcutItem.type)
    }
    func showWelcome() {
        if !hasTask { Welcome.shared.show() }
    }
}
