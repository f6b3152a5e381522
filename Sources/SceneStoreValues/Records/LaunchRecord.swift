/// What a launch is told about the process and the machine.
package struct LaunchContext: Sendable, Hashable {
    package var appVersion: String?
    package var systemVersion: String?
    package var idiom: String?
    /// What the app declares about its windows, as text; nil when that is not known (S-43).
    package var declared: String?
    /// Another value after each restart of the system.
    package var bootIdentifier: String
    package var processIdentifier: Int32

    package init(
        appVersion: String? = nil, systemVersion: String? = nil, idiom: String? = nil,
        declared: String? = nil, bootIdentifier: String, processIdentifier: Int32
    ) {
        self.appVersion = appVersion
        self.systemVersion = systemVersion
        self.idiom = idiom
        self.declared = declared
        self.bootIdentifier = bootIdentifier
        self.processIdentifier = processIdentifier
    }
}

/// The outcomes of a session that a launch expected (S-40).
///
/// A session has one: the first that applies of lost, discarded, held, parked, evicted, declined,
/// stale, withheld and restored.
///
/// ```swift
/// let counts = application.launchLedger.counts
/// let missing = counts[.lost, default: 0] + counts[.withheld, default: 0]
/// ```
public enum LaunchOutcome: String, Sendable, Hashable, CaseIterable {
    /// The session has a window again, with its state if it had one.
    case restored
    /// The session is open and doesn't connect, because it died too often or is held by hand.
    case held
    /// The session has a window, without its state, which is kept.
    case withheld
    /// The session was recorded, and is not found.
    case lost
    /// The session is removed for good.
    case discarded
    /// The session is open without a scene.
    case evicted
    /// The session has a window, and the app's guard refused its state.
    case declined
    /// The session is open and doesn't connect: the app can't show it, or quit without keeping it.
    case parked
    /// The session has a window of another configuration, because its own is gone. The state is kept.
    case stale
}

/// The ledger of a launch: what became of the sessions that it expected.
///
/// ```swift
/// let ledger = application.launchLedger
/// for entry in ledger.exceptions {
///     report.append("\(entry.sessionIdentifier) is \(entry.outcome): \(entry.reason)")
/// }
/// ```
public struct LaunchLedger: Sendable, Hashable {
    /// A session that was not simply restored.
    public struct Entry: Sendable, Hashable {
        /// The session's identifier.
        public var sessionIdentifier: SceneSession.ID
        /// The outcome of the session.
        public var outcome: LaunchOutcome
        /// The reason.
        public var reason: String

        /// Makes an entry.
        package init(sessionIdentifier: SceneSession.ID, outcome: LaunchOutcome, reason: String) {
            self.sessionIdentifier = sessionIdentifier
            self.outcome = outcome
            self.reason = reason
        }
    }

    /// The number of sessions with each outcome.
    public var counts: [LaunchOutcome: Int]
    /// The sessions that were not restored; the list may have fewer than the counts.
    public var exceptions: [Entry]

    /// Makes a ledger.
    package init(counts: [LaunchOutcome: Int] = [:], exceptions: [Entry] = []) {
        self.counts = counts
        self.exceptions = exceptions
    }

    /// The number of sessions that the launch expected: the sum of all outcomes.
    public var expected: Int {
        counts.values.reduce(0) { $0 &+ max($1, 0) }
    }
}

extension LaunchLedger {
    /// Notes what became of a session that the launch expected.
    package mutating func note(
        _ outcome: LaunchOutcome, _ session: SceneSession.ID,
        _ reason: @autoclosure () -> String
    ) {
        counts[outcome, default: 0] += 1
        if outcome != .restored {
            exceptions.append(Entry(sessionIdentifier: session, outcome: outcome, reason: reason()))
        }
    }

    /// The app could not restore a session that was noted as restored.
    package mutating func noteFailure(_ session: SceneSession.ID, _ reason: String) {
        counts[.restored, default: 1] -= 1
        note(.withheld, session, reason)
    }

    /// Notes sessions of which the store no longer knows the names.
    package mutating func noteLost(unnamed count: Int) {
        if count > 0 {
            counts[.lost, default: 0] += count
        }
    }

    /// What was neither connected nor held, discarded or withheld stays open without a scene.
    package mutating func close(expected: Int) {
        let waiting = expected - self.expected
        if waiting > 0 {
            counts[.evicted, default: 0] += waiting
        }
    }
}

/// What a launch writes before its first callback, in one transaction with its beginning.
package struct LaunchJudgement: Sendable {
    /// Sessions that are parked from now on, with the cause; nil for those that no longer are.
    package var parked: [(key: Int64, cause: ParkedCause?)] = []
    /// Sessions that were reopened and don't connect: they displace none that is used from now on
    /// (L-12).
    package var overtaken: [Int64] = []
    /// Sessions that the next launch brings back instead of the window that this one makes (L-16).
    package var returning: [Int64] = []
    /// Sessions that were parked or left behind too long, and are discarded.
    package var expired: [(key: Int64, cause: DiscardCause)] = []
    /// What sessions saved under in the launch before: it is their own from now on (L-50).
    package var adopted: [Int64: SceneConfiguration] = [:]
    /// The earlier discards that the app is about to be told of.
    package var told: [Int64] = []
    /// What launched the process, for the inbox.
    package var payloads: [Payload] = []
    /// Payloads of the inbox that the app has dealt with: they are acknowledged.
    package var handled: [Int64] = []
    /// The payload that the process before died handing over.
    package var blamedPayload: Int64?
    /// The payloads whose delivery has ended, for the process that began it has.
    package var endedDeliveries: [Int64] = []
    /// Whether the launch before was stable: who died in it is offered again.
    package var previousWasStable = false
    /// Whether the windows of the process before stay what `reopenLastSession` gives back (L-48).
    package var keepsLastSession = false
    /// What the launch has decided, for the journal (L-76).
    package var decisions: [DecisionRecord] = []
    /// The sessions that get the state that was saved last: their decisions, which are all alike.
    package var restored: [Int64] = []
    /// The sessions that connect behind those in front (L-48).
    package var behind: [Int64] = []

    package init() {}
}
