/// The durable record of one window or scene.
///
/// The counterpart of [UISceneSession](https://developer.apple.com/documentation/uikit/uiscenesession)
/// as a value: a picture of what the store holds. It outlives its scene and the process;
/// ``SceneApplication`` changes what is stored.
///
/// ```swift
/// let session = application.openSessions[0]
/// let id: SceneSession.ID = session.id
/// try application.setTitle("Shopping", for: id)
/// ```
public struct SceneSession: Sendable, Hashable {
    /// Names the session for as long as it lives, over all launches; compared as bytes.
    public let id: ID
    /// The configuration that the session was made with.
    public var configuration: SceneConfiguration
    /// The app's data about the session; property-list values only.
    public var userInfo: ValueDictionary
    /// The state that was saved last.
    public var stateRestorationActivity: UserActivity?
    /// A name for people.
    public var title: String?
    /// The window's stored place; in a connected session, its place on the current displays.
    public var placement: ScenePlacement?
    /// The token by which the compositor knows the window; see ``SceneApplication``.
    public var platformToken: [UInt8]?
    /// The content that the session can show, and the content that it prefers.
    public var activationConditions: ActivationConditions
    /// Whether the state may be given to `scene(_:restoreInteractionStateWith:)`, and if not, why.
    public var restoration: RestorationStatus
    /// The reason why the process that connected this session was launched.
    public var launchReason: LaunchReason?
    /// The value that the window was opened for; see ``SceneApplication``.
    public var presentedValue: Value?
    /// Whether the session comes back from an earlier connection; false for a new one.
    public var isRemembered = false
    /// The privacy class of the session's content.
    public var privacy = PrivacyClass.standard
    /// Whether the session is protected from pruning at any age.
    public var isPinned = false
    /// The reason why a state of the session is withheld from the app; nil if none is.
    ///
    /// The state is the current one or an earlier one. It stays stored until
    /// ``SceneApplication/restoreWithheldState(for:generation:)`` takes it back.
    public var withheldState: WithheldReason?
    /// The reason why the session is gone; nil while it is open.
    ///
    /// Set in `application(_:didDiscardSceneSessions:)`.
    public var discardCause: DiscardCause?
    /// Whether an earlier process died in the callback that reports this discard.
    public var isDiscardRedelivered = false

    /// The session's role.
    public var role: SceneSessionRole { configuration.role }

    /// Makes a session that has nothing yet.
    public init(persistentIdentifier: ID, configuration: SceneConfiguration) {
        id = persistentIdentifier
        self.configuration = configuration
        userInfo = [:]
        activationConditions = ActivationConditions()
        restoration = .available
    }
}

/// Whether a session's state is handed to the app.
///
/// ```swift
/// if session.restoration == .stale {
///     messages.append("This note was saved long ago.")
/// }
/// ```
public enum RestorationStatus: String, Sendable, Hashable {
    /// It is, when there is any.
    case available
    /// The configuration it belongs to is gone; the state is kept and readable.
    case stale
    /// A process died while it restored this session; the state is kept and readable.
    case withheld
    /// Three processes in a row died while they restored the session.
    ///
    /// It stays open and doesn't connect until it is released.
    case held
    /// The app's guard refused it; the session is kept.
    case declined
    /// The app could not restore it; the state is kept.
    case failed
    /// Restoration is switched off for the session.
    case disabled
}

/// The reasons why a process was started.
///
/// ```swift
/// if application.launchReason == .recover {
///     messages.append("The app ended unexpectedly; your notes are as you left them.")
/// }
/// ```
public enum LaunchReason: String, Sendable, Hashable, CaseIterable {
    /// The container never saw a launch, or was reset.
    case first
    /// The previous process ended cleanly.
    case launch
    /// The previous process died.
    case recover
    /// The system was restarted since.
    case restore
}

/// The reasons why a session is gone for good.
///
/// ```swift
/// func application(
///     _ application: SceneApplication, didDiscardSceneSessions sessions: [SceneSession]
/// ) {
///     sessions.filter { $0.discardCause == .user }.forEach { deleteDrafts(of: $0.id) }
/// }
/// ```
public enum DiscardCause: String, Sendable, Hashable, CaseIterable {
    /// The user closed the window.
    case user
    /// The app asked for it.
    case app
    /// Nothing is left that could show it.
    case cannotDisplay = "cannot-display"
    /// It was pruned.
    case expired
    /// The container was reset.
    case reset
}

/// How a process ended.
package enum ProcessEnd: String, Sendable, Hashable {
    /// Cleanly.
    case quit
    /// The user ended it.
    case forceQuit = "force-quit"
}

/// The moments from which a write is safe.
///
/// ```swift
/// application.options.durability = .normal  // a power cut may take the last saves
/// try application.saveState(of: [session.id], durability: .full)  // but not this one
/// ```
public enum Durability: String, Sendable, Hashable {
    /// Against a power cut, when the call returns.
    case full
    /// Against the death of the process, when the call returns. Against a power cut 10 minutes later
    /// at the latest, and as soon as a window goes to the background or is closed or the app quits: a
    /// power cut before loses the last writes, and never consistency.
    case normal
}
