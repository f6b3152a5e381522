/// Which part of a session one row of the skeleton holds: all that a relaunch needs to decide,
/// nothing that only the app reads.
package struct SessionRecord: Sendable, Hashable {
    /// The row, used by every later write.
    package var key: Int64
    // The Booleans stand behind the identifier, whose last byte is free: 128 bytes in all.
    package let identifierText: IdentifierText
    /// Whether it is remembered, not discarded.
    package var isOpen: Bool
    /// Whether it was in the foreground at the last transition.
    package var isFront: Bool
    /// Whether a state is stored.
    package var hasState: Bool
    /// Whether it has activation conditions of its own.
    package var hasConditions: Bool
    /// The row of the remembered configuration.
    package var configurationKey: Int64
    /// One object for all sessions of a configuration: copying a record copies no strings.
    package var sharedConfiguration: SharedConfiguration
    /// The generation at which it became active last; greater is more recent, 0 is never.
    package var recency: Int64
    /// Processes in a row that died while restoring it.
    package var crashCount: Int
    /// What is set by hand or by the app.
    package var flags: SessionFlags
    /// Milliseconds since 1970.
    package var createdAt: Int64
    /// When it became active last, milliseconds since 1970.
    package var lastActiveAt: Int64
    /// When its state was saved last, milliseconds since 1970, or nil.
    package var savedAt: Int64?

    /// The persistent identifier.
    package var identifier: String { identifierText.text }

    /// The same, as the public calls take it.
    package var id: SceneSession.ID { SceneSession.ID(identifier) }

    /// The remembered configuration.
    package var configuration: SceneConfiguration {
        get { sharedConfiguration.value }
        set { sharedConfiguration = SharedConfiguration(newValue) }
    }

    /// The role of that configuration, which is not copied for it.
    package var role: SceneSessionRole { sharedConfiguration.value.role }

    /// Held by hand (`scenestore hold`), whatever its count.
    package var isHeldByHand: Bool {
        get { flags.contains(.held) }
        set { flags[.held] = newValue }
    }

    /// Its configuration is gone (L-50): the state is kept and not given to `restore`.
    package var isStale: Bool {
        get { flags.contains(.stale) }
        set { flags[.stale] = newValue }
    }

    /// Whether it is to be remembered after this launch (L-44).
    package var isRestorationEnabled: Bool {
        get { !flags.contains(.notRemembered) }
        set { flags[.notRemembered] = !newValue }
    }

    /// Never pruned.
    package var isPinned: Bool {
        get { flags.contains(.pinned) }
        set { flags[.pinned] = newValue }
    }

    /// Who may see what it holds (S-70).
    package var privacy: PrivacyClass {
        get { flags.privacy }
        set { flags.privacy = newValue }
    }

    @inlinable package init(
        key: Int64, identifierText: IdentifierText, isOpen: Bool, isFront: Bool, hasState: Bool,
        hasConditions: Bool, configurationKey: Int64, sharedConfiguration: SharedConfiguration,
        recency: Int64, crashCount: Int, flags: SessionFlags, createdAt: Int64, lastActiveAt: Int64,
        savedAt: Int64? = nil
    ) {
        self.key = key
        self.identifierText = identifierText
        self.isOpen = isOpen
        self.isFront = isFront
        self.hasState = hasState
        self.hasConditions = hasConditions
        self.configurationKey = configurationKey
        self.sharedConfiguration = sharedConfiguration
        self.recency = recency
        self.crashCount = crashCount
        self.flags = flags
        self.createdAt = createdAt
        self.lastActiveAt = lastActiveAt
        self.savedAt = savedAt
    }
}

