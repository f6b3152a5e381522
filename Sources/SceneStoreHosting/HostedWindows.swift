import SceneStore

/// The application delegate behind a ``HostedSceneApplication``: knows which window belongs to
/// which session, and asks the host.
final class HostedWindows<Host: SceneHost>: SceneConfigurationProvider {
    let host: Host
    /// Windows are made and restored, and shown when all of them are there.
    var isLaunching = false
    /// The session whose window the toolkit has in front, as far as it was told or told.
    var front: SceneSession.ID?
    /// Whether the host makes or closes a window just now: toolkits tell of changes meanwhile.
    private var isChangingWindows = false
    private var hasToldOfUnknown = false
    private var hasToldOfShared = false
    /// Whether it is known what the host does with payloads.
    private var hasDelivered = false
    /// The window that the toolkit made by itself, until it has its session, and the value that it shows.
    private var adopted: (window: Host.Window, value: Value?)?
    private var windows: [SceneSession.ID: Host.Window] = [:]
    private var identifiers: [ObjectIdentifier: SceneSession.ID] = [:]

    init(_ host: Host) {
        self.host = host
    }

    func window(for identifier: SceneSession.ID) -> Host.Window? {
        windows[identifier]
    }

    func identifier(of window: Host.Window) -> SceneSession.ID? {
        identifiers[ObjectIdentifier(window)]
    }

    /// Whether the app is told of a window that is not among these: once, and not of one that is being
    /// made or closed.
    func mayTellOfUnknown() -> Bool {
        guard !isChangingWindows, !hasToldOfUnknown else {
            return false
        }
        hasToldOfUnknown = true
        return true
    }

    /// Hands a payload over. A host that does nothing with the first one is reported, and what the
    /// window shows of it is saved, whether or not the host reports a change (L-61).
    func deliver(_ payload: Payload, to window: Host.Window, of scene: Scene) {
        defer {
            scene.setNeedsSave()
        }
        guard !hasDelivered else {
            host.deliver(payload, to: window)
            return
        }
        hasDelivered = true
        let notes = CallbackNotes()
        notes.during { host.deliver(payload, to: window) }
        if notes.found.isPayloadIgnored {
            scene.application?.core.report(.payloadIgnored)
        }
    }

    // MARK: The application delegate

    func application(
        _ application: SceneApplication, configurationForConnecting session: SceneSession,
        options: ConnectionOptions
    ) -> SceneConfiguration {
        host.configuration(for: session, options: options)
    }

    func providesConfiguration(for role: SceneSessionRole) -> Bool {
        host.providesConfiguration(for: role)
    }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? {
        HostedScene(self)
    }

    func application(
        _ application: SceneApplication, targetFor payload: Payload
    ) -> PayloadTarget? {
        host.target(for: payload)
    }

    func application(
        _ application: SceneApplication, shouldRestore session: SceneSession,
        savedUnder context: SaveContext
    ) -> Bool {
        host.shouldRestore(session, savedUnder: context)
    }

    func application(
        _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
    ) {
        host.didDiscard(sessions)
    }

    // MARK: Windows

    func makeWindow(for session: SceneSession, _ scene: Scene) -> Host.Window {
        let window: Host.Window
        if let own = adopted, own.value == nil || own.value == session.presentedValue {
            // The toolkit shows it already.
            window = own.window
            front = session.id
            adopted = nil
        } else {
            window = changingWindows { host.makeWindow(for: session) }
        }
        if !hasToldOfShared, identifier(of: window) != nil {
            hasToldOfShared = true
            scene.application?.core.report(.windowOfTwoSessions)
        }
        (window as? any SceneStorageOwner)?.scene = scene
        windows[session.id] = window
        identifiers[ObjectIdentifier(window)] = session.persistentIdentifier
        return window
    }

    /// Lets the next session that connects, and presents the value if there is one, have a window instead
    /// of one that the host makes.
    func adopting(
        _ window: Host.Window, showing value: Value?,
        _ connect: () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        adopted = (window, value)
        defer {
            adopted = nil
        }
        try connect()
    }

    /// Shows a scene where it is, once a launch is through with all of them.
    func show(_ scene: Scene) {
        let identifier = scene.session.persistentIdentifier
        guard let window = windows[identifier] else {
            return
        }
        switch scene.activationState {
        case .unattached: break
        case .background: host.minimize(window)
        case .foregroundActive, .foregroundInactive:
            front = identifier
            host.bringForward(window)
        }
    }

    /// A scene became active: its window comes in front, unless the toolkit said so itself.
    func bringForward(_ identifier: SceneSession.ID) {
        guard !isLaunching, front != identifier, let window = windows[identifier]
        else {
            return
        }
        front = identifier
        host.bringForward(window)
    }

    func remove(_ identifier: SceneSession.ID) {
        guard let window = windows.removeValue(forKey: identifier) else {
            return
        }
        identifiers[ObjectIdentifier(window)] = nil
        if front == identifier {
            front = nil
        }
        changingWindows { host.close(window) }
    }

    private func changingWindows<Result>(_ work: () -> Result) -> Result {
        let wasChanging = isChangingWindows
        isChangingWindows = true
        defer {
            isChangingWindows = wasChanging
        }
        return work()
    }
}

extension HostedWindows: StateReader {
    func checkReadable(_ activity: UserActivity) throws(SceneStoreError) {
        try (host as? any StatefulSceneHost)?.checkReadable(activity)
    }
}

