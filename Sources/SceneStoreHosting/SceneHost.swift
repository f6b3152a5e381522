import SceneStore

/// The interface that a toolkit without scenes implements so that its windows come back.
///
/// Such a toolkit (GTK, a terminal, a game engine, a test) makes, shows and closes windows when it
/// is asked. ``HostedSceneApplication`` asks it, and the toolkit reports the user's actions there.
/// The hosted application decides which windows come back, with which state, in which order and
/// with which link.
///
/// The protocol belongs to no isolation. A host on the main actor conforms with `@MainActor
/// SceneHost`; a host that uses another single thread conforms without an isolation.
///
/// Most members have a default, so one that is misspelled or has another type compiles and is never
/// called. Conform in an extension: there the compiler warns of it. The page <doc:HostingAToolkit>
/// shows a complete host.
///
/// ```swift
/// final class TextHost: SceneHost {
///     func makeWindow(for session: SceneSession) -> TextWindow { TextWindow() }
///     func bringForward(_ window: TextWindow) { window.isInFront = true }
///     func close(_ window: TextWindow) { window.isOpen = false }
///     func stateRestorationActivity(of window: TextWindow) -> UserActivity? { nil }
///     func restore(_ activity: UserActivity, in window: TextWindow) {}
/// }
/// ```
///
/// ## Topics
/// ### Windows
/// - ``Window``
/// - ``makeWindow(for:)``
/// - ``bringForward(_:)``
/// - ``minimize(_:)``
/// - ``close(_:)``
/// - ``place(_:at:)``
/// - ``hasUnsavedWork(in:)``
/// - ``shouldClose(_:)``
/// ### What they show
/// - ``restore(_:in:)``
/// - ``restore(_:in:savedUnder:)``
/// - ``shouldRestore(_:savedUnder:)``
/// - ``deliver(_:to:)``
/// - ``stateRestorationActivity(of:)``
/// - ``title(of:)``
/// - ``placement(of:)``
/// ### The app as a whole
/// - ``configuration(for:options:)``
/// - ``providesConfiguration(for:)``
/// - ``target(for:)``
/// - ``didDiscard(_:)``
public protocol SceneHost: AnyObject {
    /// The toolkit's object for one window.
    associatedtype Window: AnyObject