/// A configuration that many records share.
package final class SharedConfiguration: Sendable, Hashable {
    package let value: SceneConfiguration

    package init(_ value: SceneConfiguration) {
        self.value = value
    }

    package static func == (left: SharedConfiguration, right: SharedConfiguration) -> Bool {
        left === right || left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

/// A discarded session whose discard the app has not yet been told of.
package struct PendingDiscard: Sendable, Hashable {
    package var key: Int64
    package var identifier: SceneSession.ID
    package var configuration: SceneConfiguration
    package var cause: DiscardCause
    /// Whether an earlier process was told and died before it returned.
    package var isRedelivered: Bool

    package init(
        key: Int64, identifier: SceneSession.ID, configuration: SceneConfiguration,
        cause: DiscardCause,
        isRedelivered: Bool
    ) {
        self.key = key
        self.identifier = identifier
        self.configuration = configuration
        self.cause = cause
        self.isRedelivered = isRedelivered
    }
}

/// A discarded session that can still be had back (S-50).
package struct ClosedSession: Sendable, Hashable {
    package var record: SessionRecord
    package var cause: DiscardCause
    /// Milliseconds since 1970.
    package var closedAt: Int64
    /// What it was closed with, and its place in the stack of these windows, 0 in front.
    package var closing: Closing

    /// One action that closed windows (L-48).
    package struct Closing: Sendable, Hashable {
        /// Tells the group from all others.
        package var group: Int64
        package var place: Int

        package init(group: Int64, place: Int) {
            self.group = group
            self.place = place
        }
    }

    package init(
        record: SessionRecord, cause: DiscardCause, closedAt: Int64, closing: Closing
    ) {
        self.record = record
        self.cause = cause
        self.closedAt = closedAt
        self.closing = closing
    }
}

/// A configuration that open sessions remember.
package struct ConfigurationUse: Sendable, Hashable {
    package var key: Int64
    package var configuration: SceneConfiguration
    package var openSessions: Int

    package init(
        key: Int64, configuration: SceneConfiguration, openSessions: Int
    ) {
        self.key = key
        self.configuration = configuration
        self.openSessions = openSessions
    }
}

/// The versions and the time that a state was saved under (L-51).
///
/// ```swift
/// func application(
///     _ application: SceneApplication, shouldRestore session: SceneSession,
///     savedUnder context: SaveContext
/// ) -> Bool {
///     context.appVersion == application.options.appVersion
/// }
/// ```
public struct SaveContext: Sendable, Hashable {
    /// The app's version.
    public var appVersion: String?
    /// The system's version.
    public var systemVersion: String?
    /// The kind of device.
    public var idiom: String?
    /// The time of the save, in milliseconds since 1970, UTC.
    public var savedAt: Int64
    /// The time when these versions confirmed a state that earlier versions had saved.
    ///
    /// In milliseconds since 1970; nil if these versions saved the state.
    public var confirmedAt: Int64?

    /// Makes a context.
    public init(
        appVersion: String? = nil, systemVersion: String? = nil, idiom: String? = nil,
        savedAt: Int64, confirmedAt: Int64? = nil
    ) {
        self.appVersion = appVersion
        self.systemVersion = systemVersion
        self.idiom = idiom
        self.savedAt = savedAt
        self.confirmedAt = confirmedAt
    }
}

/// A state as it is stored.
package struct EncodedState: Sendable, Hashable {
    package var activityType: String
    package var bytes: [UInt8]

    package init(
        activityType: String, bytes: [UInt8]
    ) {
        self.activityType = activityType
        self.bytes = bytes
    }
}

/// One state to be saved: nil forgets the earlier one.
package struct StateToSave: Sendable {
    package var key: Int64
    package var content: Content

    /// What is to be saved.
    package enum Content: Sendable {
        case nothing
        case activity(UserActivity)
        case encoded(EncodedState)
    }

    package init(key: Int64, activity: UserActivity?) {
        self.key = key
        content = activity.map { .activity($0) } ?? .nothing
    }

    package init(key: Int64, encoded: EncodedState?) {
        self.key = key
        content = encoded.map { .encoded($0) } ?? .nothing
    }

    package var forgets: Bool { if case .nothing = content { true } else { false } }
}

/// What of a session is to be stored beside its state; nil leaves what is there.
package struct ValuesToSave: Sendable {
    package var key: Int64
    /// Property-list values; an empty dictionary is the same as none.
    package var userInfo: ValueDictionary?
    package var title: String??
    package var placement: PlacementMemory??
    package var platformToken: [UInt8]??

    package init(
        key: Int64, userInfo: ValueDictionary? = nil, title: String?? = nil,
        placement: PlacementMemory?? = nil, platformToken: [UInt8]?? = nil
    ) {
        self.key = key
        self.userInfo = userInfo
        self.title = title
        self.placement = placement
        self.platformToken = platformToken
    }
}

/// A change of the marks by which the next launch chooses (L-11).
package struct MarkChange: Sendable, Hashable {
    package var key: Int64
    /// In the foreground or not; nil leaves it.
    package var isFront: Bool?
    /// It became active now.
    package var becameActive: Bool

    package init(key: Int64, isFront: Bool? = nil, becameActive: Bool = false) {
        self.key = key
        self.isFront = isFront
        self.becameActive = becameActive
    }
}

/// A payload that waits in the inbox.
package struct InboxItem: Sendable, Hashable {
    package var id: Int64
    package var payload: Payload
    /// The session that it was handed to.
    package var sessionIdentifier: String?
    /// Whether an earlier process was offered it.
    package var wasOffered: Bool
    /// How many processes died while they were handing it over.
    package var deaths = 0
    /// Whether it is an activity from another device, which is announced first (L-60).
    package var isHandoff = false
    /// Where it stands among those whose delivery began and has not ended; 0 is nowhere.
    package var order: Int64 = 0
    /// Whether it is not offered any more by itself (L-65).
    package var isSetAside: Bool { deaths >= 2 }

    package init(
        id: Int64, payload: Payload, sessionIdentifier: String? = nil, wasOffered: Bool = false
    ) {
        self.id = id
        self.payload = payload
        self.sessionIdentifier = sessionIdentifier
        self.wasOffered = wasOffered
    }
}
