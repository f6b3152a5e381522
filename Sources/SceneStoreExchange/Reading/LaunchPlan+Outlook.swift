import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

/// What becomes of sessions at a launch, for people.
extension LaunchPlan {
    /// What becomes of one of the store's sessions. A discarded one stays what it is.
    package func verdict(for record: SessionRecord) -> Verdict {
        // Each look from here copies them.
        let rules = rules
        let update = rules.update(of: record)
        let restoration = rules.restoration(of: record, update)
        var verdict = Verdict(
            fate: fate(of: record), reason: reasons[record.key] ?? "",
            restoration: restoration,
            restorationReason: rules.decision(
                restoration, of: record, hasState: record.hasState
            ).reason,
            hasState: record.hasState,
            configuration: rules.configuration(of: record, .current), isReconfigured: false,
            isStale: record.isStale)
        switch update {
        case .replaced(let configuration):
            verdict.configuration = configuration
            verdict.isReconfigured = true
        case .stale(let configuration):
            verdict.configuration = configuration
            verdict.isReconfigured = true
            verdict.isStale = true
        case .current, .cannotDisplay: break
        }
        let isParked = if case .parked = verdict.fate { true } else { false }
        guard places[record.key] == nil || isParked && rules.isHeld(record) else {
            return verdict
        }
        if !record.isOpen {
            verdict.fate = .discarded
            verdict.reason = "it was discarded"
        } else if !record.isRestorationEnabled {
            verdict.fate = .forgotten
            verdict.reason = "restoration is switched off for it, and the next launch forgets it"
        } else if rules.isHeld(record) {
            verdict.fate = .held
            verdict.reason = rules.heldReason(of: record)
        } else if let cause = rules.parked(record) {
            verdict.fate = .parked(cause)
            verdict.reason = cause.reason
        } else {
            let left = record.parkedCause == .leftBehind ? ParkedCause.leftBehind.reason : nil
            verdict.reason = "\(left ?? rules.waitingReason); it connects when it is activated"
        }
        return verdict
    }

    private func fate(of record: SessionRecord) -> Fate {
        switch places[record.key] {
        case .connects(let order, let arrival):
            .connects(order: order, arrival: settled(arrival, record.key, record.role))
        case .parked(let cause): .parked(cause)
        case .discarded: .discarded
        case nil: .stays
        }
    }

    /// How a session that connects ends (L-02).
    private func settled(_ arrival: Arrival, _ key: Int64, _ role: SceneSessionRole) -> Arrival {
        arrival == .background ? .background : active[role] == key ? .active : .foreground
    }

    /// How a session that the launch makes ends.
    package func arrival(of session: NewSession) -> Arrival {
        settled(.active, Int64(-session.order), session.role)
    }
}

extension LaunchPlan {
    /// What becomes of a session.
    package enum Fate: Sendable, Hashable {
        /// It connects, in this place of the order, from 1.
        case connects(order: Int, arrival: Arrival)
        /// It stays open without a scene until it is activated.
        case stays
        /// It stays open, and takes no event either.
        case held
        /// It stays open, kept with its state, until the app can show it (L-18).
        case parked(ParkedCause)
        /// It was discarded.
        case discarded
        /// It was not to be remembered beyond the last process.
        case forgotten
    }

    /// What becomes of a session, and why.
    package struct Verdict: Sendable, Hashable {
        /// What becomes of it.
        package var fate: Fate
        /// Why.
        package var reason: String
        /// Whether its state is given to the app when it connects.
        package var restoration: RestorationStatus
        /// Why, or what is restored.
        package var restorationReason: String
        /// Whether a state was saved.
        package var hasState: Bool
        /// What it is shown with.
        package var configuration: SceneConfiguration
        /// Whether that is another configuration than the remembered one.
        package var isReconfigured: Bool
        /// Whether that configuration is not the one that the state was saved under.
        package var isStale: Bool

        /// Whether it connects at launch.
        package var connects: Bool {
            if case .connects = fate { true } else { false }
        }
    }
}

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
        obstacle == nil && record.hasWithheldState
            && record.flags.isDisjoint(with: .withholding)
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
