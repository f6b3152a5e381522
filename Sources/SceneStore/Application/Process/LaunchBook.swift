/// The ledger of a launch: what became of the sessions that it should have had (S-40).
struct LaunchBook {
    private(set) var ledger = LaunchLedger()

    /// Notes what became of a session that the launch expected.
    mutating func note(_ outcome: LaunchOutcome, _ session: SceneSession.ID, _ reason: String) {
        ledger.counts[outcome, default: 0] += 1
        if outcome != .restored {
            ledger.exceptions.append(
                .init(sessionIdentifier: session, outcome: outcome, reason: reason))
        }
    }

    /// The app could not restore a session that was noted as restored.
    mutating func noteFailure(_ session: SceneSession.ID, _ reason: String) {
        ledger.counts[.restored, default: 1] -= 1
        note(.withheld, session, reason)
    }

    /// Notes sessions of which the store no longer knows the names.
    mutating func noteLost(unnamed count: Int) {
        if count > 0 {
            ledger.counts[.lost, default: 0] += count
        }
    }

    /// What was neither connected nor held, discarded or withheld stays open without a scene.
    mutating func close(expected: Int) {
        let waiting = expected - ledger.expected
        if waiting > 0 {
            ledger.counts[.evicted, default: 0] += waiting
        }
    }
}
