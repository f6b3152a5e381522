# SwiftUI: the scene delegate reads the connection's links, and a view takes the others
expect none
ask 0
life swiftUI
answer url cold yes
answer url warm yes
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor(AppDelegate.self) private var delegate
    var body: some Scene {
        WindowGroup { ShelfView() }
    }
}
struct ShelfView: View {
    var body: some View { Text("Shelf").onOpenURL { Shelf.shared.open($0) } }
}
final class AppDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication, configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: session.role)
        configuration.delegateClass = SceneDelegate.self
        return configuration
    }
}
final class SceneDelegate: NSObject, UIWindowSceneDelegate {
    func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
        contexts.forEach { Shelf.shared.open($0.url) }
    }
}
