import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

/// The versions of a state whose author forgot to raise the version.
private enum Released {
    struct One: SavedState {
        static let activityType = "com.example.note"
        var title: String? = "shopping"
        var marks = [Mark(at: 1, colour: "red"), Mark(at: 2, colour: nil)]
        var seen = ["milk": 2, "bread": 1]
    }

    struct Mark: Codable {
        var at: Int
        var colour: String?
    }

    /// `title` is called `heading` now.
    struct Renamed: SavedState {
        static let activityType = "com.example.note"
        var heading: String?
        var marks: [Mark] = []
        var seen: [String: Int] = [:]
    }

    /// A property of what an array holds is called otherwise now.
    struct RenamedWithin: SavedState {
        static let activityType = "com.example.note"
        var title: String?
        var marks: [PlainMark] = []
        var seen: [String: Int] = [:]

        struct PlainMark: Codable {
            var at: Int
            var color: String?
        }
    }

    /// The same with the version raised, as it should be.
    struct Migrated: SavedState {
        static let activityType = "com.example.note"
        static let version = 2
        static let migrations: [StateMigration] = [
            .from(1, .rename("title", to: "heading"), .drop("seen"))
        ]
        var heading: String?
        var marks: [Mark] = []
    }

    /// An older type that reads only what its successor needs.
    struct ByType: SavedState {
        static let activityType = "com.example.note"
        static let version = 2
        static let migrations: [StateMigration] = [
            .from(1, Part.self) { ByType(heading: $0.title) }
        ]
        struct Part: Codable { var title: String? }
        var heading: String?
    }

    /// Tries one key as another type first, and knows nothing of the others.
    struct Tried: SavedState {
        static let activityType = "com.example.note"
        var title = ""

        init() {}

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            for _ in 0..<2 where (try? container.decode(Int.self, forKey: .title)) != nil {}
            title = try container.decode(String.self, forKey: .title)
        }
    }

    class Base: Codable {
        var title: String? = ""
    }

    /// A class whose superclass reads from the same dictionary.
    final class Sub: Base, SavedState {
        static let activityType = "com.example.note"
        var seen: [String: Int] = [:]
        var marks: [Mark] = []

        override init() { super.init() }

        private enum Keys: String, CodingKey { case seen, marks }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            seen = try container.decode([String: Int].self, forKey: .seen)
            marks = try container.decode([Mark].self, forKey: .marks)
            try super.init(from: decoder)
        }
    }
}

private final class TypedScene<State: SavedState>: StatefulSceneDelegate {
    var state: State
    init(_ state: State) { self.state = state }
}

private final class TypedApp<State: SavedState>: SceneApplicationDelegate {
    let state: State
    init(_ state: State) { self.state = state }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { TypedScene(state) }
}

/// A host that restores by itself, by the activity's type.
private final class OwnHost: SceneHost {
    final class Window {}
    func makeWindow(for session: SceneSession) -> Window { Window() }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func restore(_ activity: UserActivity, in window: Window) throws {
        _ = try Released.Renamed(restoring: activity)
    }
    func stateRestorationActivity(of window: Window) -> UserActivity? { nil }
}

@Suite("Keys that a type does not read")
struct UnreadKeysTests {
    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(
            options: {
                var options = SceneApplicationOptions(manifest: .windows("Note"))
                options.reconnection = .all
                return options
            }())
        try device.launch { TypedApp(Released.One()) }
        try device.moveToBackground()
        device.kill()
    }

    private var told: [Diagnostic] {
        device.diagnostics.filter { $0.code.rawValue == "unreadKeys" }
    }

    @Test("L-54 a stored key that the type does not read is told, and the state is pinned")
    func renamed() throws {
        let running = try device.launch { TypedApp(Released.Renamed()) }
        #expect(told.map(\.path) == ["userInfo.title"])
        #expect(told.first?.severity == .warning)
        let scene = try #require(device.frontScene)
        #expect(scene.session.restoration == .available)
        // However much is saved afterwards.
        for text in 0..<40 {
            try device.sceneDelegate(TypedScene<Released.Renamed>.self).state.heading = "\(text)"
            try running.saveState(of: [scene.session.id])
        }
        let history = try running.history(of: scene.session.id)
        let kept = try #require(history.first { $0.isPinned })
        #expect(
            try running.state(at: kept.generation, of: scene.session.id).userInfo["title"]
                == "shopping")
        // What was saved since has nothing that is not read.
        try device.moveToBackground()
        device.kill()
        try device.launch { TypedApp(Released.Renamed()) }
        #expect(told.count == 1)
    }

    @Test("L-54 of each type one session is told of in a process, and each one's state is pinned")
    func once() throws {
        let running = try device.launch { TypedApp(Released.One()) }
        running.requestSceneSessionActivation(.init())
        try device.moveToBackground()
        device.kill()
        let next = try device.launch { TypedApp(Released.Renamed()) }
        #expect(next.connectedScenes.count == 2)
        #expect(told.count == 1)
        for scene in next.connectedScenes {
            #expect(try next.history(of: scene.session.id).filter(\.isPinned).count == 1)
        }
    }

    @Test("L-54 a key within an array's element is named with its place")
    func within() throws {
        try device.launch { TypedApp(Released.RenamedWithin()) }
        #expect(told.map(\.path) == ["userInfo.marks[0].colour"])
    }

    @Test("L-54 what is migrated, and what a dictionary or a superclass reads, is no unread key")
    func read() throws {
        try device.launch { TypedApp(Released.One()) }
        #expect(told.isEmpty)
        device.kill()
        try device.launch { TypedApp(Released.Sub()) }
        #expect(told.isEmpty)
        device.kill()
        try device.launch { TypedApp(Released.Migrated()) }
        #expect(told.isEmpty)
        device.kill()
        try device.launch { TypedApp(Released.ByType()) }
        #expect(told.isEmpty)
    }

    @Test("L-54 a key that is read three times stands for no other two")
    func tried() throws {
        try device.launch { TypedApp(Released.Tried()) }
        #expect(told.map(\.path) == ["userInfo.seen"])
    }

    @Test("L-54 a host that restores by itself is told, too")
    func host() throws {
        try device.launch(host: OwnHost())
        #expect(told.map(\.path) == ["userInfo.title"])
    }
}
