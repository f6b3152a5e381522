/// Links, activities, quick actions and notifications from outside (L-60 to L-66).
extension SceneApplication {
    /// The system opens links. See ``receive(_:)``.
    public func open(_ contexts: [OpenURLContext]) throws(SceneStoreError) {
        try receive(.urls(contexts))
    }

    /// Hands a payload to the session that takes it: a connected one by its callbacks, a
    /// disconnected or new one in its connection's options; once.
    ///
    /// Throws ``SceneStoreError/Code/noSessionForPayload`` when no session can take it and no new
    /// one is possible, and ``SceneStoreError/Code/tooManyPayloads`` when a callback runs and 64
    /// others wait for its end. A payload that comes while a callback runs is handed over
    /// afterwards; then errors go to ``diagnosticHandler``.
    public func receive(_ payload: Payload) throws(SceneStoreError) {
        try receive(.incoming(payload))
    }

    /// An activity was announced and its data never came. Throws as ``receive(_:)`` does.
    public func failToContinue(
        activityType: String, targetContentIdentifier: String? = nil
    ) throws(SceneStoreError) {
        try receive(
            .failing(type: activityType), identifier: targetContentIdentifier)
    }

    private func receive(
        _ call: LifecycleMachine.PayloadCall, identifier: String? = nil
    ) throws(SceneStoreError) {
        try requireRunning()
        if isPerforming {
            guard waitingPayloads < Self.waitingPayloadLimit else {
                refusedPayloadCount += 1
                throw SceneStoreError(
                    .tooManyPayloads, "more payloads arrived than wait for a scene at once")
            }
            waitingPayloads += 1
        }
        let waits = isPerforming
        try event { [self] () throws(SceneStoreError) in
            if waits {
                waitingPayloads -= 1
            }
            if options.lifecycle == .application {
                receiveInApplication(call)
                return
            }
            guard !isDuplicate(call) else {
                return
            }
            keepInInbox(call)
            let engine = engine
            try carryOut(
                store.asking { skeleton throws(SceneStoreError) in
                    try engine.receive(
                        call, identifier: call.identifier ?? identifier, in: skeleton)
                }.steps)
        }
    }

    /// How many payloads wait while callbacks run and no scene is ready for them.
    static let waitingPayloadLimit = 64

    // MARK: Once

    /// A notification that rode on a connection is not delivered a second time (L-65).
    private func isDuplicate(_ call: LifecycleMachine.PayloadCall) -> Bool {
        guard case .incoming(.notification(let response)) = call,
            notificationsInOptions.remove(response.deduplicationKey) != nil
        else {
            return false
        }
        decide(
            .delivery, "duplicate",
            "the notification was in the connection's options already")
        return true
    }

    func notePayloads(of connection: SceneConnection) {
        if let response = connection.options.notificationResponse {
            notificationsInOptions.insert(response.deduplicationKey)
        }
    }

    // MARK: The inbox

    /// The payloads of a launch that the inbox knows.
    func takeInbox(_ payloads: [LaunchPlan.PlannedPayload]) {
        offeredItems = payloads.compactMap { payload in
            payload.item.map { ($0, payload.payload) }
        }
    }

    private func keepInInbox(_ call: LifecycleMachine.PayloadCall) {
        guard options.persistsInbox, case .incoming(let payload) = call,
            let id = enqueue(payload)
        else {
            return
        }
        offeredItems.append((id, payload))
        tolerating { () throws(SceneStoreError) in try store.markInboxOffered([id]) }
    }

    private func enqueue(_ payload: Payload) -> Int64? {
        var id: Int64?
        tolerating { () throws(SceneStoreError) in
            id = try store.enqueueInbox(
                payload, sessionIdentifier: nil, dedupe: payload.deduplicationKey)
        }
        return id
    }

    /// Payloads that were handed over and not yet acknowledged, oldest first. Empty unless
    /// ``SceneApplicationOptions/persistsInbox`` is set.
    public var unacknowledgedPayloads: [Payload] {
        offeredItems.map(\.payload)
    }

    /// The app has dealt with a payload: it is not offered again. Durable against the death of
    /// the process on return.
    public func acknowledge(_ payload: Payload) throws(SceneStoreError) {
        guard let index = offeredItems.firstIndex(where: { $0.payload == payload }) else {
            return
        }
        defer {
            letStoreGo()
        }
        try store.acknowledgeInbox([offeredItems[index].id])
        offeredItems.remove(at: index)
    }
}

extension NotificationResponse {
    /// Two responses with one key are one.
    var deduplicationKey: String {
        "\(identifier)\u{0}\(actionIdentifier)"
    }
}

extension Payload {
    /// Names a payload that may arrive twice; nil when each arrival counts.
    var deduplicationKey: String? {
        if case .notification(let response) = self { response.deduplicationKey } else { nil }
    }
}
