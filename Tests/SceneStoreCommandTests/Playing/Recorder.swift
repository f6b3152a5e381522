import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreTesting

/// A callback as it was made.
struct ObservedCall: Equatable {
    var name: String
    /// nil for calls of the whole app and of a session that is new in this step.
    var identifier: SceneSession.ID?
    var carriesPayload = false

    init(_ name: String, _ identifier: SceneSession.ID? = nil, carriesPayload: Bool = false) {
        self.name = name
        self.identifier = identifier
        self.carriesPayload = carriesPayload
    }

    init(_ planned: DeliveryPlan.Callback) {
        self.init(planned.name, planned.identifier, carriesPayload: planned.carriesPayload)
    }
}

/// An app whose delegates write down what they are called.
final class Recorder: SceneConfigurationProvider, SceneDelegate, StateRestoringSceneDelegate {
    var calls: [ObservedCall] = []
    var connected: [SceneSession] = []
    var discards: Set<PlannedLaunch.Discard> = []
    /// The sessions that were there before; others are shown without a name.
    var known: Set<SceneSession.ID> = []
    /// The session whose connection kills the process.
    var crashesConnecting: SceneSession.ID?
    private(set) var hasCrashed = false

    func reset() {
        calls = []
        connected = []
        discards = []
        hasCrashed = false
    }

    private func note(_ name: String, _ scene: Scene, carriesPayload: Bool = false) {
        guard !hasCrashed else {
            return
        }
        let identifier = scene.session.persistentIdentifier
        calls.append(
            ObservedCall(
                name, known.contains(identifier) ? identifier : nil,
                carriesPayload: carriesPayload))
    }

    func application(
        _ application: SceneApplication, willFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool {
        calls.append(ObservedCall("will"))
        return true
    }

    func application(
        _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool {
        calls.append(ObservedCall("did"))
        return true
    }

    func application(
        _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
    ) {
        calls.append(ObservedCall("discard"))
        for session in sessions {
            discards.insert(
                PlannedLaunch.Discard(
                    identifier: session.persistentIdentifier,
                    cause: session.discardCause ?? .expired,
                    isRedelivered: session.isDiscardRedelivered))
        }
    }

    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        calls.append(ObservedCall("config"))
        return SceneConfiguration(name: "Editor", role: session.role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { self }

    func scene(
        _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
    ) {
        note("connect", scene, carriesPayload: !options.isEmpty)
        connected.append(session)
        if session.persistentIdentifier == crashesConnecting {
            crashesConnecting = nil
            hasCrashed = true
            scene.application?.store.abandon()
        }
    }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) {
        note("restore", scene)
    }

    func sceneWillEnterForeground(_ scene: Scene) { note("fg", scene) }
    func sceneDidBecomeActive(_ scene: Scene) { note("active", scene) }
    func sceneWillResignActive(_ scene: Scene) { note("inactive", scene) }
    func sceneDidEnterBackground(_ scene: Scene) { note("bg", scene) }
    func sceneDidDisconnect(_ scene: Scene) { note("disconnect", scene) }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        note("url", scene, carriesPayload: true)
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        try UserActivity(activityType: "com.example.edit", userInfo: ["n": 1])
    }
}
