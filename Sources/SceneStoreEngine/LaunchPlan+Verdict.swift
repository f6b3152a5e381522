import SceneStoreValues

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
        /// Whether a private session takes it.
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
