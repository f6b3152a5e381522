# A notification of the life cycle is still posted
expect none
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    override init() {
        super.init()
        NotificationCenter.default.addObserver(
            self, selector: #selector(applicationDidEnterBackground(_:)),
            name: UIApplication.didEnterBackgroundNotification, object: nil)
    }
    @objc func applicationDidEnterBackground(_ application: UIApplication) {
        Database.save()
    }
}