/// The scene delegate of one window of a host.
final class HostedScene<Host: SceneHost>: StateRestoringSceneDelegate, WindowOfHost {
    /// Kept by the application, which outlives its scenes.
    private unowned let windows: HostedWindows<Host>
    private var window: Host.Window?
    var hostedWindow: AnyObject? { window }
    /// Whether the window was not shown yet.
    private var isNew = true
    /// What rides on the connection, until the state that it is shown upon is there.
    private var arriving: [Payload] = []

    init(_ windows: HostedWindows<Host>) {
        self.windows = windows
    }

    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions) {
        window = windows.makeWindow(for: session, scene)
        arriving = options.payloads
        if session.restoration != .available || session.stateRestorationActivity == nil {
            deliverArriving(at: scene)
        }
        // What it shows from the beginning is its first state.
        if !session.isRemembered, !windows.isLaunching {
            scene.setNeedsSave()
        }
    }

    func scene(
        _ scene: Scene, restoreInteractionStateWith activity: UserActivity,
        savedUnder context: SaveContext
    ) throws {
        defer {
            deliverArriving(at: scene)
        }
        if let window {
            try windows.host.restore(activity, in: window, savedUnder: context)
        }
    }

    func sceneWillEnterForeground(_ scene: Scene) {
        // A state that could not be migrated was not given.
        deliverArriving(at: scene)
        // One of several that come back together never becomes active.
        if isNew {
            windows.bringForward(scene.session.persistentIdentifier)
        }
        isNew = false
    }

    func sceneHasUnsavedWork(_ scene: Scene) -> Bool {
        window.map { windows.host.hasUnsavedWork(in: $0) } ?? false
    }

    func sceneShouldClose(_ scene: Scene) -> ClosingAnswer {
        window.map { windows.host.shouldClose($0) } ?? .close
    }

    func sceneDidBecomeActive(_ scene: Scene) {
        windows.bringForward(scene.session.persistentIdentifier)
    }

    func sceneDidDisconnect(_ scene: Scene) {
        window = nil
        windows.remove(scene.session.persistentIdentifier)
    }

    // MARK: State

    func _observeState(of scene: Scene) {
        if let window {
            windows.host._observe(window, of: scene)
        }
    }

    func shouldSaveState(of scene: Scene) -> Bool {
        window != nil
    }

    func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        guard let window else {
            return nil
        }
        let activity: UserActivity?
        do {
            activity = try windows.host._observedActivity(of: window, scene)
        } catch {
            keepAppearance(of: window, scene)
            throw error
        }
        if scene.application?.states.isPlaceholder(activity, of: scene) != true {
            keepAppearance(of: window, scene)
        }
        return activity
    }

    /// Title and place are stored beside the state, when they changed.
    private func keepAppearance(of window: Host.Window, _ scene: Scene) {
        let identifier = scene.session.persistentIdentifier
        if let title = newTitle(of: window, scene) {
            scene.application?.core.tolerating(identifier) { () throws(SceneStoreError) in
                try scene.setTitle(title)
            }
        }
        if let placement = newPlacement(of: window, scene) {
            scene.application?.core.tolerating(identifier) { () throws(SceneStoreError) in
                try scene.setPlacement(placement)
            }
        }
    }

    func hasNewAppearance(_ scene: Scene) -> Bool {
        guard let window else {
            return false
        }
        return newTitle(of: window, scene) != nil || newPlacement(of: window, scene) != nil
    }

    private func newTitle(of window: Host.Window, _ scene: Scene) -> String? {
        windows.host.title(of: window).flatMap { $0 == scene.session.title ? nil : $0 }
    }

    private func newPlacement(of window: Host.Window, _ scene: Scene) -> ScenePlacement? {
        windows.host.placement(of: window).flatMap { $0 == scene.session.placement ? nil : $0 }
    }

    // MARK: Payloads

    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {
        deliver(.urls(contexts), to: scene)
    }

    func scene(_ scene: Scene, continue activity: UserActivity) {
        deliver(.activity(activity), to: scene)
    }

    func windowScene(
        _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        deliver(.shortcut(shortcutItem), to: scene)
        completionHandler(true)
    }

    func scene(_ scene: Scene, didReceive response: NotificationResponse) {
        deliver(.notification(response), to: scene)
    }

    /// A window that is active already may still be behind another app's: a payload raises it.
    private func deliver(_ payload: Payload, to scene: Scene) {
        guard let window else {
            return
        }
        if !windows.isLaunching, scene.activationState == .foregroundActive {
            windows.front = scene.session.persistentIdentifier
            windows.host.bringForward(window)
        }
        windows.deliver(payload, to: window, of: scene)
    }

    private func deliverArriving(at scene: Scene) {
        let payloads = arriving
        arriving = []
        if let window {
            for payload in payloads {
                windows.deliver(payload, to: window, of: scene)
            }
        }
    }
}

extension Diagnostic {
    /// A host takes no payloads.
    static var payloadIgnored: Diagnostic {
        Diagnostic(
            .payloadIgnored, .warning,
            "the host has no deliver(_:to:): links, activities, quick actions and notifications have"
                + " no effect",
            fix: "implement deliver(_:to:) in the host")
    }

    /// A host has one window for several sessions.
    static var windowOfTwoSessions: Diagnostic {
        Diagnostic(
            .init(SceneStoreError.Code.invalidState.rawValue), .error,
            "makeWindow(for:) returned a window that another session has already: only the session "
                + "that got it last is saved with its changes",
            fix: "make an object for each session")
    }

    /// A host's window was changed that the application does not know.
    static var windowWithoutSession: Diagnostic {
        Diagnostic(
            .windowWithoutSession, .warning,
            "a window was changed that was not made by makeWindow(for:), or is closed: nothing of it"
                + " is saved",
            fix: "open windows by openWindow, which calls makeWindow(for:)")
    }
}
