# A handler that calls a function of the app that only logs takes nothing
expect none
answer activity warm no
lost activity warm no
--- AppDelegate.swift
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        AppDelegate.note(userActivity)
        return self.isKnown(userActivity.webpageURL)
    }
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        note(url, from: app)
    }
    static func note(_ activity: NSUserActivity) {
        guard let page = activity.webpageURL else { return }
        debugPrint(page.absoluteString)
        tell(page)
    }
    static func tell(_ page: URL) { print(page) }
    private func isKnown(_ page: URL?) -> Bool { page?.host == "example.com" }
    private func note(_ url: URL, from app: UIApplication) -> Bool {
        print(url)
        return false
    }
}
