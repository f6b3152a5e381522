import SceneStoreValues

/// Which session takes an event (L-70), decided on stored data alone.
package enum SessionChooser {
    /// Why a session was chosen.
    package enum Reason: String, Sendable {
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
    package static func choose(
        identifier: String?, among candidates: [ConditionedRecord]
    ) -> (record: SessionRecord?, reason: Reason) {
        let preferring = candidates.filter {
            $0.conditions.prefersToActivate.allows(identifier)
        }
        if let best = best(of: preferring) {
            return (best, .prefers)
        }
        let able = candidates.filter { $0.conditions.canActivate.allows(identifier) }
        if let best = best(of: able) {
            return (best, .can)
        }
        return (nil, .none)
    }

    /// The most recently active, then the first by identifier.
    private static func best(of candidates: [ConditionedRecord]) -> SessionRecord? {
        candidates.map(\.record).min(by: SessionRecord.comesBefore)
    }
}
