# What follows a return for newer systems is for older ones in its own case alone
expect AD003 AD007
--- AppDelegate.swift
@main class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication, open url: URL,
        options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        switch url.host {
        case "window":
            if #available(iOS 13, *) {
                return true
            }
            guard let window, case .some = window.rootViewController else { return false }
            window.makeKeyAndVisible()
        case "note":
            Router.open(url)
        default:
            break
        }
        return true
    }
}
