// A toolkit writes one import.
@_exported import SceneStore
import SceneStoreEngine

/// A ``SceneApplication`` whose windows belong to a toolkit that has no scenes.
///
/// ```swift
/// let hosted = HostedSceneApplication(store: store, host: NotesHost())
/// try hosted.launch()  // the remembered windows are made, restored and shown
/// let window = hosted.application.connectedScenes.first.flatMap {
///     hosted.window(for: $0.session.id)
/// }
/// ```
///
/// The toolkit reports the user's actions with the methods below. The app's own requests go to
/// ``application``. Errors of the user's actions go to its ``SceneApplication/diagnosticHandler``,
/// because no callback of a C library can throw.
///
/// The application keeps its host alive; a host refers back weakly. Call the application from one
/// thread only. It calls the host on that thread, too.
///
/// ## Topics
/// ### Making one
/// - ``init(store:host:options:environment:scheduler:isolation:)``
/// - ``application``
/// - ``host``
/// ### Launching and ending
/// - ``launch(_:)``
/// - ``quit()``
/// ### What the user did
/// - ``windowDidBecomeActive(_:)``
/// - ``windowDidChange(_:)``
/// - ``windowDidMinimize(_:)``
/// - ``windowDidMove(_:)``
/// - ``closeWindow(_:)``
/// - ``closeWindows(_:)``
/// - ``closeAllWindows()``
/// - ``closeOtherWindows(than:)``
/// - ``answerClosing(_:of:)``
/// - ``displaysDidChange(_:)``
/// ### Windows and their scenes
/// - ``scene(of:)``
/// - ``window(for:)``
/// - ``openSessions``
/// ### More windows
/// - ``openWindow(role:configuration:activity:privacy:)``
/// - ``openWindow(role:configuration:presenting:activity:privacy:)``
/// - ``requestWindow(for:role:configuration:privacy:)``
/// - ``requestWindow(presenting:for:role:configuration:privacy:)``
/// - ``adopt(_:configuration:presenting:role:)``
/// - ``adopt(_:configuration:role:)``
/// - ``reopenClosedWindow()``
/// - ``reopenLastSession()``
/// - ``receive(_:)``
public final class HostedSceneApplication<Host: SceneHost> {
    /// The scenes, their sessions and the store behind them.
    public let application: SceneApplication
    /// Which window is whose.
    let windows: HostedWindows<Host>

    /// Makes an application on an open store; nothing is shown before ``launch(_:)``.
    ///
    /// Timers belong to the scheduler, the default one to the actor that makes the application. Where
    /// Swift can't tell which actor that is, pass `.mainActor`, `.executor(of:)`, a scheduler on the
    /// toolkit's own main loop, or `.manual`; see ``SceneApplication``.
    public init(
        store: SceneSessionStore, host: Host, options: SceneApplicationOptions = .desktop(),
        environment: SceneEnvironment = .system, scheduler: (any SceneScheduler)? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) {
        windows = HostedWindows(host)
        application = SceneApplication(
            store: store, delegate: windows, options: options, environment: environment,
            scheduler: scheduler, isolation: isolation)
        application.raiseHandler = { [weak windows] scene in windows?.show(scene) }
    }

    /// The toolkit.
    public var host: Host { windows.host }

    /// Launches the app: makes, restores and shows the remembered windows, or makes a first one.
    ///
    /// Windows are made and restored most recently active first. Then they are shown from back to
    /// front, by their placements. A window that belongs to another one is shown after it. The most
    /// recently active window is shown last, so that it ends up in front. `payloads` are the
    /// payloads that launched the process. Throws as ``SceneApplication/launch(_:)`` does.
    public func launch(_ payloads: [Payload] = []) throws(SceneStoreError) {
        windows.isLaunching = true
        defer {
            windows.isLaunching = false
            // A process that died while it launched shows nothing.
            if application.core.processState == .running {
                application.scenesFromBackToFront.forEach(windows.show)
            }
        }
        try application.launch(payloads)
    }

