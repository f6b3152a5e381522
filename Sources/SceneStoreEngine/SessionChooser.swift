import SceneStoreValues

/// Which session takes an event (L-70), decided on stored data alone.
package enum SessionChooser {
    /// A session that might take it.
    package struct Candidate: Sendable {
        package var record: SessionRecord
        package var conditions: ActivationConditions

        package init(
            record: SessionRecord, conditions: ActivationConditions
        ) {
            self.record = record
            self.conditions = conditions
        }
    }

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
    package static func best(of candidates: [Candidate]) -> Candidate? {
        candidates.min { left, right in
            SessionRecord.comesBefore(left.record, right.record)
        }
    }
}

extension SessionRecord {
    /// The order in which sessions come back: most recently active first, then by identifier.
    package static func comesBefore(_ left: SessionRecord, _ right: SessionRecord) -> Bool {
        left.recency == right.recency
            ? left.identifier < right.identifier : left.recency > right.recency
    }
}
