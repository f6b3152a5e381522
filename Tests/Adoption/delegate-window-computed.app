# The application delegate's window is the one of a scene
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow? {
        UIApplication.shared.connectedScenes.compactMap { ($0 as? UIWindowScene)?.keyWindow }.first
    }
}
--- Alert.swift
func show(_ alert: UIAlertController) {
    let d = UIApplication.shared.delegate as! AppDelegate
    d.window?.rootViewController?.present(alert, animated: true)
}
