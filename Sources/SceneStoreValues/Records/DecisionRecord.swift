/// The record of one decision of the engine, which you can read afterwards (L-76).
///
/// ```swift
/// application.decisionHandler = { decision in
///     if decision.kind == .target {
///         log.append("\(decision.outcome): \(decision.reason)")
///     }
/// }
/// ```
public struct DecisionRecord: Hashable, Sendable {
    /// The kinds of decisions.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The reason why the process counts as launched.
        case launchReason = "launch-reason"
        /// The reason why a session connects at launch.
        case reconnect
        /// The reason why a session stays disconnected, or is held.
        case stay
        /// The reason why the provider was or was not asked.
        case provider
        /// A session's configuration, and the reason for it.
        case configuration
        /// The reason why state is or is not restored.
        case restoration
        /// The session that takes an event.
        case target
        /// The time and the way of a payload's delivery.
        case delivery
        /// The reason why a session is gone.
        case discard
    }

    /// The kind of the decision.
    public var kind: Kind
    /// The session it is about.
    public var sessionIdentifier: SceneSession.ID?
    /// A stable word for the outcome.
    public var outcome: String
    /// One line for people, free of private text.
    public var reason: String

    /// Makes a record.
    package init(_ kind: Kind, session: SceneSession.ID? = nil, outcome: String, reason: String) {
        self.kind = kind
        sessionIdentifier = session
        self.outcome = outcome
        self.reason = reason
    }
}

extension DecisionRecord {
    /// The app dealt with a payload itself.
    package static let handledPayload =
        DecisionRecord(.target, outcome: "handled", reason: "the app handled it itself")

    /// A session gets the state that was saved last.
    package static let lastState = DecisionRecord(
        .restoration, outcome: RestorationStatus.available.rawValue,
        reason: "the state that was saved last")

    /// What the journal's entry says.
    package var detail: String { "\(outcome): \(reason)" }

    /// The provider is not asked for what is remembered: for a session, or for all of a launch (L-03).
    package static func notAsked(session: SceneSession.ID? = nil) -> DecisionRecord {
        DecisionRecord(
            .provider, session: session, outcome: "not-asked",
            reason: "what is remembered has its configuration")
    }
}
