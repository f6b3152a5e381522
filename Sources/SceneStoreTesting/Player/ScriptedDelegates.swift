import SceneStore

/// The application delegate of a scenario: records each call and answers as it is told.
final class ScriptedApplicationDelegate: SceneConfigurationProvider {
    private unowned let player: ScenarioPlayer

    init(player: ScenarioPlayer) {
        self.player = player
    }

    private func answer(
        _ name: CallShortName, _ answer: ScenarioStep.DelegateStep.LaunchAnswer
    ) -> Bool {
        switch answer {
        case .notImplemented: return true
        case .answer(let value):
            player.record(name)
            return value
        }
    }

    func application(
        _ application: SceneApplication, willFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool {
        answer(.will, player.app.will)
    }

    func application(
        _ application: SceneApplication, didFinishLaunchingWithOptions options: LaunchOptions
    ) -> Bool {
        answer(.did, player.app.did)
    }

    func application(
        _ application: SceneApplication, shouldRestore session: SceneSession,
        savedUnder context: SaveContext
    ) -> Bool {
        player.app.allowsRestoring(savedBy: context.appVersion)
    }

    func application(
        _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
    ) {
        var causes: [String: DiscardCause] = [:]
        for session in sessions {
            causes[player.name(of: session.persistentIdentifier)] = session.discardCause ?? .app
        }
        player.record(.discard) { $0.causes = causes }
    }

    func providesConfiguration(for role: SceneSessionRole) -> Bool {
        player.app.providerAnswer(for: role) != nil
    }

    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        let answer =
            player.app.providerAnswer(for: session.role) ?? session.configuration
        player.record(.config, session.persistentIdentifier) {
            $0.role = session.role
            $0.configuration = answer.name
        }
        return answer
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        ScriptedSceneDelegate(player: player)
    }

    func applicationDidBecomeActive(_ application: SceneApplication) {
        player.record(.didBecomeActive)
    }

    func applicationWillEnterForeground(_ application: SceneApplication) {
        player.record(.willEnterForeground)
    }

    func application(_ application: SceneApplication, open context: OpenURLContext) -> Bool {
        player.record(.open)
        return true
    }

    func application(
        _ application: SceneApplication, willContinueUserActivityWithType type: String
    ) -> Bool {
        player.record(.willContinue)
        return true
    }

    func application(_ application: SceneApplication, continue activity: UserActivity) -> Bool {
        player.record(.continue) { $0.payload = TranscriptPayload(.activity(activity)) }
        return true
    }

    func application(
        _ application: SceneApplication, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError
    ) {
        player.record(.failContinue)
    }

    func application(
        _ application: SceneApplication, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        player.record(.performActionFor)
        completionHandler(true)
    }

    func application(
        _ application: SceneApplication, didReceive response: NotificationResponse,
        completionHandler: @escaping () -> Void
    ) {
        player.record(.response) { $0.payload = TranscriptPayload(.notification(response)) }
        completionHandler()
    }
}

/// The scene delegate of a scenario: records each call and answers with the scripted state.
final class ScriptedSceneDelegate: StateRestoringSceneDelegate {
    private unowned let player: ScenarioPlayer

    init(player: ScenarioPlayer) {
        self.player = player
    }

    private func record(
        _ name: CallShortName, _ scene: Scene, _ fill: (inout TranscriptCallback) -> Void = { _ in }
    ) {
        player.record(name, scene.session.persistentIdentifier, fill)
    }

    func scene(
        _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
    ) {
        let payload = TranscriptPayload(options)
        // An activity that is only announced is not given yet.
        if !options.payloads.isEmpty {
            player.given[session.persistentIdentifier] = options.payloads
        }
        record(.connect, scene) {
            $0.configuration = session.configuration.name
            $0.delegate = session.configuration.delegateClassName
            $0.isRestored = session.isRemembered && session.restoration == .available
            $0.reason = session.launchReason
            $0.activity = session.stateRestorationActivity?.activityType
            $0.payload = payload.isEmpty ? nil : payload
        }
        let isRestoring =
            session.restoration == .available && session.stateRestorationActivity != nil
        if !isRestoring {
            player.crashIfArmed(session.persistentIdentifier)
        }
    }

    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) throws {
        record(.restore, scene) { $0.activity = activity.activityType }
        player.crashIfArmed(scene.session.persistentIdentifier)
        if player.app.restore == .throwing {
            throw ScriptedFailure()
        }
    }

    func sceneWillEnterForeground(_ scene: Scene) { record(.fg, scene) }
    func sceneDidBecomeActive(_ scene: Scene) { record(.active, scene) }
    func sceneWillResignActive(_ scene: Scene) { record(.inactive, scene) }
    func sceneDidEnterBackground(_ scene: Scene) { record(.bg, scene) }
    func sceneDidDisconnect(_ scene: Scene) { record(.disconnect, scene) }

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        player.given[scene.session.persistentIdentifier] = [.urls(contexts)]
        record(.url, .urls(contexts), scene)
    }

    func scene(_ scene: Scene, willContinueUserActivityWithType type: String) {
        record(.willContinue, scene)
    }

    func scene(_ scene: Scene, continue activity: UserActivity) {
        player.given[scene.session.persistentIdentifier] = [.activity(activity)]
        record(.continue, .activity(activity), scene)
    }

    func scene(
        _ scene: Scene, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError
    ) {
        record(.failContinue, scene)
    }

    func windowScene(
        _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        player.given[scene.session.persistentIdentifier] = [.shortcut(shortcutItem)]
        record(.shortcut, .shortcut(shortcutItem), scene)
        completionHandler(true)
    }

    func scene(_ scene: Scene, didReceive response: NotificationResponse) {
        player.given[scene.session.persistentIdentifier] = [.notification(response)]
        record(.response, .notification(response), scene)
    }

    private func record(_ call: CallShortName, _ payload: Payload, _ scene: Scene) {
        record(call, scene) {
            $0.payload = TranscriptPayload(payload, isRedelivered: scene.isPayloadRedelivered)
        }
    }

    // MARK: Closing

    func sceneHasUnsavedWork(_ scene: Scene) -> Bool {
        player.closingAnswer(scene.session.persistentIdentifier) != nil
    }

    func sceneShouldClose(_ scene: Scene) -> ClosingAnswer {
        player.closingAnswer(scene.session.persistentIdentifier) ?? .close
    }

    // MARK: State

    func shouldSaveState(of scene: Scene) -> Bool {
        player.hasScriptedState(scene.session.persistentIdentifier)
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        record(.save, scene)
        return try player.scriptedState(scene.session.persistentIdentifier)
    }

    func scene(_ scene: Scene, didUpdate activity: inout UserActivity) {
        record(.update, scene)
    }
}

/// What a scripted app throws.
struct ScriptedFailure: Error {}

extension ScenarioStep.StateStep {
    /// What a scene that is asked for its state answers; throws what the script throws.
    func answer() throws -> UserActivity? {
        guard !isThrowing else {
            throw ScriptedFailure()
        }
        do throws(SceneStoreError) {
            return try activity?.makeActivity()
        } catch {
            return nil
        }
    }
}
