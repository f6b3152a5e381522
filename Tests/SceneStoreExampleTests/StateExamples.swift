import SceneStore
import SceneStoreTesting
import Testing

/// What the reference shows of typed state, its versions and values by key.
@MainActor
@Suite("Examples of states")
struct StateExamples {
    // example: SavedState
    struct NoteState: SavedState {
        static let activityType = "com.example.note"
        static let version = 2
        static let migrations: [StateMigration] = [.from(1, .rename("body", to: "text"))]
        var text = "", cursor = 0
    }
    // end

    struct NoteV2: Codable {
        var text: String
    }

    struct NoteV3: Codable {
        var text: String
        var cursor: Int
    }

    /// A note as its first version saved it.
    func saved() throws -> UserActivity {
        try UserActivity(
            activityType: "com.example.note",
            userInfo: ["body": "Milk", "cursor": 4.0, "draft": true])
    }

    @Test("a state of an earlier version is restored by its migrations")
    func restoring() throws {
        var old = try saved()
        old.userInfo["cursor"] = 4
        #expect(try NoteState(restoring: old).text == "Milk")
    }

    @Test("migrations by changes of keys, by types, and of states that the app doesn't read")
    func migrations() throws {
        var activity = try saved()
        // example: StateChange
        let migration = StateMigration.from(
            1, .rename("body", to: "text"), .convert("cursor", to: .integer), .drop("draft"))
        try activity.migrateState(to: 2, by: [migration])
        // end
        #expect(activity.userInfo == ["text": "Milk", "cursor": 4])
        do {
            var activity = try saved()
            // example: StatePath
            let start: StatePath = ["selection", "start"]
            try activity.migrateState(to: 2, by: [.from(1, .move("cursor", to: start))])
            // end
            #expect(activity.userInfo["selection"] == ["start": 4.0])
        }
        do {
            var activity = try saved()
            // example: StateMigration
            let migrations: [StateMigration] = [
                .from(1, .rename("body", to: "text"), .drop("draft")),
                .from(2, NoteV2.self) { NoteV3(text: $0.text, cursor: $0.text.count) },
            ]
            try activity.migrateState(to: 3, by: migrations)
            // end
            #expect(activity.userInfo == ["text": "Milk", "cursor": 4])
        }
        var options = SceneApplicationOptions()
        // example: SceneApplicationOptions.stateMigrations
        options.stateMigrations["com.example.note"] = [.from(1, .rename("body", to: "text"))]
        // end
        #expect(options.stateMigrations.count == 1)
    }

    enum Tab: String, Codable {
        case text, outline
    }

    // example: SceneStorage
    final class EditorWindow: SceneDelegate, SceneStorageOwner {
        weak var scene: Scene?
        @SceneStorage("zoom") var zoom = 1.0
        @SceneStorage("tab") var tab = Tab.text
    }
    // end

    // example: SceneStorageOwner
    final class SidebarModel: SceneStorageOwner {
        weak var scene: Scene?  // set by the application
        @SceneStorage("sidebar") var width = 240
    }
    // end

    @Test("values by key, of a scene")
    func values() throws {
        let sample = try Sample()
        let scene = sample.scene
        // example: SceneStorageValues
        scene.storage["zoom"] = 1.5
        let zoom = scene.storage["zoom"]?.doubleValue  // 1.5
        // end
        #expect(zoom == 1.5)
        let editor = EditorWindow()
        editor.scene = scene
        editor.tab = .outline
        #expect(editor.zoom == 1.5 && scene.storage["tab"] == "outline")
        let sidebar = SidebarModel()
        sidebar.scene = scene
        sidebar.width = 320
        #expect(scene.storage["sidebar"] == 320)
        #expect(sample.device.isRunning)
    }
}
