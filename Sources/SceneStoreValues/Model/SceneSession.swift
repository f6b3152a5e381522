/// The durable record of one window or scene.
///
/// The counterpart of [UISceneSession](https://developer.apple.com/documentation/uikit/uiscenesession)
/// as a value: a picture of what the store holds. It outlives its scene and the process;
/// ``SceneApplication`` changes what is stored.
///
/// ```swift
/// for session in application.openSessions where session.title == nil {
///     let id: SceneSession.ID = session.id
///     try application.setTitle("Shopping", for: id)
/// }
/// ```
public struct SceneSession: Sendable, Hashable {
    /// Names the session for as long as it lives, over all launches; compared as bytes.
    public let id: ID
    /// The configuration that the session was made with.
    public var configuration: SceneConfiguration
    /// The app's data about the session; property-list values only.
    public var userInfo: ValueDictionary = [:]
    /// The state that was saved last.
    public var stateRestorationActivity: UserActivity?
    /// A name for people.
    public var title: String?
    /// The window's stored place; in a connected session, its place on the current displays.
    public var placement: ScenePlacement?
    /// The token by which the compositor knows the window; see ``SceneApplication``.
    public var platformToken: [UInt8]?
    /// The content that the session can show, and the content that it prefers.
    public var activationConditions = ActivationConditions()
    /// Whether the state may be given to `scene(_:restoreInteractionStateWith:)`, and if not, why.
    public var restoration = RestorationStatus.available
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

    /// Returns the value that the window was opened for as a type, or nil if there is none.
    ///
    /// Works wherever there is a session, such as in a host's `makeWindow(for:)`. Throws
    /// ``SceneStoreError/Code/decodingFailed`` with the key path if the value doesn't fit the type;
    /// the session and its stored data stay.
    public func presentedValue<Presented: Decodable>(
        as type: Presented.Type = Presented.self
    ) throws(SceneStoreError) -> Presented? {
        guard let presentedValue else {
            return nil
        }
        return try ValueCoder.decode(type, from: presentedValue, path: "presentedValue")
    }

