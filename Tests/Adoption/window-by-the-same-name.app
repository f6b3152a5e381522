# A name that is the application delegate in one function is something else in others
expect none
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
}
--- Alert.swift
final class Alerts {
    func log() {
        let d = UIApplication.shared.delegate as! AppDelegate
        d.log()
    }
    func hide(_ d: UIView) { d.window?.rootViewController?.dismiss(animated: true) }
    func show(_ alert: UIAlertController, over view: UIView) {
        let d = view
        d.window?.rootViewController?.present(alert, animated: true)
    }
    func all() {
        let d = UIApplication.shared.delegate as! AppDelegate
        for view in views { let d = view; d.window?.endEditing(true) }
        d.log()
    }
}
