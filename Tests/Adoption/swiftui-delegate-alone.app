# SwiftUI calls no application delegate for links, activities and quick actions
expect AD003 AD004 AD005 AD007 AD008 AD009 AD011
life swiftUI
lost url cold yes
lost activity warm yes
lost shortcut cold yes
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor private var delegate: ShelfDelegate
    var body: some Scene {
        WindowGroup {
            NavigationStack { ShelfView().environmentObject(Shelf.shared) }
        }
    }
}
struct ShelfView: View {
    var body: some View { Text("Shelf") }
}
final class ShelfDelegate: NSObject, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        if let item = launchOptions?[.shortcutItem] as? UIApplicationShortcutItem {
            Shelf.shared.perform(item.type)
        }
        return true
    }
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
    func application(
        _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        completionHandler(Shelf.shared.perform(shortcutItem.type))
    }
}
