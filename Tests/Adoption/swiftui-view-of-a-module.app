# SwiftUI: a view that is named with its module, and one that another object makes
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
        WindowGroup {
            switch Shelf.shared.state {
            case .closed: Color.clear.onAppear { open() }
            default: Reading.ShelfView()
            }
        }
    }
}
struct ShelfView: View {
    var body: some View { Text("Another shelf") }
}
final class ShelfDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        Shelf.shared.open(url)
    }
}
