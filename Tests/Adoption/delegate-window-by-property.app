# The application delegate's window, asked by properties
expect AD013
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
}
--- Alert.swift
final class Alerts {
    private let owner: AppDelegate
    private lazy var app = UIApplication.shared.delegate as! AppDelegate
    func show(_ alert: UIAlertController) {
        self.owner.window?.rootViewController?.present(alert, animated: true)
    }
    func hide() { app.window?.rootViewController?.dismiss(animated: true) }
}
