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
    /// When it became active last, exact to an hour, milliseconds since 1970.
    package var lastActiveAt: Int64
    /// When its state was saved last, milliseconds since 1970, or nil.
    package var savedAt: Int64?

    /// The persistent identifier.
    package var identifier: String { identifierText.text }

    /// The same, as the public calls take it.
    package var id: SceneSession.ID { SceneSession.ID(identifier) }

    /// The remembered configuration.
    package var configuration: SceneConfiguration { sharedConfiguration.value }

    /// The role of that configuration, which is not copied for it.
    package var role: SceneSessionRole { sharedConfiguration.value.role }

    /// Held by hand (`scenestore hold`), whatever its count.
    package var isHeldByHand: Bool { flags.contains(.held) }

    /// Its configuration is gone (L-50): the state is kept and not given to `restore`.
    package var isStale: Bool { flags.contains(.stale) }

    /// Whether it is to be remembered after this launch (L-44).
    package var isRestorationEnabled: Bool { !flags.contains(.notRemembered) }

    /// Never pruned.
    package var isPinned: Bool { flags.contains(.pinned) }

    /// Who may see what it holds (S-70).
    package var privacy: PrivacyClass { flags.privacy }

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
/// It is redelivered when an earlier process was told and died before it returned.
package typealias PendingDiscard = (
    key: Int64, identifier: SceneSession.ID, configuration: SceneConfiguration, cause: DiscardCause,
    isRedelivered: Bool
)

/// A configuration that open sessions remember.
package typealias ConfigurationUse = (key: Int64, configuration: SceneConfiguration)

/// A payload that waits in the inbox.
package struct InboxItem: Sendable, Hashable {
    package var id: Int64
    package var payload: Payload
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

    package init(id: Int64, payload: Payload, wasOffered: Bool = false) {
        self.id = id
        self.payload = payload
        self.wasOffered = wasOffered
    }
}

/// The reasons why an open session is kept without a scene (L-18).
///
/// ```swift
/// let kept = try application.returnableWindows()
/// let others = kept.filter { $0.cause == .parked(.oneWindow) }.flatMap(\.sessions)
/// ```
public enum ParkedCause: String, Sendable, Hashable, CaseIterable {
    /// The app supports one scene of the role, and another session was used last.
    case oneWindow = "one-window"
    /// The manifest has no configuration for its role.
    case noEntry = "no-entry"
    /// Another session has taken its place in an app of one scene.
    case displaced
    /// The app did not want it back.
    case notKept = "not-kept"
    /// A process that began with a window of its own left it behind. It takes events as any open
    /// session does, and expires as closed sessions do.
    case leftBehind = "left-behind"

    /// Whether a launch judges it anew, by what the app can show.
    package var isJudged: Bool { self != .notKept && self != .leftBehind }
    /// Whether a session that is parked for it can come back as one of the last session (L-48).
    package var isGivenBack: Bool { self == .notKept || self == .displaced }
    /// Whether the app can't show a session that is parked for it, so that it may be given up at once.
    package var isHopeless: Bool { self == .oneWindow || self == .noEntry }
}

extension SessionRecord {
    /// Whether the current state is kept from the app.
    package var isStateWithheld: Bool { flags.contains(.withheld) }
    /// Whether the state is kept from the app because a process died of it, or because it may not be
    /// the last one; a session without a state is kept from restoring in its place.
    package var isStateBlamed: Bool {
        guard hasState else {
            return crashCount > 0 && !flags.contains(.offering)
        }
        return isStateWithheld && (flags.withheldReason == .crash || flags.withheldReason == .lost)
    }
    /// Whether the current state was kept from the app without being tried.
    package var isStateKeptBack: Bool {
        isStateWithheld && flags.withheldReason?.isOfGivenState == false
    }
    /// Why it is parked; nil when it is not.
    package var parkedCause: ParkedCause? { flags.parkedCause }
    /// Whether it is kept without a window: what was left behind is open as any other session.
    package var isParked: Bool { parkedCause != nil && parkedCause != .leftBehind }
    /// Whether any state of it is, the current one or an earlier one.
    package var hasWithheldState: Bool { flags.withheldReason != nil }
}
