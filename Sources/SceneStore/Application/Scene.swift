/// A connected session's live object: one window.
///
/// Made by ``SceneApplication`` when a session connects and gone when it disconnects. Not
/// `Sendable`: it lives where its application lives. If you keep a scene longer than its
/// application, calls that need the store throw ``SceneStoreError/Code/invalidState``.
///
/// ```swift
/// for scene in application.connectedScenes where scene.activationState == .foregroundActive {
///     try scene.setTitle("Shopping")
/// }
/// ```
public final class Scene {
    /// The activation states of a scene.
    public enum ActivationState: String, Sendable {
        /// Not connected any more.
        case unattached
        /// In front, without the focus.
        case foregroundInactive
        /// In front, with the focus.
        case foregroundActive
        /// Not seen.
        case background
    }

    /// The application that the scene belongs to; nil when it is gone and the scene was kept.
    public private(set) weak var application: SceneApplication?
    /// The session, as it was read when the scene connected, with the app's changes since.
    public package(set) var session: SceneSession
    /// The versions and the time that the scene's state was saved under; nil if there was no state.
    public internal(set) var savedUnder: SaveContext?
    /// The scene's activation state.
    public package(set) var activationState: ActivationState = .background
    /// Whether the payload that the current callback delivers was already offered to an earlier
    /// process.
    ///
    /// That process died before it acknowledged the payload. False outside of such callbacks. For a
    /// payload in the connection's options, see ``ConnectionOptions/isRedelivered``.
    public internal(set) var isPayloadRedelivered = false
    /// The app's object for this scene.
    public var delegate: (any SceneDelegate)? {
        didSet { stateDelegate = delegate as? any StateRestoringSceneDelegate }
    }
    /// The delegate, when it has state to save; kept because the cast is slow.
    private(set) var stateDelegate: (any StateRestoringSceneDelegate)?
    /// The session's scene storage.
    public private(set) lazy var storage = SceneStorageValues(
        application: application, identifier: session.persistentIdentifier, key: key)
    /// The session's row.
    package let key: Int64
    /// What rides on its connection, until it is told of that; nil for nothing, as mostly.
    var arriving: ConnectionOptions?
    /// How many `extendStateRestoration()` calls await their end.
    var restorationExtensions = 0
    /// What it showed, before the user could touch it, instead of a state that is withheld (L-55):
    /// nothing of that is saved.
    var placeholder: Placeholder?

    /// What a window shows instead of its withheld state.
    enum Placeholder {
        /// It is to be asked, once the connection is done.
        case awaited
        /// The state that it answers; nil for none.
        case shown([UInt8]?)
    }

    /// The record's configuration that was found to be what the scene is shown with.
    var agreed: SharedConfiguration?
    /// Whether the launch still owes the scene a callback.
    var awaitsCallbacks = true
    /// The payload that it connected with, until its delivery ends (L-65): since when it is handed over,
    /// in milliseconds since 1970, and its numbers in the inbox, as far as they are not acknowledged.
    var delivery: (begin: Int64, items: [Int64])?

    package init(
        application: SceneApplication, session: SceneSession, key: Int64,
        delegate: (any SceneDelegate)?
    ) {
        self.application = application
        self.session = session
        self.key = key
        self.delegate = delegate
        stateDelegate = delegate as? any StateRestoringSceneDelegate
    }

    /// Stores a title, in mode normal; throws as ``SceneApplication/setTitle(_:for:)`` does.
    public func setTitle(_ title: String?) throws(SceneStoreError) {
        try requireApplication().setTitle(title, for: session.persistentIdentifier)
    }

    /// Stores where the window is, in mode normal.
    public func setPlacement(_ placement: ScenePlacement?) throws(SceneStoreError) {
        try requireApplication().setPlacement(placement, for: session.persistentIdentifier)
    }

    /// Stores the app's data about the session; property-list values only.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` with the key path of a URL, UUID, null or
    /// set; the old value stays.
    public func setUserInfo(_ userInfo: ValueDictionary) throws(SceneStoreError) {
        try requireApplication().setUserInfo(userInfo, for: session.persistentIdentifier)
    }

    /// Stores which content the session can and wants to show, in mode normal.
    public func setActivationConditions(
        _ conditions: ActivationConditions
    ) throws(SceneStoreError) {
        try requireApplication().setActivationConditions(
            conditions, for: session.persistentIdentifier)
    }

    /// The application, for a call that needs one.
    func requireApplication() throws(SceneStoreError) -> SceneApplication {
        guard let application else {
            throw SceneStoreError(.invalidState, "the scene's application is gone")
        }
        return application
    }

    /// Marks the window's state as changed, so that it is saved soon, in mode normal.
    ///
    /// The state is saved 0.5 s after the last change, at the latest 2 s after the first, and when
    /// the window loses the focus. ``SceneApplicationOptions/autosaveDelay`` and
    /// ``SceneApplicationOptions/autosaveCeiling`` change these times. The call is cheap enough for
    /// every keystroke. Does nothing once the scene or its application is gone, nor while the scene
    /// is asked for its state. The first call after ``SceneApplication/quit()`` is reported.
    public func setNeedsSave() {
        application?.autosaving.note(key)
    }

    /// Extends restoring beyond the callbacks, until ``completeStateRestoration()``.
    ///
    /// Until then, a death of the process is still blamed on this session (L-53). Throws
    /// ``SceneStoreError/Code/unbalancedCall`` if the scene is no longer connected.
    public func extendStateRestoration() throws(SceneStoreError) {
        guard activationState != .unattached else {
            throw SceneStoreError(
                .unbalancedCall, "the scene is not connected; nothing is being restored")
        }
        let application = try requireApplication()
        try application.core.briefly(application.settling.noteUnsettled(self))
        restorationExtensions += 1
    }

    /// Ends what ``extendStateRestoration()`` began.
    ///
    /// Throws ``SceneStoreError/Code/unbalancedCall`` when there is nothing to end.
    public func completeStateRestoration() throws(SceneStoreError) {
        guard restorationExtensions > 0, activationState != .unattached else {
            throw SceneStoreError(
                .unbalancedCall, "completeStateRestoration without extendStateRestoration")
        }
        let application = try requireApplication()
        restorationExtensions -= 1
        try application.core.briefly(application.settling.settleIfDone(self))
    }
}

extension SceneStoreError.Code {
    /// `completeStateRestoration` without `extendStateRestoration`, or either on a scene that is
    /// gone.
    public static let unbalancedCall = Self("unbalancedCall")
}

extension Scene {
    /// Whether its window, typed or a host's, may be asked what it shows outside of its save chain.
    var isLookedAtAnyTime: Bool {
        delegate is any StatefulSceneDelegate || delegate is any WindowOfHost
    }

    /// The state is withheld: once the connection is done, the scene is asked what it shows instead.
    /// What a payload makes it show is the user's. A delegate that answers with activities itself is
    /// asked in its save chain alone (L-31), unless a newer version wrote the state.
    func awaitPlaceholder(_ reason: WithheldReason) {
        guard delivery == nil, application?.inbox.awaits(key) != true else {
            return
        }
        if isLookedAtAnyTime || reason == .newer {
            placeholder = .awaited
        }
    }
}
