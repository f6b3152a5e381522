import SceneStore
import SceneStoreTesting
import Testing

/// The code of the README and of the library's pages, run.
@MainActor
@Suite("Code of the pages")
struct PagesCode {
    struct NoteStateV1: Codable, Sendable {
        var body = ""
    }

    struct NoteStateV2: Codable, Sendable {
        var text = ""
    }

    // snippet: two-migrations
    struct NoteState: SavedState {
        static let activityType = "com.example.note"
        static let version = 3
        static let migrations: [StateMigration] = [
            .from(1, NoteStateV1.self) { NoteStateV2(text: $0.body) },
            .from(2, .add("cursor", 0)),
        ]
        var text = "", cursor = 0
    }
    // end

    // snippet: rename-key
    struct ChapterState: SavedState {
        static let activityType = "com.example.chapter"
        static let version = 2
        static let migrations: [StateMigration] = [.from(1, .rename("title", to: "heading"))]
        var heading: String?
    }
    // end

    final class Window<State: SavedState>: StatefulSceneDelegate {
        var state: State

        init(_ state: State) {
            self.state = state
        }
    }

    final class App: SceneConfigurationProvider {
        let make: () -> any SceneDelegate

        init(_ make: @escaping () -> any SceneDelegate = { Window(NoteState()) }) {
            self.make = make
        }

        func application(
            _ application: SceneApplication, configurationForConnecting session: SceneSession,
            options: ConnectionOptions
        ) -> SceneConfiguration {
            SceneConfiguration(name: "Note", role: session.role)
        }

        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { make() }
    }

    /// The state of a window after a launch over an activity that an earlier version saved.
    private func state<State: SavedState>(
        _ empty: State, after stored: UserActivity
    ) throws -> State {
        let device = try SimulatedDevice()
        try device.launch { App { Window(empty) } }
        let scene = try #require(device.frontScene)
        try device.application?.setStateRestorationActivity(stored, for: scene.session.id)
        try device.relaunch()
        return try #require(device.frontScene?.delegate as? Window<State>).state
    }

    @Test("L-54 the migrations that the page on updates shows")
    func migrations() throws {
        let note = try UserActivity(activityType: "com.example.note", userInfo: ["body": "Eggs"])
        let migrated = try state(NoteState(), after: note)
        #expect(migrated.text == "Eggs" && migrated.cursor == 0)
    }

    @Test("L-04 an app's first lines, a window's privacy and conditions, what quitting throws")
    func firstLines() throws {
        typealias NotesDelegate = App
        let containerPath = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(containerPath) }
        let store = try SceneSessionStore.open(at: .directory(containerPath))
        let application = SceneApplication(store: store, delegate: NotesDelegate())
        try application.launch()
        let scene = try #require(application.connectedScenes.first)
        // snippet: privacy-window
        try application.setPrivacy(.ephemeral, for: scene.session.id)
        // end
        #expect(scene.session.privacy == .ephemeral)
        // snippet: activation-conditions
        try scene.setActivationConditions(
            ActivationConditions(
                canActivate: .hasPrefix("note:"), prefersToActivate: .equals("note:12")))
        // end
        #expect(scene.session.activationConditions.prefersToActivate == .equals("note:12"))
        func showAlert(_ message: String) {
            Issue.record("\(message)")
        }
        // snippet: error-code
        do {
            try application.quit()
        } catch let error where error.code == .diskFull {
            showAlert(error.message)
        }
        // end
    }

    @Test("L-14 L-18 a launch after a crash, and the list of what can come back")
    func returning() throws {
        var options = SceneApplicationOptions(manifest: .windows())
        // snippet: launch-after-a-crash
        options.launchBehavior = .automatic(afterCrash: .restore, otherwise: .fresh)
        // end
        let device = try SimulatedDevice(options: options)
        try device.launch { App() }
        let application = try device.relaunch()
        var menu: [String] = []
        // snippet: what-can-come-back
        for windows in try application.returnableWindows() {
            let title = windows.sessions.first?.title ?? "Untitled"
            menu.append("\(title): \(windows.reason)")
        }
        // end
        #expect(menu.isEmpty)
    }

    @Test("S-70 the private keys that the page on privacy shows")
    func keys() {
        // snippet: privacy-keys
        var options = SceneSessionStore.Options()
        options.ephemeralKeys = ["password"]
        options.redactedKeys = ["account", "draft"]
        // end
        #expect(options.ephemeralKeys.count == 1 && options.redactedKeys.count == 2)
    }

    @Test("S-10 the activity whose bytes the page on the value format shows")
    func bytes() throws {
        // snippet: value-format
        let activity = try UserActivity(
            activityType: "com.example.edit", title: "Notes",
            userInfo: ["line": 12, "document": "notes", "zoom": 1.5])
        // end
        #expect(activity.userInfo.count == 3)
    }
}
