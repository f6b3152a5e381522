import SceneStoreEngine

/// Payloads that are kept until the app acknowledges them, and those that come twice (L-65).
package final class InboxDelivery {
    private let core: ApplicationCore
    private let settling: Settling
    /// Notifications that came with a connection, to be delivered once, and when they did.
    private var notificationsInOptions: [String: Int64] = [:]
    /// What scenes get by callbacks to come, by their keys: an empty list where nothing of that is kept.
    /// It waits for the next scene of an evicted session, too (L-64).
    private var awaited: [Int64: [Int64]] = [:]
    /// Who took what the inbox kept.
    private var takers: [Int64: SceneSession.ID] = [:]
    /// What was handed over and is not yet acknowledged, oldest first.
    package private(set) var offered: [(id: Int64, payload: Payload)] = []

    init(_ core: ApplicationCore, _ settling: Settling) {
        self.core = core
        self.settling = settling
    }

    /// The payloads of a launch that the inbox knows.
    package func take(_ payloads: [LaunchPlan.PlannedPayload]) {
        offered = payloads.filter { !$0.isSetAside }.compactMap { payload in
            payload.item.map { ($0, payload.payload) }
        }
    }

    /// Whether what arrives is not to be handed over a second time: a notification that came with a
    /// connection, without a date only while its delivery lasts, or one with a date that was handed
    /// over and waits to be acknowledged.
    func isDuplicate(_ call: LifecycleMachine.PayloadCall) -> Bool {
        guard case .incoming(.notification(let response), _) = call else {
            return false
        }
        let key = response.deduplicationKey
        let reason: String
        if let begin = notificationsInOptions.removeValue(forKey: key),
            response.date != nil
                || core.environment.now().saturatingMinus(begin) < core.options.stablePeriod
        {
            reason = "the notification was in the connection's options already"
        } else if response.date != nil,
            offered.contains(where: { $0.payload.deduplicationKey == key })
        {
            reason = "the notification was delivered and is not acknowledged yet"
        } else {
            // Without a date nobody knows whether it is the same one.
            return false
        }
        core.decide(.delivery, "duplicate", reason)
        return true
    }

    /// Notes who took what the inbox kept.
    func note(_ items: [Int64], takenBy session: SceneSession.ID?) {
        for item in items {
            takers[item] = session
        }
    }

    /// What a session took and nobody acknowledged yet.
    func items(takenBy session: SceneSession.ID) -> [Int64] {
        offered.map(\.id).filter { takers[$0] == session }
    }

    /// The number of a forwarded payload that the inbox knows already, and who took it in this
    /// process (L-77).
    package func known(
        _ key: String
    ) throws(SceneStoreError) -> (item: Int64, taker: SceneSession.ID?)? {
        guard core.options.persistsInbox else {
            return nil
        }
        let item = try core.store.inbox.number(dedupe: key)
        return item.map { ($0, takers[$0]) }
    }

    /// Keeps what arrives during a logout for the next launch; answers its number, nil when it can't
    /// be kept (L-48). `name` is that of a payload which another process handed over.
    func keepForNextLaunch(
        _ call: LifecycleMachine.PayloadCall, name: String? = nil
    ) throws(SceneStoreError) -> Int64? {
        guard let (payload, key) = entry(of: call, name) else {
            return nil
        }
        return try core.store.inbox.keep(payload, dedupe: key)
    }

    /// What was kept for the next launch is handed over in this one; false when that was done.
    func takeUp(
        _ item: Int64, of call: LifecycleMachine.PayloadCall
    ) throws(SceneStoreError) -> Bool {
        guard let payload = call.payload, !offered.contains(where: { $0.id == item }) else {
            return false
        }
        offered.append((item, payload))
        if !core.engine.rules.deliversWhenActive {
            try begin([item])
        }
        return true
    }

    /// The payload that a call carries, and the name under which the inbox keeps it; nil when it keeps
    /// nothing of it.
    private func entry(
        of call: LifecycleMachine.PayloadCall, _ name: String?
    ) -> (payload: Payload, key: String?)? {
        guard core.options.persistsInbox else {
            return nil
        }
        switch call {
        case .incoming(let payload, _): return (payload, payload.deduplicationKey ?? name)
        case .arrived(let activity):
            let key = Payload.handoffKey(core.environment.makeIdentifier())
            return (.activity(activity), key)
        case .requested, .failing, .announced, .lost: return nil
        }
    }

    /// Remembers what rides on a connection.
    package func note(_ connection: SceneConnection) {
        if let response = connection.options.notificationResponse {
            notificationsInOptions[response.deduplicationKey] = core.environment.now()
        }
    }

    /// Keeps what is about to be handed over until it is acknowledged; answers its number, none when it
    /// is not kept. Its
    /// delivery begins at once, unless it may have to wait until its scene is active: then
    /// ``begin(_:)`` says so.
    func keep(_ call: LifecycleMachine.PayloadCall, _ name: String? = nil) -> [Int64] {
        guard let (payload, key) = entry(of: call, name) else {
            return []
        }
        let begins = !core.engine.rules.deliversWhenActive
        var item: Int64?
        core.tolerating { () throws(SceneStoreError) in
            item = try core.store.inbox.keep(payload, dedupe: key, isOffered: begins)
        }
        guard let item else {
            return []
        }
        offered.append((item, payload))
        if begins {
            settling.watch([item])
        }
        return [item]
    }

    /// The callback that hands some payloads over is next: a death counts against one of them.
    func begin(_ items: [Int64]) throws(SceneStoreError) {
        let waiting = settling.unwatched(items)
        guard !waiting.isEmpty else {
            return
        }
        settling.watch(waiting)
        try core.store.inbox.markOffered(waiting)
    }

    // MARK: Waiting for a callback

    /// A scene gets some payloads by callbacks of their own.
    func await(_ items: [Int64], by key: Int64) {
        awaited[key, default: []] += items
    }

    /// Whether a scene gets anything by a callback to come.
    func awaits(_ key: Int64) -> Bool { awaited[key] != nil }

    /// A session is gone for good, and gets nothing any more.
    func forget(_ key: Int64) { awaited[key] = nil }

    /// A callback hands over what came neither with the connection nor before: from now on the payload
    /// is blamed, and the session is not (L-52a).
    func beginDelivery(by call: LifecycleMachine.PayloadCall, to scene: Scene) {
        guard let items = takeAwaited(by: scene.key, from: call) else {
            return
        }
        scene.placeholder = nil
        scene.delivery = (core.environment.now(), (scene.delivery?.items ?? []) + items)
        core.tolerating { () throws(SceneStoreError) in
            try settling.remove(scene.key)
            try begin(items)
        }
    }

    /// What a callback hands over of that; nil when it hands nothing of it over.
    private func takeAwaited(by key: Int64, from call: LifecycleMachine.PayloadCall) -> [Int64]? {
        guard let items = awaited[key], let payload = call.payload else {
            return nil
        }
        guard !items.isEmpty else {
            awaited[key] = nil
            return items
        }
        let kept = offered.filter { items.contains($0.id) }
        let handed = kept.filter { $0.payload.isHandedOver(by: payload) }.map(\.id)
        let rest = kept.map(\.id).filter { !handed.contains($0) }
        awaited[key] = rest.isEmpty ? nil : rest
        return handed.isEmpty ? nil : handed
    }

    /// A payload is removed.
    func discard(_ item: Int64) throws(SceneStoreError) {
        try core.store.inbox.acknowledge([item])
        offered.removeAll { $0.id == item }
        settling.unwatch([item])
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
        try core.store.inbox.acknowledge(items)
        settling.unwatch(items)
        offered.removeAll { items.contains($0.id) }
        for session in Set(items.compactMap { takers[$0] }) {
            core.live.scene(for: session)?.endDelivery(of: items)
        }
        settling.noteExtended()
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
    /// Whether a callback that hands over another one hands this one over: links come together.
    fileprivate func isHandedOver(by other: Payload) -> Bool {
        if case .urls(let contexts) = other { isPart(of: contexts) } else { self == other }
    }

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

/// Activities that are on their way from another device, and which scenes were told of them (L-62).
struct Announcements {
    /// One that was announced and whose data neither came nor failed to.
    struct Announcement {
        let type: String
        let identifier: String?
        /// The scene that was told; nil when it is gone, and in an app without scenes.
        private(set) weak var scene: Scene?
    }

    /// The oldest first.
    private var all: [Announcement] = []

    mutating func add(_ type: String, _ identifier: String?, toldTo scene: Scene?) {
        all.append(Announcement(type: type, identifier: identifier, scene: scene))
    }

    /// Takes the one that data belongs to: of its type one with its target, else one without a target,
    /// else any; of several the oldest whose scene is there, else the oldest.
    mutating func take(_ type: String, _ identifier: String?) -> Announcement? {
        let places = all.indices.filter { all[$0].type == type }
        func oldest(_ fits: (Announcement) -> Bool) -> Int? {
            let fitting = places.filter { fits(all[$0]) }
            return fitting.first { all[$0].scene != nil } ?? fitting.first
        }
        let place =
            oldest { $0.identifier == identifier } ?? oldest { $0.identifier == nil }
            ?? oldest { _ in true }
        return place.map { all.remove(at: $0) }
    }
}
