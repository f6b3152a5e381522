# Modifiers of SwiftUI take what its application delegate never gets
expect none
life swiftUI
answer url cold yes
answer activity warm yes
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor(ShelfDelegate.self) private var delegate
    var body: some Scene {
        WindowGroup {
            ShelfView()
                .onOpenURL { url in
                    Shelf.shared.open(url)
                }
        }
    }
}
struct ShelfView: View {
    var body: some View { Text("Shelf") }
}
final class ShelfDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        Shelf.shared.open(url)
    }
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let page = userActivity.webpageURL else { return false }
        return Shelf.shared.open(page)
    }
}
