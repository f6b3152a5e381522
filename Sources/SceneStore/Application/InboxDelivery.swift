import SceneStoreEngine

/// Payloads that are kept until the app acknowledges them, and those that come twice (L-65).
package final class InboxDelivery {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    /// Notifications that rode on a connection, to be delivered once.
    private var notificationsInOptions: Set<String> = []
    /// What was handed over and is not yet acknowledged, oldest first.
    package private(set) var offered: [(id: Int64, payload: Payload)] = []

    package init(_ application: SceneApplication) {
        self.application = application
    }

    /// The payloads of a launch that the inbox knows.
    package func take(_ payloads: [LaunchPlan.PlannedPayload]) {
        offered = payloads.compactMap { payload in
            payload.item.map { ($0, payload.payload) }
        }
    }

    /// Keeps what arrives, and answers whether it is to be delivered: a notification that rode on a
    /// connection is not, a second time.
    func admits(_ call: LifecycleMachine.PayloadCall) -> Bool {
        if case .incoming(.notification(let response)) = call,
            notificationsInOptions.remove(response.deduplicationKey) != nil
        {
            application.decide(
                .delivery, "duplicate",
                "the notification was in the connection's options already")
            return false
        }
        keep(call)
        return true
    }

    /// Remembers what rides on a connection.
    package func note(_ connection: SceneConnection) {
        if let response = connection.options.notificationResponse {
            notificationsInOptions.insert(response.deduplicationKey)
        }
    }

    private func keep(_ call: LifecycleMachine.PayloadCall) {
        guard application.options.persistsInbox, case .incoming(let payload) = call else {
            return
        }
        application.tolerating { () throws(SceneStoreError) in
            let kept = try application.store.enqueueInbox(
                payload, sessionIdentifier: nil, dedupe: payload.deduplicationKey)
            guard let id = kept else {
                return
            }
            offered.append((id, payload))
            try application.store.markInboxOffered([id])
        }
    }

    /// A payload is not offered again.
    package func acknowledge(_ payload: Payload) throws(SceneStoreError) {
        guard let index = offered.firstIndex(where: { $0.payload == payload }) else {
            return
        }
        try application.store.acknowledgeInbox([offered[index].id])
        offered.remove(at: index)
    }
}
