# SwiftUI: a view of the app that only wraps one of another module has what that one has
expect none
ask 2
life swiftUI
answer url cold can't tell
--- App.swift
@main
struct ShelfApp: App {
    @UIApplicationDelegateAdaptor(ShelfDelegate.self) private var delegate
    var body: some Scene {
        WindowGroup { RootView() }
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
    @State private var user: User?
    var body: some View {
        Group {
            if let user {
                signedIn(user)
            } else {
                Text("Sign in")
            }
        }
        .tint(.red)
    }
    private func signedIn(_ user: User) -> some View {
        NavigationStack {
            PackagedShelf(user: user)
                .navigationTitle("Shelf")
        }
    }
}
