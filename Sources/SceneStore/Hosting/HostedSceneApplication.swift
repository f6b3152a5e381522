/// A ``SceneApplication`` whose windows belong to a toolkit without scenes of its own.
///
/// ```swift
/// let hosted = HostedSceneApplication(store: store, host: NotesHost())
/// try hosted.launch()  // the remembered windows are made, restored and shown
/// let window = hosted.application.connectedScenes.first.flatMap {
///     hosted.window(for: $0.session.id)
/// }
/// ```
///
/// The toolkit tells what the user did by the methods below; what the app does by itself goes
/// through ``application``. Errors of what the user did go to its
/// ``SceneApplication/diagnosticHandler``: no callback of a C library can throw.
///
/// The application holds its host; a host refers back weakly. Call it from one thread only, on which
/// the host is called, too.
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
/// - ``closeAllWindows()``
/// - ``closeOtherWindows(than:)``
/// - ``answerClosing(_:of:)``
/// - ``displaysDidChange(_:)``
/// ### Windows and their scenes
/// - ``scene(of:)``
/// - ``window(for:)``
/// ### More windows
/// - ``openWindow(for:role:)``
/// - ``openWindow(role:configuration:activity:privacy:)``
/// - ``openWindow(role:configuration:presenting:activity:privacy:)``
/// - ``reopenClosedWindow()``
/// - ``reopenLastSession()``
/// - ``receive(_:)``
public final class HostedSceneApplication<Host: SceneHost> {
    /// The scenes, their sessions and the store behind them.
    public let application: SceneApplication
    /// Which window is whose.
    private let windows: HostedWindows<Host>

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

    /// Launches: remembered windows are made and restored, most recently active first, and then
    /// shown from the back to the front, as their placements say, each that belongs to another after
    /// that one; the most recently active one last, so that it ends up in front. Without any, a first
    /// one is made.
    ///
    /// Payloads are what launched the process. Throws as ``SceneApplication/launch(_:)`` does.
    public func launch(_ payloads: [Payload] = []) throws(SceneStoreError) {
        windows.isLaunching = true
        defer {
            windows.isLaunching = false
            // A process that died while it launched shows nothing.
            if application.processState == .running {
                application.scenesFromBackToFront.forEach(windows.show)
            }
        }
        try application.launch(payloads)
    }

    /// The process ends: states are saved and every window is remembered. No window is closed; the
    /// toolkit's end takes them away.
    ///
    /// Throws as ``SceneApplication/quit()`` does: when something could not be written the app is
    /// running still, and this may be called again. A toolkit that ends all the same loses what was
    /// not written.
    public func quit() throws(SceneStoreError) {
        try application.quit()
    }

    /// A window's scene, while it has one.
    public func scene(of window: Host.Window) -> Scene? {
        windows.identifier(of: window).flatMap(application.scene(for:))
    }

    /// The window of a session, while it is connected.
    public func window(for persistentIdentifier: SceneSession.ID) -> Host.Window? {
        windows.window(for: persistentIdentifier)
    }

    // MARK: What the user did

    /// The user gave a window the focus, or brought one back that was minimised.
    public func windowDidBecomeActive(_ window: Host.Window) {
        guard let scene = scene(of: window) else {
            return
        }
        let identifier = scene.session.persistentIdentifier
        windows.front = identifier
        if scene.activationState == .foregroundActive {
            application.turn(to: scene)
        } else {
            application.requestSceneSessionActivation(.init(session: identifier))
        }
    }

    /// Something that the window shows, its title or its place changed: it is saved soon. Cheap
    /// enough to call at every keystroke. The first call for a window that the host did not make in
    /// ``SceneHost/makeWindow(for:)`` is a diagnostic: nothing of such a window is saved.
    public func windowDidChange(_ window: Host.Window) {
        guard let scene = scene(of: window) else {
            if application.processState == .running, windows.mayTellOfUnknown() {
                application.report(.windowWithoutSession)
            }
            return
        }
        scene.setNeedsSave()
    }

    /// The user minimised a window; its state is saved on return, and the next launch brings it
    /// back minimised. What could not be saved goes to ``SceneApplication/diagnosticHandler``, and
    /// along with the next save.
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

