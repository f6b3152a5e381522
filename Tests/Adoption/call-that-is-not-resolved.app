# What gets the call of the same name can't be told
expect AD002
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationDidEnterBackground(_ application: UIApplication) {
        store.save()
    }
}
--- Services.swift
final class Services {
    func sleep() {
        all.forEach { $0.applicationDidEnterBackground(.shared) }
    }
}
