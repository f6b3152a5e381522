# SwiftUI: a shared record reaches a scene delegate alone, also if the phase is observed
expect AD002
life swiftUI
--- App.swift
@main
struct NotesApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    @Environment(\.scenePhase) private var scenePhase
    var body: some Scene {
        WindowGroup { ContentView() }
            .onChange(of: scenePhase) { Notes.shared.refresh() }
    }
}
final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata
    ) {
        Notes.shared.accept(metadata)
    }
}
