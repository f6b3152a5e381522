# A SwiftUI app whose delegate has only what is called with scenes has nothing to do
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
    func applicationWillTerminate(_ application: UIApplication) { save() }
}
