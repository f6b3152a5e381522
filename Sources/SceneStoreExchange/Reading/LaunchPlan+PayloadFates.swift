import SceneStoreEngine
import SceneStoreValues

/// What becomes of what a launch hands over, for tools.
extension LaunchPlan {
    /// What becomes of a payload.
    package enum PayloadFate: Sendable, Hashable {
        /// A call hands it to the session that connects in this place of the order; nil for one that
        /// is made. The call is named by its short name in the lifecycle contract.
        case handed(to: SceneSession.ID?, order: Int?, call: String)
        /// Nobody connects for it.
        case waits
        /// Two processes died while they handed it over (L-65).
        case setAside
    }

    /// The payloads, those of the inbox first, and what becomes of each.
    package var payloadFates: [(payload: PlannedPayload, fate: PayloadFate)] {
        var fates: [Int: PayloadFate] = [:]
        var made = newSessions[...]
        for case .connect(let connection) in steps {
            var order: Int?
            if let record = connection.record {
                if case .connects(let place, _) = places[record.key] {
                    order = place
                }
            } else {
                order = made.popFirst()?.order
            }
            for place in connection.payloads {
                fates[place] = .handed(
                    to: connection.record?.id, order: order,
                    call: connection.callName(handing: payloads[place].payload))
            }
        }
        return payloads.enumerated().map { place, payload in
            (payload, payload.isSetAside ? .setAside : fates[place] ?? .waits)
        }
    }
}

extension SceneConnection {
    /// The call that hands over one of the connection's payloads.
    fileprivate func callName(handing payload: Payload) -> String {
        let call = (waiting + owed).first { $0.payload?.holds(payload) == true }
        return call.flatMap { LifecycleMachine.Step.deliver($0, 0).callbackNames.last } ?? "connect"
    }
}

extension InboxItem {
    /// Why no launch delivers a payload any more.
    package static let setAsideReason = "two processes died while they delivered it"
    /// What the journal notes of a payload whose delivery needs no watching any more.
    package static let deliveryEnded = "delivery ended"
}

extension Payload {
    /// What it is, for people.
    package var noun: String {
        switch self {
        case .urls: "a link"
        case .activity: "an activity"
        case .shortcut: "a quick action"
        case .notification: "a notification"
        }
    }

    /// Whether this is the other one, or links that it is among.
    fileprivate func holds(_ other: Payload) -> Bool {
        guard case .urls(let all) = self, case .urls(let some) = other else {
            return self == other
        }
        return some.allSatisfy(all.contains)
    }
}