    /// Makes a window for a scene that connects, without showing it.
    ///
    /// The session has the window's configuration, title and placement. The placement fits the
    /// displays that ``HostedSceneApplication/displaysDidChange(_:)`` set. A state follows in
    /// ``restore(_:in:)``, a link in ``deliver(_:to:)``.
    func makeWindow(for session: SceneSession) -> Window
    /// Shows a window in front of the others, and gives it the focus where the toolkit can. Called
    /// again for a window that is shown already.
    func bringForward(_ window: Window)
    /// Shows a window minimised, because it was minimised when the previous process ended.
    ///
    /// Never called for a toolkit that never reports a minimised window.
    func minimize(_ window: Window)
    /// Takes a window away: the session was closed, or the system evicted its scene.
    func close(_ window: Window)
    /// Moves a window to where it belongs, after displays came or went.
    func place(_ window: Window, at placement: ScenePlacement)
    /// Returns whether the window has work that is lost when it closes.
    func hasUnsavedWork(in window: Window) -> Bool
    /// Returns whether a window with unsaved work may close, when the user closes it or quits, or when
    /// another takes its place.
    ///
    /// Return ``ClosingAnswer/later`` to ask the user first, and then call
    /// ``HostedSceneApplication/answerClosing(_:of:)``. Not called during a logout.
    func shouldClose(_ window: Window) -> ClosingAnswer
    /// Shows the state that was saved last.
    ///
    /// Throw if you can't show the state: it is kept, and the state that the window shows instead
    /// is saved next to it, never over it.
    func restore(_ activity: UserActivity, in window: Window) throws
    /// Shows the state that was saved last, with what it was saved under.
    ///
    /// The context has the app version, system version, idiom and time. The default calls
    /// ``restore(_:in:)``; if you implement this method, that one isn't called.
    func restore(
        _ activity: UserActivity, in window: Window, savedUnder context: SaveContext) throws
    /// Returns whether a state that was saved under other circumstances may be restored.
    ///
    /// The session and the state are kept either way.
    func shouldRestore(_ session: SceneSession, savedUnder context: SaveContext) -> Bool
    /// Shows what a link, an activity, a quick action or a notification asks for. A window that is
    /// shown already was brought forward before; at a launch the windows are shown afterwards. The
    /// window counts as changed, so its state is saved soon.
    func deliver(_ payload: Payload, to window: Window)
    /// Returns the state that the window shows now, to be stored; `nil` forgets the earlier state.
    ///
    /// Called synchronously in each save, and the state is written after it returns. The limits are
    /// those of ``Limits``. If the state can't be stored, ``SceneApplication/diagnosticHandler``
    /// gets the error, and the earlier state stays. Throw if you can't make the state: the earlier
    /// state stays, and the failure is reported.
    func stateRestorationActivity(of window: Window) throws -> UserActivity?
    /// Returns the window's title, stored with its state; `nil` keeps the stored title.
    func title(of window: Window) -> String?
    /// Returns the window's placement, stored with its state; `nil` keeps the stored placement.
    func placement(of window: Window) -> ScenePlacement?
    /// Returns the configuration of a new session, with the session's own role.
    ///
    /// Asked once in a session's life. The session already has the manifest's default, and the
    /// options have the payload that the window is opened for.
    func configuration(for session: SceneSession, options: ConnectionOptions)
        -> SceneConfiguration
    /// Returns whether the host has windows of a role.
    ///
    /// Return `false` for a role that the host can't make. Then only the manifest decides, and a
    /// payload for the role goes to another window (L-79).
    func providesConfiguration(for role: SceneSessionRole) -> Bool
    /// Returns the window for a link, an activity, a quick action or a notification (L-79).
    ///
    /// Return `nil` to let the windows' conditions decide. They also decide if the target can't be
    /// met, with a diagnostic.
    func target(for payload: Payload) -> PayloadTarget?
    /// Sessions are gone for good, each with its ``SceneSession/discardCause``.
    func didDiscard(_ sessions: [SceneSession])
    /// The window is made, or its state was restored. For `SceneStoreObservation`, which observes the
    /// window from then on; not for apps.
    func _observe(_ window: Window, of scene: Scene)
    /// Returns the state in a save. For `SceneStoreObservation`, which observes what is read of it; not
    /// for apps.
    func _observedActivity(of window: Window, _ scene: Scene) throws -> UserActivity?
}

extension SceneHost {
    /// Does nothing.
    public func minimize(_ window: Window) {}
    /// Does nothing.
    public func place(_ window: Window, at placement: ScenePlacement) {}
    /// Answers no.
    public func hasUnsavedWork(in window: Window) -> Bool { false }
    /// Closes.
    public func shouldClose(_ window: Window) -> ClosingAnswer { .close }
    /// Calls the method without the context.
    public func restore(
        _ activity: UserActivity, in window: Window, savedUnder context: SaveContext
    ) throws {
        try restore(activity, in: window)
    }
    /// Answers yes.
    public func shouldRestore(_ session: SceneSession, savedUnder context: SaveContext) -> Bool {
        true
    }
    /// Does nothing; the first payload that is lost this way is reported as `payloadIgnored`.
    public func deliver(_ payload: Payload, to window: Window) {
        CallbackNotes.current?.note { $0.isPayloadIgnored = true }
    }
    /// Has none.
    public func title(of window: Window) -> String? { nil }
    /// Has none.
    public func placement(of window: Window) -> ScenePlacement? { nil }
    /// Answers with the manifest's default.
    public func configuration(for session: SceneSession, options: ConnectionOptions)
        -> SceneConfiguration
    {
        session.configuration
    }
    /// Answers yes.
    public func providesConfiguration(for role: SceneSessionRole) -> Bool { true }
    /// Asks the windows' conditions.
    public func target(for payload: Payload) -> PayloadTarget? { nil }
    /// Does nothing.
    public func didDiscard(_ sessions: [SceneSession]) {}
    /// Does nothing.
    public func _observe(_ window: Window, of scene: Scene) {}
    /// Calls the method that apps implement.
    public func _observedActivity(of window: Window, _ scene: Scene) throws -> UserActivity? {
        try stateRestorationActivity(of: window)
    }
}
