# SwiftUI: onOpenURL takes universal links, and not what another device hands over
life swiftUI
answer url warm yes
answer activity warm can't tell
answer activity cold can't tell
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
    let reading = NSUserActivity(activityType: "com.example.read")
    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        guard let page = userActivity.userInfo?["page"] as? Int else { return false }
        return Shelf.shared.turn(to: page)
    }
}
