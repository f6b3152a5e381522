import SceneStoreValues

/// What a plan answers.
extension LaunchPlan {
    /// The decisions of the plan, in the order in which it is performed (L-76), and the sessions that
    /// get the state that was saved last: theirs are alike.
    package var decisions: (records: [DecisionRecord], restored: [Int64]) {
        var (records, restored): ([DecisionRecord], [Int64]) = ([], [])
        for step in steps {
            switch step {
            case .decide(let decision): records.append(decision)
            case .connect(let connection):
                guard let status = connection.planned, let record = connection.record else {
                    continue
                }
                if status == .available, record.hasState {
                    restored.append(record.key)
                } else {
                    records.append(rules.decision(status, of: record, hasState: record.hasState))
                }
            default: break
            }
        }
        return (records, restored)
    }

    /// Whether new sessions are all that there will be: nothing connects, nothing is held or parked.
    package var isBare: Bool {
        !newSessions.isEmpty && connecting.isEmpty && noted.isEmpty
    }

    /// What becomes of one of the store's sessions. A discarded one stays what it is.
    package func verdict(for record: SessionRecord) -> Verdict {
        let update = rules.update(of: record)
        let restoration = rules.restoration(of: record, update)
        var verdict = Verdict(
            fate: places[record.key] ?? .stays, reason: reasons[record.key] ?? "",
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
}

extension ParkedCause {
    /// Why a session stays parked that an earlier launch or a quit has parked.
    package var reason: String {
        switch self {
        case .oneWindow: "the app supports one scene, and another session was used last"
        case .noEntry: "the manifest has no configuration for its role"
        case .displaced: "the app supports one scene, and another session has its place"
        case .notKept: "the app quit without keeping its windows"
        case .leftBehind: "a process that began with a window of its own left it behind"
        }
    }
}

extension LaunchRules {
    /// Why a session that nothing keeps back does not connect by itself.
    package var waitingReason: String {
        guard behavior == .restore else {
            return "the launch brings no window back"
        }
        switch reconnection {
        case .first(let count): return "it is not among the \(count) that were active last"
        case .foreground, .all: return "it was not in front"
        }
    }
}

extension LaunchPlan {
    /// How far a scene comes forward.
    package typealias Arrival = LifecycleMachine.Arrival

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

    /// A discard that the launch tells the app of.
    package struct Discard: Sendable, Hashable {
        package var identifier: SceneSession.ID
        package var configuration: SceneConfiguration
        package var cause: DiscardCause
        /// Whether a process died while it was being told.
        package var isRedelivered: Bool
        /// Why the session is gone.
        package var reason: String
    }

    /// A session that the launch makes.
    package struct NewSession: Sendable, Hashable {
        package var role: SceneSessionRole
        /// What the manifest has for it; the provider, if there is one, decides.
        package var configuration: SceneConfiguration?
        /// Its place in the order, from 1.
        package var order: Int
        /// How it ends.
        package var arrival = Arrival.active
        package var reason: String

        package init(
            role: SceneSessionRole, configuration: SceneConfiguration?, order: Int,
            arrival: Arrival = .active, reason: String
        ) {
            self.role = role
            self.configuration = configuration
            self.order = order
            self.arrival = arrival
            self.reason = reason
        }
    }

    /// A payload that a launch hands over.
    package struct PlannedPayload: Sendable {
        package var payload: Payload
        /// Its number in the inbox, once it has one.
        package var item: Int64?
        /// Whether an earlier process was offered it.
        package var wasOffered = false
        /// Whether it is an activity from another device, which is announced first (L-60).
        var isHandoff = false
        /// Whether it launched the process.
        package var isArriving = false
        /// Whether a private session takes it, or one of which that isn't known yet.
        var isPrivate = false
        /// Whether it is not handed over by itself any more.
        package var isSetAside = false

        /// How it reaches a scene when the launch is over.
        package var call: LifecycleMachine.PayloadCall {
            if isHandoff, case .activity(let activity, _) = payload {
                .arrived(activity)
            } else {
                .incoming(payload, isRedelivered: wasOffered)
            }
        }
    }
}
