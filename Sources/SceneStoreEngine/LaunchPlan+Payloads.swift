import SceneStoreValues

/// What a launch hands over, and to whom.
extension LaunchPlan {
    /// What waits in the inbox, and what of it the death of a process counts against.
    package typealias Waiting = (items: [InboxItem], blamed: InboxItem?)

    /// The payloads of the inbox as a launch finds them.
    ///
    /// A process that died while it handed payloads over, or while the app was asked where they go,
    /// counts against the one whose delivery began last and has not ended (L-65); twice, and it is set
    /// aside. How long ago the process began does not count: a user who waits before the next try
    /// meets the same payload again.
    package static func waiting(_ skeleton: some Skeleton) throws(SceneStoreError) -> Waiting {
        var items = try skeleton.pendingInbox()
        // Of those that were handed over together the newest one.
        let last = items.indices.filter { items[$0].order > 0 }.max {
            (items[$0].order, items[$0].id) < (items[$1].order, items[$1].id)
        }
        if let last {
            items[last].deaths += 1
        }
        return (items, last.map { items[$0] })
    }

    /// What an earlier process was offered and did not acknowledge, and what arrived now.
    mutating func take(_ arrived: [Payload], _ skeleton: some Skeleton) throws(SceneStoreError) {
        let found: Waiting =
            try start.isForecast ? (skeleton.pendingInbox(), nil) : Self.waiting(skeleton)
        var waiting = found.items
        judgement.endedDeliveries = waiting.filter { $0.order > 0 }.map(\.id)
        judgement.blamedPayload = found.blamed?.id
        if found.blamed?.deaths == 2 {
            steps.append(
                .report(
                    Diagnostic(
                        .payloadSetAside, .warning,
                        "a payload is set aside: two processes died while they handed it over",
                        fix: "releasePayload offers it again, discardPayload removes it")))
        }
        let handled = waiting.filter { rules.handledItems.contains($0.id) }
        judgement.handled = handled.map(\.id)
        steps += handled.map { _ in .decide(.handledPayload) }
        waiting.removeAll { rules.handledItems.contains($0.id) }
        waitingPayloads = waiting.count { !$0.isSetAside }
        if !rules.persistsInbox {
            // An update turned the inbox off: what waits is handed over as any payload is.
            judgement.handled += waiting.filter { !$0.isSetAside }.map(\.id)
        }
        payloads = waiting.map {
            PlannedPayload(
                payload: $0.payload, item: rules.persistsInbox ? $0.id : nil,
                wasOffered: $0.wasOffered, isHandoff: $0.isHandoff, isSetAside: $0.isSetAside)
        }
        for payload in arrived {
            // A payload that waits already is the same one, as it arrived.
            if let key = payload.deduplicationKey,
                let place = payloads.firstIndex(where: {
                    $0.payload.deduplicationKey == key && !$0.isArriving
                })
            {
                payloads[place].payload = payload
                continue
            }
            payloads.append(
                PlannedPayload(
                    payload: payload, wasOffered: rules.redelivered.contains(payload),
                    isArriving: true))
        }
    }

    /// The places of what launched the process and is kept until the app acknowledges it: nothing of
    /// what a private session takes reaches the disk (S-70).
    private var kept: [Int] {
        rules.persistsInbox
            ? payloads.indices.filter { payloads[$0].isArriving && !payloads[$0].isPrivate } : []
    }

    mutating func keepPayloads() {
        judgement.payloads = kept.map { payloads[$0].payload }
    }

    /// Whether anything is handed over: what is set aside is not.
    var handsOver: Bool { payloads.contains { !$0.isSetAside } }

    /// The inbox took what launched the process, under these numbers.
    package mutating func number(arrived items: [Int64?]) {
        for (place, item) in zip(kept, items) {
            payloads[place].item = item
        }
    }

    /// The number in the inbox of the payload of a place. `keep` numbers what could not be kept before
    /// the session was known.
    package func items(at place: Int, keeping keep: (PlannedPayload) -> [Int64]) -> [Int64] {
        let planned = payloads[place]
        return planned.item.map { [$0] }
            ?? (planned.isArriving && planned.isPrivate ? keep(planned) : [])
    }

    /// A connection that hands over payloads, which are named by their places.
    func connection(
        _ subject: SceneConnection.Subject, _ arrival: Arrival, handing places: [Int]
    ) -> SceneConnection {
        guard !places.isEmpty else {
            return SceneConnection(subject: subject, arrival: arrival)
        }
        let plain = places.filter { !payloads[$0].isHandoff }
        var connection = engine.connection(
            subject, arrival, plain.map { payloads[$0].payload },
            redelivered: Set(plain.indices.filter { payloads[plain[$0]].wasOffered }))
        connection.payloads = places
        connection.later = connection.later.map { plain[$0] }
        for planned in places.map({ payloads[$0] }) where planned.isHandoff {
            if case .activity(let activity, _) = planned.payload {
                connection.announce(
                    activity.activityType,
                    .incoming(planned.payload, isRedelivered: planned.wasOffered))
            }
        }
        return connection
    }

    /// Payloads that are handed over together, and who takes them.
    typealias Delivery = (target: EventTarget, places: [Int])

    /// Who takes a payload: a launch that begins anew hands it to the new window (L-16).
    private func target(
        of payload: Payload, _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> (EventTarget, Diagnostic?) {
        guard rules.behavior == .fresh else {
            return try engine.target(of: payload, in: skeleton, isThere: isThere)
        }
        return try engine.newTarget(of: payload, in: skeleton)
    }

    /// Whether a payload makes a window of the default role, whatever is remembered (L-16).
    func makesWindowForPayload(_ skeleton: some Skeleton) throws(SceneStoreError) -> Bool {
        for planned in payloads where !planned.isSetAside {
            if try newRole(of: target(of: planned.payload, skeleton).0) == rules.defaultRole {
                return true
            }
        }
        return false
    }

    /// The role of the session that is made for a target; nil for one that is remembered.
    func newRole(of target: EventTarget) -> SceneSessionRole? {
        target.record == nil ? target.role ?? rules.defaultRole : nil
    }

    /// Each payload chooses its own session (L-65); those of one session are one delivery, and so are
    /// those of one role and value whose session is made (L-79), or of one role that has one scene (L-12).
    /// The newest one's session comes last, and ends in front.
    mutating func deliveries(_ skeleton: some Skeleton) throws(SceneStoreError) -> [Delivery] {
        var result: [Delivery] = []
        for (place, planned) in payloads.enumerated() where !planned.isSetAside {
            let (target, finding) = try target(of: planned.payload, skeleton)
            if let finding {
                steps.append(.report(finding))
            }
            payloads[place].isPrivate = rules.isPrivate(target.record)
            var delivery: Delivery = (target, [])
            if let known = result.firstIndex(where: {
                $0.target.record?.key == target.record?.key
                    && newRole(of: $0.target) == newRole(of: target)
                    && ($0.target.value == target.value || !rules.supportsMultipleScenes)
            }) {
                delivery.places = result.remove(at: known).places
            }
            delivery.places.append(place)
            result.append(delivery)
        }
        for delivery in result {
            steps.append(.decide(delivery.target.decision))
        }
        target = result.last?.target
        return result
    }
}
