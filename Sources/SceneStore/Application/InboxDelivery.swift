import SceneStoreEngine

/// Payloads that are kept until the app acknowledges them, and those that come twice (L-65).
package final class InboxDelivery {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    /// Notifications that rode on a connection, to be delivered once.
    private var notificationsInOptions: Set<String> = []
    /// Those whose delivery is watched: a death now counts against one of them.
    private var begun: Set<Int64> = []
    /// Who took what the inbox kept.
    private var takers: [Int64: SceneSession.ID] = [:]
    /// What was handed over and is not yet acknowledged, oldest first.
    package private(set) var offered: [(id: Int64, payload: Payload)] = []

    package init(_ application: SceneApplication) {
        self.application = application
    }

    /// The payloads of a launch that the inbox knows.
    package func take(_ payloads: [LaunchPlan.PlannedPayload]) {
        offered = payloads.filter { !$0.isSetAside }.compactMap { payload in
            payload.item.map { ($0, payload.payload) }
        }
        begun = Set(offered.map(\.id))
    }

    /// Keeps what arrives, and answers whether it is to be delivered: a notification that rode on a
    /// connection is not, a second time.
    /// `name` is that of a payload which another process handed over.
    func admits(_ call: LifecycleMachine.PayloadCall, name: String? = nil) -> Bool {
        if case .incoming(.notification(let response), _) = call,
            notificationsInOptions.remove(response.deduplicationKey) != nil
        {
            application.decide(
                .delivery, "duplicate",
                "the notification was in the connection's options already")
            return false
        }
        keep(call, name)
        return true
    }

    /// Notes who took what the inbox kept.
    func note(_ items: [Int64], takenBy session: SceneSession.ID?) {
        for item in items {
            takers[item] = session
        }
    }

    /// The number of a forwarded payload that the inbox knows already, and who took it in this
    /// process (L-77).
    func known(
        _ forwarded: ForwardedPayload
    ) throws(SceneStoreError) -> (item: Int64, taker: SceneSession.ID?)? {
        guard application.options.persistsInbox else {
            return nil
        }
        let item = try application.store.inbox.number(dedupe: forwarded.inboxKey)
        return item.map { ($0, takers[$0]) }
    }

    /// Keeps what arrives during a logout for the next launch; answers whether it is kept (L-48).
    /// `name` is that of a payload which another process handed over.
    func keepForNextLaunch(
        _ call: LifecycleMachine.PayloadCall, name: String? = nil
    ) throws(SceneStoreError) -> Bool {
        guard let (payload, key) = entry(of: call, name) else {
            return false
        }
        return try application.store.inbox.keep(payload, dedupe: key) != nil
    }

    /// The payload that a call carries, and the name under which the inbox keeps it; nil when it keeps
    /// nothing of it.
    private func entry(
        of call: LifecycleMachine.PayloadCall, _ name: String?
    ) -> (payload: Payload, key: String?)? {
        guard application.options.persistsInbox else {
            return nil
        }
        switch call {
        case .incoming(let payload, _): return (payload, payload.deduplicationKey ?? name)
        case .arrived(let activity):
            let key = Payload.handoffKey(application.environment.makeIdentifier())
            return (.activity(activity), key)
        case .requested, .failing, .announced, .lost: return nil
        }
    }

    /// Remembers what rides on a connection.
    package func note(_ connection: SceneConnection) {
        if let response = connection.options.notificationResponse {
            notificationsInOptions.insert(response.deduplicationKey)
        }
    }

    /// Keeps what is about to be handed over until it is acknowledged.
    func keep(_ call: LifecycleMachine.PayloadCall, _ name: String? = nil) {
        guard let (payload, key) = entry(of: call, name) else {
            return
        }
        application.tolerating { () throws(SceneStoreError) in
            guard let id = try application.store.inbox.keep(payload, dedupe: key, isOffered: true)
            else {
                return
            }
            offered.append((id, payload))
            begun.insert(id)
            application.noteDelivery()
        }
    }

    /// This launch is stable: what was handed over is watched no longer.
    func settle() throws(SceneStoreError) {
        let items = begun.sorted()
        begun.removeAll()
        if !items.isEmpty {
            try application.store.inbox.endDeliveries(items)
        }
    }

    /// Whether a delivery is watched still.
    var isWatching: Bool { !begun.isEmpty }

    /// A payload is removed.
    func discard(_ item: Int64) throws(SceneStoreError) {
        try application.store.inbox.acknowledge([item])
        offered.removeAll { $0.id == item }
        begun.remove(item)
    }

    /// A payload is not offered again. Links that were handed over together are as many payloads as
    /// they arrived in.
    package func acknowledge(_ payload: Payload) throws(SceneStoreError) {
        var items: [Int64] = []
        // Of several activities of a connection nobody knows who handed which over.
        let known =
            offered.first { $0.payload == payload }
            ?? offered.first { $0.payload.withoutSource == payload.withoutSource }
        if let known {
            items = [known.id]
        } else if case .urls(let contexts) = payload {
            items = offered.filter { $0.payload.isPart(of: contexts) }.map(\.id)
        }
        guard !items.isEmpty else {
            return
        }
        try application.store.inbox.acknowledge(items)
        begun.subtract(items)
        offered.removeAll { items.contains($0.id) }
        for scene in application.connectedScenes {
            scene.endDelivery(of: items)
        }
    }
}

extension Scene {
    /// Some payloads were acknowledged; a death is blamed on the last one that was not.
    fileprivate func endDelivery(of items: [Int64]) {
        guard let own = delivery?.items, !own.isEmpty else {
            return
        }
        let rest = own.filter { !items.contains($0) }
        delivery?.items = rest
        if rest.isEmpty {
            delivery = nil
        }
    }
}

extension Payload {
    /// Whether these links hold all of its own.
    fileprivate func isPart(of contexts: [OpenURLContext]) -> Bool {
        guard case .urls(let own) = self else {
            return false
        }
        return own.allSatisfy(contexts.contains)
    }

    /// The payload as it is when it is not known which app handed an activity over.
    fileprivate var withoutSource: Payload {
        if case .activity(let activity, _) = self { .activity(activity) } else { self }
    }
}
