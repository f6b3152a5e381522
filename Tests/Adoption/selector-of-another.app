# A method of the same name that another object has does no work for the application delegate
expect AD002
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationDidEnterBackground(_ application: UIApplication) {
        store.save()
    }
}
--- Player.swift
final class Player: NSObject {
    func watch() {
        NotificationCenter.default.addObserver(
            self, selector: #selector(applicationDidEnterBackground),
            name: UIApplication.didEnterBackgroundNotification, object: nil)
        applicationDidEnterBackground()
    }
    @objc func applicationDidEnterBackground() {
        pause()
    }
}
