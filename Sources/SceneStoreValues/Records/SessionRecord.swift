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
    package init(
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

/// Records in the order in which sessions come back.
///
/// They lie in the order of the rows; the order is a list of places beside them. Sorting the
/// records themselves would move each of them through memory once more, which costs a launch with
/// many sessions as much as reading them.
package struct SessionRecords: RandomAccessCollection, Sendable {
    private var rows: [SessionRecord] = []
    private var order: [Key] = []

    private struct Key: Sendable {
        var recency: Int64
        var place: Int
    }

    package init(capacity: Int) {
        rows.reserveCapacity(capacity)
        order.reserveCapacity(capacity)
    }

    /// Takes one more record, in any order.
    package mutating func append(_ record: consuming SessionRecord) {
        order.append(Key(recency: record.recency, place: rows.count))
        rows.append(record)
    }

    /// Most recently active first, then by identifier.
    package mutating func sort() {
        let rows = rows
        order.sort { left, right in
            left.recency == right.recency
                ? rows[left.place].identifierText.precedes(rows[right.place].identifierText)
                : left.recency > right.recency
        }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { rows.count }

    package subscript(place: Int) -> SessionRecord {
        rows[order[place].place]
    }
}

extension SessionRecord {
    /// The order in which sessions come back: most recently active first, then by identifier.
    package static func comesBefore(_ left: SessionRecord, _ right: SessionRecord) -> Bool {
        left.recency == right.recency
            ? left.identifierText.precedes(right.identifierText) : left.recency > right.recency
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
    /// Whether a session that is parked for it is given up after a time: nothing the user does can
    /// bring it back.
    package var expires: Bool { self == .oneWindow || self == .noEntry }
}

/// What was judged of a session. Each has a column of its own in the table of sessions; here they
/// are bits of one number, because a launch asks all sessions for several of them at once.
///
/// A judgement never overwrites what it judged.
package struct SessionFlags: OptionSet, Sendable, Hashable {
    package var rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// Its configuration is gone.
    package static let stale = SessionFlags(rawValue: 1)
    /// Held by hand.
    package static let held = SessionFlags(rawValue: 1 << 1)
    package static let notRemembered = SessionFlags(rawValue: 1 << 2)
    package static let pinned = SessionFlags(rawValue: 1 << 3)
    package static let redacted = SessionFlags(rawValue: 1 << 4)
    package static let ephemeral = SessionFlags(rawValue: 1 << 5)
    /// The current state is kept from the app.
    package static let withheld = SessionFlags(rawValue: 1 << 6)
    /// After deaths it is given to the app once more, by the next launch.
    package static let offering = SessionFlags(rawValue: 1 << 7)
    /// That was done already, under the version that a value of the session names.
    package static let offeredAgain = SessionFlags(rawValue: 1 << 8)
    /// The launch that runs has restored it, after deaths.
    package static let suspect = SessionFlags(rawValue: 1 << 9)
    // Bits 10 to 13 are the reason of a withheld state, 14 to 16 the cause of a parking.
    /// The closing of its window was undone: in an app of one scene it is the one that returns.
    package static let reopened = SessionFlags(rawValue: 1 << 17)
    /// Another window belongs to it (L-49).
    package static let hasChildren = SessionFlags(rawValue: 1 << 18)
    /// It belongs to another window.
    package static let isChild = SessionFlags(rawValue: 1 << 19)

    /// What keeps the current state from the app, or is about to give it back. A constant, for a
    /// set that is made of a list costs a twentieth of a save.
    package static let withholding = SessionFlags(rawValue: 0b0_1100_0000)
    /// The same, that it was given back once, and what was written under another configuration: a
    /// new state ends all of it.
    package static let ofOldState = SessionFlags(rawValue: 0b1_1100_0001)
    /// What a release of the state ends.
    private static let withheldOnce = SessionFlags(rawValue: 0b1_1100_0000)
    /// Held by hand, parked, or not to be remembered: with a crash count what keeps a session back.
    package static let exceptional = SessionFlags(rawValue: 0b111 << 14 | 0b110)

    /// Whether a judgement holds.
    package subscript(_ flag: SessionFlags) -> Bool {
        get { contains(flag) }
        set { rawValue = newValue ? rawValue | flag.rawValue : rawValue & ~flag.rawValue }
    }

    private subscript(_ bits: Range<Int64>) -> Int64 {
        get { rawValue >> bits.lowerBound & (1 << (bits.upperBound - bits.lowerBound) - 1) }
        set {
            let mask: Int64 = (1 << (bits.upperBound - bits.lowerBound) - 1) << bits.lowerBound
            rawValue = rawValue & ~mask | newValue << bits.lowerBound & mask
        }
    }

    /// The column `privacy`.
    package var privacyCode: Int64 {
        get { self[4..<6] }
        set { self[4..<6] = newValue }
    }

    /// The column `withheld_reason`.
    package var withheldCode: Int64 {
        get { self[10..<14] }
        set { self[10..<14] = newValue }
    }

    /// The column `parked`.
    package var parkedCode: Int64 {
        get { self[14..<17] }
        set { self[14..<17] = newValue }
    }

    package var privacy: PrivacyClass {
        get {
            contains(.ephemeral) ? .ephemeral : contains(.redacted) ? .redacted : .standard
        }
        set {
            self[.redacted] = newValue == .redacted
            self[.ephemeral] = newValue == .ephemeral
        }
    }

    /// Why a state of the session is withheld: that of the state that was withheld last; nil when
    /// none is.
    package var withheldReason: WithheldReason? {
        get { Self.value(withheldCode) }
        set { withheldCode = Self.code(newValue) }
    }

    /// Why the session is parked; nil when it is not.
    package var parkedCause: ParkedCause? {
        get { Self.value(parkedCode) }
        set { parkedCode = Self.code(newValue) }
    }

    private static func value<Value: CaseIterable>(_ code: Int64) -> Value?
    where Value.AllCases == [Value] {
        let index = Int(code) - 1
        return Value.allCases.indices.contains(index) ? Value.allCases[index] : nil
    }

    private static func code<Value: CaseIterable & Equatable>(_ value: Value?) -> Int64
    where Value.AllCases == [Value] {
        Int64((value.flatMap { Value.allCases.firstIndex(of: $0) } ?? -1) + 1)
    }

    /// Whether the state was offered again under a version of the app. `offered` is the version that
    /// the session's value names.
    package func wasOffered(under version: String?, _ offered: String?) -> Bool {
        contains(.offeredAgain) && offered == version ?? ""
    }

    // MARK: Judging

    /// The current state, in a place of the history, is kept from the app.
    package mutating func withhold(
        _ reason: WithheldReason, slot: Int?, _ pins: inout SessionPins
    ) {
        guard let slot else {
            return
        }
        insert(.withheld)
        // A state that the app could not restore was not restored.
        remove(.suspect)
        withheldReason = reason
        pins.withhold(slot)
    }

    /// A state in a place of the history was shown and may not be the last one: it stays, and it can
    /// be had again.
    package mutating func keep(slot: Int?, _ pins: inout SessionPins) {
        guard let slot else {
            return
        }
        pins.withhold(slot)
        withheldReason = .lost
    }

    /// Whether a save of the same state stands by it (L-52): it is withheld, or it waits to be given to
    /// the app again. One that this launch was given proves nothing by saving it.
    package var awaitsConfirmation: Bool {
        contains(.withheld) || contains(.offering) && !contains(.suspect)
    }

    /// The current state is the app's again.
    package mutating func release(slot: Int?, _ pins: inout SessionPins) {
        remove(.withheldOnce)
        if let slot {
            pins.release(slot)
        }
        if pins.withheld.isEmpty {
            withheldReason = nil
        }
    }

    /// A process died while it restored the session. A state that was not given to the app in it is
    /// withheld for the reason that it was.
    package mutating func blame(slot: Int?, _ pins: inout SessionPins) {
        remove([.offering, .suspect])
        guard !contains(.withheld) || withheldReason?.isOfGivenState != false else {
            return
        }
        withhold(.crash, slot: slot, &pins)
    }

    /// The current state is given to the app, though an earlier launch kept it from it: if that goes
    /// wrong, the state is to blame. It stays pinned.
    package mutating func give() {
        if contains(.withheld), withheldReason?.isOfGivenState == false {
            remove(.withheld)
        }
    }

    /// A launch was stable (L-52): answers whether the count of deaths is cleared, which is when
    /// the session was restored in it; else its state is offered again, once for each app version.
    /// A state that was saved since is not withheld, and keeps its offer. `offered` is the version that
    /// it was offered under before.
    package mutating func settle(
        isRestored: Bool, slot: Int?, version: String?, offered: String?, _ pins: inout SessionPins
    ) -> Bool {
        if isRestored, contains(.withheld), withheldReason?.isOfGivenState == false {
            // It lived without its state, which stays withheld.
            return true
        }
        if isRestored || contains(.suspect) {
            remove(.suspect)
            release(slot: slot, &pins)
            return true
        }
        if contains(.withheld) || slot == nil, !wasOffered(under: version, offered) {
            remove(.withheld)
            insert([.offering, .offeredAgain])
        }
        return false
    }
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
