# SwiftUI: a view that a function of the app makes is known, with its modifiers
expect AD003 AD007
life swiftUI
answer url cold no
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor(ShelfDelegate.self) private var delegate
    let screens = Screens()
    var body: some Scene {
        WindowGroup { screens.makeShelf().padding() }
    }
}
struct Screens {
    func makeShelf() -> some View {
        AnyView(ShelfView())
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
