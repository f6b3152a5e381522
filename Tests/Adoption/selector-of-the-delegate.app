# The application delegate observes the notification itself
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func watch() {
        NotificationCenter.default.addObserver(
            self, selector: #selector(AppDelegate.applicationDidEnterBackground(_:)),
            name: UIApplication.didEnterBackgroundNotification, object: nil)
    }
    @objc func applicationDidEnterBackground(_ application: UIApplication) {
        store.save()
    }
}
