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

    /// What a launch does with a session that does not just stay as it is.
    package enum Place: Sendable, Equatable {
        /// It connects, in this place of the order, from 1.
        case connects(order: Int, arrival: Arrival)
        /// It is kept with its state, until the app can show it (L-18).
        case parked(ParkedCause)
        case discarded
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
        package var reason: String
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
