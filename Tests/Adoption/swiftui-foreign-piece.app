# SwiftUI: what a stack or a list holds is a piece of a view of the app, which takes no links
expect AD003 AD007
life swiftUI
answer url cold no
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor(ShelfDelegate.self) private var delegate
    var body: some Scene {
        WindowGroup { RootView(pictures: PictureLoader()) }
    }
}
final class ShelfDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        Shelf.shared.open(url)
    }
}
--- RootView.swift
struct RootView: View {
    let pictures: PictureLoader
    var body: some View {
        TabView {
            shelf
            SettingsView()
                .environment(AppearanceModel())
        }
    }
    private var shelf: some View {
        VStack {
            PackagedPicture(pictures.cover)
            List(pictures.all) { picture in
                PackagedPicture(picture)
            }
        }
    }
}
struct SettingsView: View {
    let title = "Settings"
    var body: some View { Text(title).padding() }
}
