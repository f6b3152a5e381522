import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// What keeps a window or its state from coming back (S-44).
extension LaunchPlan {
    /// The verdict on a session, with what earlier launches found out: the app's guard, or its
    /// decoder, refused the state, and is asked again. A window that was left behind takes events,
    /// and for people it is parked all the same: no launch brings it back by itself (L-48).
    package func outlook(for record: SessionRecord) -> Verdict {
        var verdict = verdict(for: record)
        if verdict.fate == .stays, record.parkedCause == .leftBehind {
            verdict.fate = .parked(.leftBehind)
        }
        if verdict.restoration == .available, !record.hasState {
            // The history may have earlier ones.
            verdict.restorationReason = Self.noCurrentState
        }
        guard verdict.restoration == .available, record.isStateWithheld,
            let reason = record.flags.withheldReason
        else {
            return verdict
        }
        switch reason {
        case .declined: verdict.restoration = .declined
        case .failed, .newer, .unreadable: verdict.restoration = .failed
        case .crash, .stale, .lost, .held: return verdict
        }
        verdict.restorationReason = "\(reason.text), and is asked again"
        return verdict
    }

    /// Why a session without a state restores nothing.
    package static let noCurrentState = "it has no current state"

    /// The windows that prefer the target of a payload, and aren't asked, because the launch holds or
    /// parks them.
    package func keptBack(
        preferring payload: Payload, in store: SceneSessionStore
    ) throws(SceneStoreError) -> [(known: ConditionedRecord, verdict: Verdict)] {
        let identifier = payload.activationIdentifier
        let records = try store.read { db throws(SceneStoreError) in
            try db.recordsWithConditions()
        }
        return records.compactMap { known in
            let verdict = outlook(for: known.record)
            guard known.conditions.prefersToActivate.allows(identifier),
                known.record.parkedCause != .leftBehind,
                verdict.obstacle == .held || verdict.obstacle == .parked
            else {
                return nil
            }
            return (known, verdict)
        }
    }
}

extension LaunchPlan.Verdict {
    /// What keeps the window or its state from coming back, the first that applies of held, parked,
    /// declined, stale and withheld; nil if nothing does.
    package var obstacle: LaunchOutcome? {
        switch fate {
        case .held: .held
        case .parked: .parked
        case .discarded, .forgotten: nil
        case .connects, .stays: restoration.outcome == .restored ? nil : restoration.outcome
        }
    }

    /// Whether nothing keeps the window's state from coming back, and an earlier one is withheld.
    package func hasWithheldEarlier(_ record: SessionRecord) -> Bool {
        obstacle == nil && record.hasWithheldState && !record.isStateWithheld
    }
}

extension LaunchOutcome {
    /// What can keep an open session or its state from coming back, in the order of a ledger.
    package static let obstacles: [LaunchOutcome] = [.held, .parked, .declined, .stale, .withheld]

    /// Whether the app gets the window, and not its state.
    package var isOfState: Bool { [.declined, .stale, .withheld].contains(self) }
}

extension WithheldReason {
    /// The reason for people.
    package var text: String {
        switch self {
        case .crash: "a process died while it restored it"
        case .stale: "its configuration was gone"
        case .declined: "the app's guard refused it"
        case .failed: "the app could not restore it"
        case .newer: "a newer version of the app wrote it"
        case .unreadable: "the app could not decode it"
        case .lost: "the state that was saved last is not in the file"
        case .held: "the session was held when its window was activated"
        }
    }
}
