import SceneStore

/// An app with lists, a window for each.
public final class ShoppingApp: SceneApplicationDelegate {
    /// Makes the app.
    public init() {}

    /// Every window shows a list.
    public func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        ListScene()
    }
}

/// A window with a list.
public final class ListScene: StatefulSceneDelegate {
    /// What the window shows.
    public var state = ListState()
}

/// What is stored of a window.
public struct ListState: SavedState, Equatable {
    /// What the activity is that stores it.
    public static let activityType = "com.example.list"
    /// What is to be bought.
    public var items: [String] = []
}
