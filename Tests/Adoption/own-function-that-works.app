# Functions that call each other do something when one of them does
expect AD003 AD007
lost url warm yes
--- AppDelegate.swift
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        even(3, url)
        return true
    }
    private func even(_ count: Int, _ url: URL) {
        odd(count - 1, url)
    }
    private func odd(_ count: Int, _ url: URL) {
        if count > 0 {
            even(count - 1, url)
        } else {
            Router.shared.open(url)
        }
    }
}
