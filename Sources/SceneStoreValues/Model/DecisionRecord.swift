/// Why something happened: one decision of the engine, to be asked for afterwards (L-76).
///
/// ```swift
/// application.decisionHandler = { decision in
///     if decision.kind == .target {
///         log.append("\(decision.outcome): \(decision.reason)")
///     }
/// }
/// ```
public struct DecisionRecord: Hashable, Sendable {
    /// What was decided.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Why the process counts as launched.
        case launchReason = "launch-reason"
        /// Why a session connects at launch.
        case reconnect
        /// Why a session stays disconnected, or is held back.
        case stay
        /// Why the provider was or was not asked.
        case provider
        /// Which configuration a session has, and why.
        case configuration
        /// Why state is or is not restored.
        case restoration
        /// Which session takes an event.
        case target
        /// When and how a payload is delivered.
        case delivery
        /// Why a session is gone.
        case discard
    }

    /// What was decided.
    public var kind: Kind
    /// The session it is about.
    public var sessionIdentifier: SceneSession.ID?
    /// A stable word for the outcome.
    public var outcome: String
    /// One line for people, free of private text.
    public var reason: String

    /// Makes a record.
    public init(
        _ kind: Kind, session: SceneSession.ID? = nil, outcome: String, reason: String
    ) {
        self.kind = kind
        sessionIdentifier = session
        self.outcome = outcome
        self.reason = reason
    }
}
