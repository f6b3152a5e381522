import SceneStoreEngine
import SceneStoreValues

/// What keeps a window or its state from coming back (S-44).
extension LaunchPlan {
    /// The verdict on a session, with what earlier launches found out: the app's guard, or its
    /// decoder, refused the state, and is asked again.
    package func outlook(for record: SessionRecord) -> Verdict {
        var verdict = verdict(for: record)
        if verdict.restoration == .available, !record.hasState {
            // The history may have earlier ones.
            verdict.restorationReason = "it has no current state"
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
