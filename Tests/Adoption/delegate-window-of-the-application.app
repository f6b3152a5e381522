# The application delegate's window, asked in an extension of the application
expect AD013
--- AppDelegate.swift
@main final class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
}
--- Application.swift
extension UIApplication {
    var root: UIViewController? { delegate?.window??.rootViewController }
}
