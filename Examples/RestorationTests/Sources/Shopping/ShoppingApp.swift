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
public final class ListScene: StateRestoringSceneDelegate {
    /// What is to be bought.
    public var items: [String] = []

    /// The list, to be stored.
    public func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        var activity = try UserActivity(activityType: "com.example.list")
        try activity.setUserInfo(encoding: ListState(items: items))
        return activity
    }

    /// The list that was stored last.
    public func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) throws {
        items = try activity.decodeUserInfo(as: ListState.self).items
    }
}

/// What is stored of a window.
public struct ListState: Codable, Equatable, Sendable {
    /// What is to be bought.
    public var items: [String]

    /// Makes a state.
    public init(items: [String]) {
        self.items = items
    }
}
