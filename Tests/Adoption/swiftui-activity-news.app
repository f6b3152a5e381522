# SwiftUI tells no view that an activity will come, so nothing takes the method's place
expect none
life swiftUI
--- App.swift
@main
struct NotesApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    var body: some Scene {
        WindowGroup { ContentView() }
    }
}
final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(_ a: UIApplication, willContinueUserActivityWithType type: String) -> Bool {
        Spinner.shared.show()
        return true
    }
    func application(
        _ a: UIApplication, didFailToContinueUserActivityWithType type: String, error: Error
    ) { Spinner.shared.hide() }
    func application(_ a: UIApplication, didUpdate userActivity: NSUserActivity) {  }
}
