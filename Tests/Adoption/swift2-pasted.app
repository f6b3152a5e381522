# A method of Swift 2 in a file of later Swift is no method of the delegate
expect none
answer url cold no
--- AppDelegate.swift
@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        true
    }
    func application(
        application: UIApplication, openURL url: NSURL, sourceApplication: String?,
        annotation: AnyObject
    ) -> Bool {
        return Login.shared.handle(url)
    }
}
