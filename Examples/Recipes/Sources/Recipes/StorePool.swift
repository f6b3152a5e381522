import SceneStore

/// A server's stores, one for each user: opened for a request, kept while requests come, closed
/// when others need the room. Closed stores are files that anybody may copy.
///
/// A server runs several pools side by side and gives each user one of them, by a hash of the name.
actor StorePool {
    /// One user's open windows.
    private struct Open {
        var application: SceneApplication
        var lastUse: Int
    }

    private let folder: String
    /// How many stores are open at a time.
    private let capacity: Int
    private var open: [String: Open] = [:]
    private var uses = 0
    private(set) var openings = 0

    init(folder: String, capacity: Int) {
        self.folder = folder
        self.capacity = max(1, capacity)
    }

    /// A user's request: counts in the user's window, and answers when that is durable.
    func count(for user: String) throws(SceneStoreError) -> Int {
        let application = try application(for: user)
        guard let scene = application.connectedScenes.first,
            let counter = scene.delegate as? CounterScene
        else {
            throw SceneStoreError(.requestDenied, "the user has no window")
        }
        counter.count += 1
        try application.saveState(of: [scene.session.id])
        return counter.count
    }

    private func application(for user: String) throws(SceneStoreError) -> SceneApplication {
        uses += 1
        if let found = open[user]?.application {
            open[user]?.lastUse = uses
            return found
        }
        while open.count >= capacity,
            let oldest = open.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            try close(oldest)
        }
        let store = try SceneSessionStore.open(at: .directory("\(folder)/\(user)"))
        let application = SceneApplication(store: store, delegate: CounterApp())
        try application.launch()
        open[user] = Open(application: application, lastUse: uses)
        openings += 1
        return application
    }

    private func close(_ user: String) throws(SceneStoreError) {
        try open.removeValue(forKey: user)?.application.quit()
    }

    /// Closes everything: each store is one file again.
    func closeAll() throws(SceneStoreError) {
        for user in open.keys.sorted() {
            try close(user)
        }
    }
}

/// The app that each user has: windows that count.
final class CounterApp: SceneConfigurationProvider {
    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        SceneConfiguration(name: "Counter", role: session.role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { CounterScene() }
}

final class CounterScene: StateRestoringSceneDelegate {
    var count = 0
    var text = ""

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        count = Int(activity.userInfo["count"]?.integerValue ?? 0)
        text = activity.userInfo["text"]?.stringValue ?? ""
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        try UserActivity(
            activityType: "com.example.count",
            userInfo: ["count": .integer(Int64(count)), "text": .string(text)])
    }
}
