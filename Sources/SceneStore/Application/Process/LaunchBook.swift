import SceneStoreEngine

/// The ledger of a launch: what became of the sessions that it should have had (S-40).
final class LaunchBook {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    private(set) var ledger = LaunchLedger()

    init(_ application: SceneApplication) {
        self.application = application
    }

    /// The launch is done: stores what became of its sessions.
    func close(_ plan: LaunchPlan) {
        var expected = plan.expected
        application.tolerating { () throws(SceneStoreError) in
            expected += try noteLosses(beforeLaunch: plan.number)
        }
        close(expected: expected)
    }

    /// Sessions that were lost since the launch before are of those that this one should have had
    /// (S-40, S-41); answers how many they are.
    private func noteLosses(beforeLaunch number: Int64) throws(SceneStoreError) -> Int {
        let losses = try application.store.journal.losses(beforeLaunch: number)
        for entry in losses.entries {
            note(.lost, entry.sessionIdentifier, entry.reason)
        }
        if losses.unnamed > 0 {
            ledger.counts[.lost, default: 0] += losses.unnamed
        }
        return losses.entries.count + losses.unnamed
    }

    /// Notes what became of a session that the launch expected.
    func note(_ outcome: LaunchOutcome, _ session: SceneSession.ID, _ reason: String) {
        ledger.counts[outcome, default: 0] += 1
        if outcome != .restored {
            ledger.exceptions.append(
                .init(sessionIdentifier: session, outcome: outcome, reason: reason))
        }
    }

    /// The app could not restore a session that was noted as restored.
    func noteFailure(_ session: SceneSession.ID, _ reason: String) {
        ledger.counts[.restored, default: 1] -= 1
        note(.withheld, session, reason)
    }

    /// What was neither connected nor held, discarded or withheld stays open without a scene.
    private func close(expected: Int) {
        let waiting = expected - ledger.expected
        if waiting > 0 {
            ledger.counts[.evicted, default: 0] += waiting
        }
        guard expected > 0 else {
            return
        }
        application.tolerating { () throws(SceneStoreError) in
            try application.store.launches.record(ledger)
        }
    }
}