    /// Ends the process cleanly: saves what is in front or changed, and remembers every window.
    ///
    /// A window in the background, such as a minimised one, is asked for its state only if
    /// ``windowDidChange(_:)`` reported a change. No window is closed; the toolkit's end takes them
    /// away. Throws as
    /// ``SceneApplication/quit()`` does. If something could not be written, the app still runs, and
    /// you may call this again. A toolkit that ends all the same loses the changes that were not
    /// written.
    public func quit() throws(SceneStoreError) {
        try application.quit()
    }

    /// Returns the scene of a window, or nil if it has none.
    public func scene(of window: Host.Window) -> Scene? {
        windows.identifier(of: window).flatMap(application.scene(for:))
    }

    /// Returns the window of a session, or nil if the session is not connected.
    public func window(for persistentIdentifier: SceneSession.ID) -> Host.Window? {
        windows.window(for: persistentIdentifier)
    }

    // MARK: What the user did

    /// Reports that the user gave a window the focus, or brought back a minimised one.
    public func windowDidBecomeActive(_ window: Host.Window) {
        guard let scene = scene(of: window) else {
            return
        }
        let identifier = scene.session.persistentIdentifier
        windows.front = identifier
        if scene.activationState == .foregroundActive {
            WindowMoves(application: application).turn(to: scene)
        } else {
            application.requestSceneSessionActivation(.init(session: identifier))
        }
    }

    /// Reports that a window's content, title or placement changed, so that it is saved soon.
    ///
    /// The call is cheap enough for every keystroke. The first call for a window that the host did
    /// not make in ``SceneHost/makeWindow(for:)`` is a diagnostic, because such a window is not
    /// saved.
    public func windowDidChange(_ window: Host.Window) {
        guard let scene = scene(of: window) else {
            if application.core.processState == .running, windows.mayTellOfUnknown() {
                application.core.report(.windowWithoutSession)
            }
            return
        }
        scene.setNeedsSave()
    }

    /// Reports that the user minimised a window. Its state is saved on return.
    ///
    /// The next launch brings the window back minimised. If the state could not be saved,
    /// ``SceneApplication/diagnosticHandler`` gets the error, and the next save includes the state.
    public func windowDidMinimize(_ window: Host.Window) {
        guard let scene = scene(of: window), scene.activationState != .background else {
            return
        }
        let identifier = scene.session.persistentIdentifier
        if windows.front == identifier {
            windows.front = nil
        }
        reporting(identifier) { () throws(SceneStoreError) in
            try application.moveToBackground([identifier])
        }
    }

    /// Reports that the user moved or resized a window, or changed its window state.
    ///
    /// Its placement is saved soon. Call it for actions of the user, not for moves that the toolkit
    /// makes when displays change; see ``SceneApplication/noteUserMoved(_:)``.
    public func windowDidMove(_ window: Host.Window) {
        guard let scene = scene(of: window) else {
            return
        }
        application.noteUserMoved(scene.session.id)
        scene.setNeedsSave()
    }

    /// Reports that the user closes a window, and discards its session, durably.
    ///
    /// If the window has unsaved work, ``SceneHost/shouldClose(_:)`` is asked first. At the end
    /// ``SceneHost/close(_:)`` takes the window away. If the store refuses, the window stays.
    public func closeWindow(_ window: Host.Window) {
        guard let identifier = windows.identifier(of: window) else {
            return
        }
        reporting(identifier) { () throws(SceneStoreError) in
            try application.closeWindow(of: identifier)
        }
    }

    /// Reports that the user closes several windows in one action, such as a frame with its tabs.
    ///
    /// If one window stays, all stay. See ``SceneApplication/closeWindows(of:)``.
    public func closeWindows(_ windows: [Host.Window]) {
        let identifiers = windows.compactMap { self.windows.identifier(of: $0) }
        reporting(nil) { () throws(SceneStoreError) in
            try application.closeWindows(of: identifiers)
        }
    }

    /// Reports that the user closes all windows in one action.
    ///
    /// See ``SceneApplication/closeAllWindows()``.
    public func closeAllWindows() {
        reporting(nil) { () throws(SceneStoreError) in
            try application.closeAllWindows()
        }
    }

    /// Reports that the user closes all windows except one, in one action.
    public func closeOtherWindows(than window: Host.Window) {
        guard let scene = scene(of: window) else {
            return
        }
        reporting(nil) { () throws(SceneStoreError) in
            try application.closeOtherWindows(than: scene.session.id)
        }
    }

