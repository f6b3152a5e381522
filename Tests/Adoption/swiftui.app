# A SwiftUI app has nothing to do
expect none
life swiftUI
--- App.swift
@main
struct NotesApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    var body: some Scene {
        WindowGroup { ContentView().onOpenURL { open($0) } }
    }
}
final class AppDelegate: NSObject, UIApplicationDelegate {
    func applicationDidBecomeActive(_ application: UIApplication) { refresh() }
}
