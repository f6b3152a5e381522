/// Which session takes an event (L-70), decided on stored data alone.
enum SessionChooser {
    /// A session that might take it.
    struct Candidate: Sendable {
        var record: SessionRecord
        var conditions: ActivationConditions
    }

    /// Why a session was chosen.
    enum Reason: String, Sendable {
        /// It prefers the target.
        case prefers
        /// It can show the target and is the most recently active that can.
        case can
        /// The app has one session and no more.
        case onlySession
        /// No session can show the target.
        case none
    }

    /// The best candidate and why, or none.
    static func choose(
        identifier: String?, among candidates: [Candidate]
    ) -> (record: SessionRecord?, reason: Reason) {
        let preferring = candidates.filter {
            $0.conditions.prefersToActivate.allows(identifier)
        }
        if let best = best(of: preferring) {
            return (best.record, .prefers)
        }
        let able = candidates.filter { $0.conditions.canActivate.allows(identifier) }
        if let best = best(of: able) {
            return (best.record, .can)
        }
        return (nil, .none)
    }

    /// The most recently active, then the first by identifier.
    static func best(of candidates: [Candidate]) -> Candidate? {
        candidates.min { left, right in
            SessionRecord.comesBefore(left.record, right.record)
        }
    }
}
