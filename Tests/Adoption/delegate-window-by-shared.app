# The application delegate's window, asked of what its class gives
expect AD013
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    static func shared() -> AppDelegate { UIApplication.shared.delegate as! AppDelegate }
}
--- Alert.swift
func show(_ alert: UIAlertController, in app: UIApplication) {
    AppDelegate.shared().window?.rootViewController?.present(alert, animated: true)
}