    /// Makes a session that has nothing yet.
    public init(persistentIdentifier: ID, configuration: SceneConfiguration) {
        id = persistentIdentifier
        self.configuration = configuration
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

    /// Whether somebody closed it: what expires is no closing (S-50).
    package var isClosing: Bool { self != .expired && self != .cannotDisplay }
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

extension SceneSession: Identifiable {
    /// A persistent identifier, compared as bytes.
    ///
    /// Two identifiers are equal if their bytes are equal. Swift's `String` also compares equal if
    /// two strings spell the same character in different ways.
    public struct ID: RawRepresentable, Hashable, Sendable, Codable,
        ExpressibleByStringLiteral, CustomStringConvertible
    {
        /// The identifier as text.
        public let rawValue: String

        /// Names a session.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Names a session.
        public init(_ persistentIdentifier: String) {
            rawValue = persistentIdentifier
        }

        /// Names a session that is known when the code is written, as in a test.
        public init(stringLiteral persistentIdentifier: String) {
            rawValue = persistentIdentifier
        }

        /// Returns whether the bytes are equal.
        public static func == (left: ID, right: ID) -> Bool {
            left.rawValue.hasSameBytes(as: right.rawValue)
        }

        /// Hashes the bytes.
        public func hash(into hasher: inout Hasher) {
            var text = rawValue
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }

        /// The identifier as text.
        public var description: String { rawValue }
    }

    /// UIKit's name for ``id``.
    public var persistentIdentifier: ID { id }
}

/// The purpose of a scene: a window, an external display, a car's screen (L-15).
///
/// The set is open: a role of any other name is kept unchanged. The names are those of
/// [UISceneSession.Role](https://developer.apple.com/documentation/uikit/uiscenesession/role).
///
/// ```swift
/// let palette = SceneSessionRole(rawValue: "com.example.palette")
/// let isApples = SceneSessionRole.known.contains(palette)  // false
/// ```
public struct SceneSessionRole: RawRepresentable, Hashable, Sendable {
    /// The role's name as manifests write it.
    public let rawValue: String

    /// Makes a role from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// An interactive window on the device's own screen.
    public static let windowApplication = Self(
        rawValue: "UIWindowSceneSessionRoleApplication")
    /// An external display that takes no input.
    public static let windowExternalDisplayNonInteractive = Self(
        rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    /// An external display, by its older name.
    public static let windowExternalDisplay = Self(
        rawValue: "UIWindowSceneSessionRoleExternalDisplay")
    /// CarPlay's main screen.
    public static let carTemplateApplication = Self(
        rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
    /// CarPlay's dashboard.
    public static let carTemplateApplicationDashboard = Self(
        rawValue: "CPTemplateApplicationDashboardSceneSessionRoleApplication")
    /// CarPlay's instrument cluster.
    public static let carTemplateApplicationInstrumentCluster = Self(
        rawValue: "CPTemplateApplicationInstrumentClusterSceneSessionRoleApplication")
    /// An immersive space.
    public static let immersiveSpaceApplication = Self(
        rawValue: "UISceneSessionRoleImmersiveSpaceApplication")
    /// A volume: a window with depth in visionOS.
    public static let windowVolumetricApplication = Self(
        rawValue: "UIWindowSceneSessionRoleVolumetricApplication")

    /// The app's preferences, where they are a window of their own.
    public static let preferences = Self(rawValue: "SceneStorePreferencesSessionRole")

    /// The roles that have a name here.
    public static let known: [SceneSessionRole] = [
        .windowApplication, .windowExternalDisplayNonInteractive, .windowExternalDisplay,
        .carTemplateApplication, .carTemplateApplicationDashboard,
        .carTemplateApplicationInstrumentCluster, .immersiveSpaceApplication,
        .windowVolumetricApplication,
    ]

    /// Whether it is a role of the app's own.
    package var isCustom: Bool { !Self.known.contains(self) }
}

/// The classes and the storyboard with which a session's scene is made.
///
/// A session keeps its own copy; changing a configuration afterwards changes no session.
///
/// ```swift
/// let configuration = SceneConfiguration(name: "Note", role: .windowApplication)
/// let isDefault = configuration.name == nil  // false
/// ```
public struct SceneConfiguration: Hashable, Sendable {
    /// The name in the manifest, or `nil` for the role's default.
    public var name: String?
    /// The scene's role.
    public var role: SceneSessionRole
    /// The scene's class, as the manifest writes it.
    public var sceneClassName: String?
    /// The scene delegate's class, as the manifest writes it; build variables are kept verbatim.
    /// (L-22)
    public var delegateClassName: String?
    /// The storyboard.
    public var storyboardName: String?
    /// The immersion style of an immersive space.
    public var initialImmersionStyle: String?
    /// The origin of the configuration's contents.
    package var resolution = Resolution.application

    /// The origins of a configuration's contents.
    package enum Resolution: Int, Sendable, Hashable {
        /// The app made it; no manifest was asked.
        case application = 0
        /// An entry of the manifest.
        case manifest = 1
        /// A name or role that the manifest does not have: classes and storyboard are `nil`.
        case unresolved = 2
    }

    /// Makes a configuration that the manifest fills in, as UIKit's initialiser does.
    public init(name: String?, role: SceneSessionRole) {
        self.name = name
        self.role = role
    }

    /// What replaces a configuration whose row is damaged: a name that no manifest has, under the
    /// role that is known, or an empty one.
    package static func lost(_ role: String?) -> SceneConfiguration {
        var configuration = SceneConfiguration(
            name: "", role: SceneSessionRole(rawValue: role ?? ""))
        configuration.resolution = .manifest
        return configuration
    }

    /// Whether it replaces a damaged one whose name is unknown.
    package var isLost: Bool { name?.isEmpty == true && self == .lost(role.rawValue) }
}

/// The classes of privacy for a session's content.
///
/// ```swift
/// var request = SceneSessionActivationRequest()
/// request.privacy = .ephemeral  // never written to the disk
/// application.requestSceneSessionActivation(request)
/// ```
public enum PrivacyClass: String, Sendable, Hashable, CaseIterable {
    /// Stored, and shown in exports and reports.
    case standard
    /// Stored, and left out of exports, reports and logs; forgotten when the session is discarded.
    case redacted
    /// Never stored: the session itself is remembered, what it shows is not.
    case ephemeral
}

/// The reasons why a session's state is kept from the app.
///
/// ```swift
/// if let reason = session.withheldState, reason != .declined {
///     messages.append("This note wasn't restored (\(reason)). Show its last state?")
/// }
/// ```
public enum WithheldReason: String, Sendable, Hashable, CaseIterable {
    /// A process died while it restored it.
    case crash
    /// The configuration that it was saved under is gone.
    case stale
    /// The app's guard refused it.
    case declined
    /// The app could not restore it.
    case failed
    /// A newer version of the app wrote it.
    case newer
    /// It can't be decoded, or no migration leads from its version to today's.
    case unreadable
    /// The state that was saved last is not in the file any more. If an earlier one is, it is kept for
    /// the app.
    case lost
    /// The session was held by hand, and then its window was activated.
    case held

    /// Whether the app was given the state before it was withheld.
    package var isOfGivenState: Bool {
        switch self {
        case .crash, .failed, .newer, .unreadable: true
        case .stale, .declined, .lost, .held: false
        }
    }
}

/// A request of the app: another scene, an activation, a destruction, a refresh.
///
/// ```swift
/// var request = SceneSessionActivationRequest()
/// request.configurationName = "Note"
/// application.requestSceneSessionActivation(request) { error in
///     messages.append(error.message)
/// }
/// ```
public struct SceneSessionActivationRequest: Sendable {
    /// The session to bring forward; nil asks by role.
    public var sessionIdentifier: SceneSession.ID?
    /// The role of the scene that is asked for. Nil means the role under which
    /// ``configurationName`` is declared, or else ``SceneSessionRole/windowApplication``.
    public var role: SceneSessionRole?
    /// The activity that the scene should show.
    public var userActivity: UserActivity?
    /// Connects a scene in the background. A scene that is connected stays where it is, unless the
    /// request has an activity.
    public var staysInBackground = false
    /// The value that the new window is for.
    public var presentedValue: Value?
    /// The configuration of a new session; nil asks the provider.
    public var configurationName: String?
    /// The privacy class of a new session. An ephemeral session is ephemeral from its first byte.
    public var privacy = PrivacyClass.standard

    /// Asks for a session that is known.
    public init(session identifier: SceneSession.ID, userActivity: UserActivity? = nil) {
        sessionIdentifier = identifier
        self.userActivity = userActivity
    }

    /// Asks for a scene of a role: a session that prefers the activity's target, else a new one.
    public init(role: SceneSessionRole? = nil, userActivity: UserActivity? = nil) {
        self.role = role
        self.userActivity = userActivity
    }
}

/// Whether a window may be closed (L-47).
///
/// ```swift
/// func sceneShouldClose(_ scene: Scene) -> ClosingAnswer {
///     isSaved ? .close : .keep
/// }
/// ```
public enum ClosingAnswer: String, Sendable, Hashable {
    /// It closes.
    case close
    /// It stays, and so does everything that was to be closed with it.
    case keep
    /// The user has to be asked first; `SceneApplication.answerClosing(_:of:)` reports the
    /// decision.
    case later
}
