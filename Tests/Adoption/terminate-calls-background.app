# A dead method that only the application delegate itself calls is dead
expect AD002
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func applicationDidEnterBackground(_ application: UIApplication) {
        Database.save()
    }
    func applicationWillTerminate(_ application: UIApplication) {
        applicationDidEnterBackground(application)
    }
}
