/// What a toolkit without scenes of its own implements, so that its windows come back.
///
/// A toolkit that has windows but knows nothing of scenes (GTK, a terminal, a game engine, a test)
/// makes, shows and closes them when it is asked; ``HostedSceneApplication`` asks, and is told
/// what the user does. Everything between, which windows come back, with what, in which order and
/// with which link, is decided there.
///
/// The protocol belongs to no isolation. A host on the main actor conforms with
/// `@MainActor SceneHost`; one that lives on a single thread of its own conforms as it is.
///
/// Most members have a default: one that is misspelled compiles and is never called. The page
/// <doc:HostingAToolkit> lists when each is called and what its default does.
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
/// - ``target(for:)``
/// - ``didDiscard(_:)``
public protocol SceneHost: AnyObject {
    /// The toolkit's object for one window.
    associatedtype Window: AnyObject

    /// Makes a window, without showing it, for a scene that connects.
    ///
    /// The session says what it was made for: its configuration, its title and its placement, which
    /// fits the displays that ``HostedSceneApplication/displaysDidChange(_:)`` told of. A state follows in
    /// ``restore(_:in:)``, a link in ``deliver(_:to:)``.
    func makeWindow(for session: SceneSession) -> Window
    /// Shows a window in front of the others, and gives it the focus where the toolkit can. Called
    /// again for a window that is shown already.
    func bringForward(_ window: Window)
    /// Shows a window that was minimised when the previous process ended, as the toolkit shows
    /// minimised windows. Never called for a toolkit that never reports one.
    func minimize(_ window: Window)
    /// Takes a window away: the session was closed, or the system evicted its scene.
    func close(_ window: Window)
    /// Moves a window to where it belongs, after displays came or went.
    func place(_ window: Window, at placement: ScenePlacement)
    /// Whether the window has work that is lost when it closes.
    func hasUnsavedWork(in window: Window) -> Bool
    /// The user closes the window, or quits, and it has unsaved work: whether it may close.
    ///
    /// Answer ``ClosingAnswer/later`` to ask the user first, and call
    /// ``HostedSceneApplication/answerClosing(_:of:)`` then. Not called during a logout.
    func shouldClose(_ window: Window) -> ClosingAnswer
    /// Shows the state that was saved last. Throws when it can't: the state is kept, and what the
    /// window shows instead is saved beside it, never over it.
    func restore(_ activity: UserActivity, in window: Window) throws
    /// The same, with the app version, system version, idiom and time that the state was saved under.
    /// Unless you implement it, it calls ``restore(_:in:)``; otherwise that one isn't called.
    func restore(
        _ activity: UserActivity, in window: Window, savedUnder context: SaveContext) throws
    /// Whether a state that was saved under other circumstances may be restored; the session is kept
    /// either way, and so is the state.
    func shouldRestore(_ session: SceneSession, savedUnder context: SaveContext) -> Bool
    /// Shows what a link, an activity, a quick action or a notification asks for. A window that is
    /// shown already was brought forward before; at a launch the windows are shown afterwards.
    func deliver(_ payload: Payload, to window: Window)
    /// What the window shows now, to be stored; `nil` forgets the earlier state. Called
    /// synchronously, in each save; the state is written when this has returned. Bounds are those of
    /// ``Limits``; what can't be stored goes to ``SceneApplication/diagnosticHandler``, and the
    /// earlier state stays.
    ///
    /// Throws when it can't be answered: the earlier state stays, and the failure is told.
    func stateRestorationActivity(of window: Window) throws -> UserActivity?
    /// The window's title, stored when its state is; `nil` leaves the stored one.
    func title(of window: Window) -> String?
    /// Where the window is, stored when its state is; `nil` leaves the stored one.
    func placement(of window: Window) -> ScenePlacement?
    /// The configuration of a new session, of the session's own role; asked once in its life. The
    /// session holds the manifest's default already, the options what the window is opened for.
    func configuration(for session: SceneSession, options: ConnectionOptions)
        -> SceneConfiguration
    /// Which window takes a link, an activity, a quick action or a notification (L-79); `nil` asks
    /// the windows' conditions. An answer that can't be met does so, too, with a diagnostic.
    func target(for payload: Payload) -> PayloadTarget?
    /// Sessions are gone for good, each with its ``SceneSession/discardCause``.
    func didDiscard(_ sessions: [SceneSession])
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
        CallbackNotes.current?.noteIgnoredPayload()
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
    /// Asks the windows' conditions.
    public func target(for payload: Payload) -> PayloadTarget? { nil }
    /// Does nothing.
    public func didDiscard(_ sessions: [SceneSession]) {}
}

extension SceneApplicationOptions {
    /// How a desktop's app behaves: every window comes back, several are allowed as far as the
    /// manifest does, and links come by one way, once their window is there.
    public static func desktop(manifest: SceneManifest) -> SceneApplicationOptions {
        var options = SceneApplicationOptions(manifest: manifest)
        options.reconnection = .all
        options.delivery = .whenActive
        return options
    }

    /// How a desktop's app behaves that has no Info.plist: several windows of these kinds, the
    /// first one's the default.
    public static func desktop(
        configurations names: [String] = ["Default"]
    ) -> SceneApplicationOptions {
        var manifest = SceneManifest()
        manifest.isPresent = true
        manifest.supportsMultipleScenes = true
        manifest.configurations[.windowApplication] = names.map { name in
            var configuration = SceneConfiguration(name: name, role: .windowApplication)
            configuration.resolution = .manifest
            return configuration
        }
        return desktop(manifest: manifest)
    }
}