    /// Reports the user's decision about a window that returned ``ClosingAnswer/later``.
    ///
    /// See ``SceneApplication/answerClosing(_:of:)``.
    public func answerClosing(_ answer: ClosingAnswer, of window: Host.Window) {
        guard let scene = scene(of: window) else {
            return
        }
        reporting(nil) { () throws(SceneStoreError) in
            try application.answerClosing(answer, of: scene.session.id)
        }
    }

    /// Sets the toolkit's displays, before the launch and whenever they change.
    ///
    /// ``SceneHost/place(_:at:)`` moves windows to their places on these displays. See
    /// ``SceneApplication/setDisplays(_:)``.
    public func displaysDidChange(_ displays: [Display]) {
        var places: [SceneSession.ID: ScenePlacement] = [:]
        reporting(nil) { () throws(SceneStoreError) in
            places = try application.setDisplays(displays)
        }
        for scene in application.connectedScenes {
            if let place = places[scene.session.id],
                let window = windows.window(for: scene.session.id)
            {
                host.place(window, at: place)
            }
        }
    }

    // MARK: More windows

    /// Brings back the last closed window or group, and returns whether there was one.
    ///
    /// The windows have their identifiers, states, placements and order. Returns false, too, if they
    /// come back only after an answer; see ``SceneApplication/reopen(sessions:)``.
    @discardableResult
    public func reopenClosedWindow() -> Bool {
        var isReopened = false
        reporting(nil) { () throws(SceneStoreError) in
            // What expired since is no closing.
            let groups = try application.recentlyClosedGroups()
            let closed = groups.first { $0.sessions.first?.discardCause?.isClosing != false }
            guard let closed = closed ?? groups.first else {
                return
            }
            try application.reopen(sessions: closed.sessions.map(\.id))
            isReopened = true
        }
        return isReopened
    }

    /// Brings back the windows that were open when the last process with windows ended.
    ///
    /// Returns the number of windows that came back. See ``SceneApplication/reopenLastSession()``.
    @discardableResult
    public func reopenLastSession() -> Int {
        var count = 0
        reporting(nil) { () throws(SceneStoreError) in
            count = try application.reopenLastSession().count
        }
        return count
    }

    /// Delivers a link, an activity, a quick action or a notification to its window.
    ///
    /// The window is brought forward, or a new one is made. If no window can take the payload,
    /// ``SceneApplication/diagnosticHandler`` gets the error.
    public func receive(_ payload: Payload) {
        reporting(nil) { () throws(SceneStoreError) in
            try application.receive(payload)
        }
    }

    private func reporting(
        _ session: SceneSession.ID?, _ work: () throws(SceneStoreError) -> Void
    ) {
        // What could not be saved the event reports itself, with its session.
        let isThrown = application.states.throwsFailures
        application.states.throwsFailures = false
        defer { application.states.throwsFailures = isThrown }
        application.core.tolerating(session, work)
    }
}

extension SceneApplication {
    /// The scenes from the back to the front, as they were stacked (L-49): by the stored
    /// order, those of one place by the time at which they were active; each that belongs to another
    /// after that one. The active one comes last, or once more at the end.
    fileprivate var scenesFromBackToFront: [Scene] {
        let machine = core.engine.machine
        var windows: [(key: Int64, id: SceneSession.ID, order: Int, rank: Int)] = []
        var children: [(key: Int64, parent: SceneSession.ID, tab: Int?)] = []
        for (rank, key) in machine.all.enumerated() {
            guard let session = core.live.scene(key)?.session else {
                continue
            }
            let (id, place) = (session.id, session.placement)
            windows.append((key, id, place?.stackingOrder ?? 0, rank))
            if let parent = place?.parent {
                children.append((key, parent, place?.tabIndex))
            }
        }
        windows.sort { $0.order == $1.order ? $0.rank > $1.rank : $0.order > $1.order }
        var order = Families(windows.map { ($0.key, $0.id) }, children).order
        if let active = machine.all.first, machine.phase(of: active) == .active,
            order.last != active
        {
            order.append(active)
        }
        return order.compactMap { core.live.scene($0) }
    }
}
