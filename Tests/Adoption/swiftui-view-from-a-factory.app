# SwiftUI: a view that a function of another module makes may take links
expect none
ask 2
life swiftUI
answer url cold can't tell
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor(ShelfDelegate.self) private var delegate
    let screens = Screens()
    var body: some Scene {
        WindowGroup { screens.makeShelf() }
    }
}
final class ShelfDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        Shelf.shared.open(url)
    }
}