    /// The user moved or resized a window, or changed its state: its place is saved soon. Call it for
    /// what the user does, not for what the toolkit does when displays come and go; see
    /// ``SceneApplication/noteUserMoved(_:)``.
    public func windowDidMove(_ window: Host.Window) {
        guard let scene = scene(of: window) else {
            return
        }
        scene.noteUserMoved()
        scene.setNeedsSave()
    }

    /// The user closes a window: if it has unsaved work, ``SceneHost/shouldClose(_:)`` is asked; then
    /// its session is discarded, durably, and ``SceneHost/close(_:)`` takes the window away. When the
    /// store refuses, the window stays.
    public func closeWindow(_ window: Host.Window) {
        guard let identifier = windows.identifier(of: window) else {
            return
        }
        reporting(identifier) { () throws(SceneStoreError) in
            try application.closeWindow(of: identifier)
        }
    }

    /// The user closes all windows in one action; see ``SceneApplication/closeAllWindows()``.
    public func closeAllWindows() {
        reporting(nil) { () throws(SceneStoreError) in
            try application.closeAllWindows()
        }
    }

    /// The user closes all windows but one, in one action.
    public func closeOtherWindows(than window: Host.Window) {
        guard let scene = scene(of: window) else {
            return
        }
        reporting(nil) { () throws(SceneStoreError) in
            try application.closeOtherWindows(than: scene.session.id)
        }
    }

    /// The user was asked about a window that answered ``ClosingAnswer/later``; see
    /// ``SceneApplication/answerClosing(_:of:)``.
    public func answerClosing(_ answer: ClosingAnswer, of window: Host.Window) {
        guard let scene = scene(of: window) else {
            return
        }
        reporting(nil) { () throws(SceneStoreError) in
            try application.answerClosing(answer, of: scene.session.id)
        }
    }

    /// The toolkit tells of its displays, before the launch and whenever they change: windows are
    /// moved to where they belong on them, by ``SceneHost/place(_:at:)``. See
    /// ``SceneApplication/setDisplays(_:)``.
    public func displaysDidChange(_ displays: [Display]) {
        reporting(nil) { () throws(SceneStoreError) in
            let places = try application.setDisplays(displays)
            for scene in application.connectedScenes {
                if let place = places[scene.session.id],
                    let window = windows.window(for: scene.session.id)
                {
                    host.place(window, at: place)
                }
            }
        }
    }

    // MARK: More windows

    /// Opens a window for an activity, which ``SceneHost/configuration(for:options:)`` sees and
    /// ``SceneHost/deliver(_:to:)`` hands over; or brings the one forward that prefers its target.
    /// A new window is asked for its state at once, and saved with it in mode normal (L-41). Within a
    /// callback of the host it opens after the callback. Errors go to
    /// ``SceneApplication/diagnosticHandler``; `try await openWindow(role:…)` throws them, and returns
    /// the window.
    public func openWindow(
        for activity: UserActivity? = nil, role: SceneSessionRole = .windowApplication
    ) {
        application.requestSceneSessionActivation(.init(role: role, userActivity: activity))
        application.flushChanges()
    }

    /// Brings back what was closed last, one window or all of one action, with identifiers, states,
    /// places and order. Answers false when there is nothing.
    @discardableResult
    public func reopenClosedWindow() -> Bool {
        var isReopened = false
        reporting(nil) { () throws(SceneStoreError) in
            guard let closed = try application.recentlyClosedGroups().first else {
                return
            }
            try application.reopen(sessions: closed.sessions.map(\.id))
            isReopened = true
        }
        return isReopened
    }

    /// Brings back the windows that were open when the last process that had any ended; see
    /// ``SceneApplication/reopenLastSession()``. Answers how many came back.
    @discardableResult
    public func reopenLastSession() -> Int {
        var count = 0
        reporting(nil) { () throws(SceneStoreError) in
            count = try application.reopenLastSession().count
        }
        return count
    }

    /// A link, an activity, a quick action or a notification arrived: its window is brought
    /// forward and handed it, or a new one is made for it. When nobody can take it,
    /// ``SceneApplication/diagnosticHandler`` is told.
    public func receive(_ payload: Payload) {
        reporting(nil) { () throws(SceneStoreError) in
            try application.receive(payload)
        }
    }

    private func reporting(
        _ session: SceneSession.ID?, _ work: () throws(SceneStoreError) -> Void
    ) {
        application.tolerating(session, work)
    }
}
