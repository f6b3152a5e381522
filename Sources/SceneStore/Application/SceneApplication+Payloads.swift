import SceneStoreEngine

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
        try events.performPayload { [self] () throws(SceneStoreError) in
            if options.lifecycle == .application {
                preScene.receive(call)
                return
            }
            guard inbox.admits(call) else {
                return
            }
            let engine = engine
            try carryOut(
                store.asking { skeleton throws(SceneStoreError) in
                    try engine.receive(
                        call, identifier: call.identifier ?? identifier, in: skeleton)
                }.steps)
        }
    }

    /// Payloads that were handed over and not yet acknowledged, oldest first. Empty unless
    /// ``SceneApplicationOptions/persistsInbox`` is set.
    public var unacknowledgedPayloads: [Payload] {
        inbox.offered.map(\.payload)
    }

    /// The app has dealt with a payload: it is not offered again. Durable against the death of
    /// the process on return.
    public func acknowledge(_ payload: Payload) throws(SceneStoreError) {
        defer {
            letStoreGo()
        }
        try inbox.acknowledge(payload)
    }
}
