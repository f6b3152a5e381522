# The application delegate's window, asked by a name that a function gives it
expect AD013
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
}
--- Alert.swift
func show(_ alert: UIAlertController) {
    guard let d = UIApplication.shared.delegate as? AppDelegate, let window = d.window else {
        return
    }
    window.rootViewController?.present(alert, animated: true)
}
