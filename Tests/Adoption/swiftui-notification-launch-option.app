# SwiftUI: the launch options have no notification, and nothing else takes it
expect AD006 AD011
life swiftUI
answer notification cold no
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    var body: some Scene {
        WindowGroup { Text("Shelf") }
    }
}
final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        if let userInfo = launchOptions?[.remoteNotification] as? [AnyHashable: Any] {
            Shelf.shared.open(userInfo)
        }
        return true
    }
}
