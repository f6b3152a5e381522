# SwiftUI makes scenes, so its application delegate is not told of the app's phase
expect AD002
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
    func applicationDidBecomeActive(_ application: UIApplication) { Notes.shared.refresh() }
    func applicationWillTerminate(_ application: UIApplication) { Notes.shared.save() }
}
