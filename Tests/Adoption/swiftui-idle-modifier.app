# SwiftUI: a modifier whose closure only logs takes no link
life swiftUI
lost url cold yes
lost url warm yes
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor(ShelfDelegate.self) private var delegate
    var body: some Scene {
        WindowGroup {
            ShelfView()
                .onOpenURL { url in
                    print(url)
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
}
