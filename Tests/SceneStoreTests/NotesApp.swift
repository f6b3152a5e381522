import SceneStore
@testable import SceneStoreTesting

/// An app as a user would write one: windows with a text, and every callback noted.
final class NotesApp: SceneConfigurationProvider {
    var calls: [String] = []
    var providerCalls = 0
    var discards: [SceneSession] = []
    var onDiscard: () -> Void = {}
    var seenInProvider: SceneSession?
    var makeConfiguration: (SceneSession) -> SceneConfiguration = {
        SceneConfiguration(name: "Editor", role: $0.role)
    }
    var makeScene: () -> NoteScene = { NoteScene() }
    var allowsRestoring: (SaveContext) -> Bool = { _ in true }
    var onConnect: (Scene) -> Void = { _ in }

    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        providerCalls += 1
        seenInProvider = session
        return makeConfiguration(session)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        let scene = makeScene()
        scene.app = self
        return scene
    }

    func application(
        _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
    ) {
        calls.append("discard")
        discards += sessions
        onDiscard()
    }

    func application(
        _ application: SceneApplication, shouldRestore session: SceneSession,
        savedUnder context: SaveContext
    ) -> Bool {
        allowsRestoring(context)
    }
}

/// A window with a text.
final class NoteScene: StateRestoringSceneDelegate, SceneStorageOwner {
    weak var app: NotesApp?
    weak var scene: Scene?
    @SceneStorage("zoom") var zoom = 1.0
    @SceneStorage("tab") var tab = Tab.text
    @SceneStorage("size") var size = Size(width: 1, height: 2)
    var text = ""
    var restored: UserActivity?
    var options = ConnectionOptions()
    var opened: [String] = []
    var willSave: (inout UserActivity) -> Void = { _ in }
    var didUpdate: (inout UserActivity) -> Void = { _ in }

    enum Tab: String { case text, drawing }
    struct Size: Codable, Equatable { var width: Int, height: Int }

    func scene(
        _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
    ) {
        self.options = options
        app?.calls.append("connect")
        app?.onConnect(scene)
    }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        app?.calls.append("restore")
        restored = activity
        text = activity.userInfo["text"]?.stringValue ?? ""
    }

    func sceneDidBecomeActive(_ scene: Scene) { app?.calls.append("active") }
    func sceneDidDisconnect(_ scene: Scene) { app?.calls.append("disconnect") }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        opened += contexts.map(\.url)
    }

    func scene(_ scene: Scene, didReceive response: NotificationResponse) {
        app?.calls.append("response")
    }

    func stateRestorationActivity(for scene: Scene) -> UserActivity? {
        app?.calls.append("save")
        return try? UserActivity(
            activityType: "com.example.edit", userInfo: ["text": .string(text)])
    }

    func scene(_ scene: Scene, willSave activity: inout UserActivity) { willSave(&activity) }
    func scene(_ scene: Scene, didUpdate activity: inout UserActivity) { didUpdate(&activity) }
}

extension SceneApplication {
    /// The first connected scene with its delegate.
    var firstNote: (scene: Scene, note: NoteScene)? {
        guard let scene = connectedScenes.first, let note = scene.delegate as? NoteScene else {
            return nil
        }
        return (scene, note)
    }
}

extension Scene {
    var identifier: SceneSession.ID { session.persistentIdentifier }
}

extension SceneManifest {
    /// Two window configurations, several scenes allowed.
    static var notes: SceneManifest { .windows("Editor", "Viewer") }
}

extension SimulatedDevice {
    /// A device with a store on the disk, whose app quit with windows in the background. They all
    /// connect at the next launch.
    static func afterQuitting(windows: Int) throws -> SimulatedDevice {
        let device = try SimulatedDevice(manifest: .notes, storage: .temporaryDirectory)
        device.options.reconnection = .all
        try device.launch { NotesApp() }
        for _ in 1..<windows {
            try device.openWindow()
        }
        try device.moveToBackground()
        try device.quit()
        return device
    }
}
