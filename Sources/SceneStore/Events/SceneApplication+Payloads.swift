import SceneStoreEngine

/// Links, activities, quick actions and notifications from outside (L-60 to L-66).
extension SceneApplication {
    /// Delivers links that the system opens. See ``receive(_:)``.
    public func open(_ contexts: [OpenURLContext]) throws(SceneStoreError) {
        try receive(.urls(contexts))
    }

    /// Delivers a payload, once, to the session that takes it.
    ///
    /// A connected session gets it by its callbacks, a disconnected or new one in its connection's
    /// options. During a logout the payload waits in the inbox. Without an inbox this throws
    /// ``SceneStoreError/Code/tearingDown``, and the sender keeps the payload. Throws
    /// ``SceneStoreError/Code/noSessionForPayload`` if no session can take it and no new one is
    /// possible, and ``SceneStoreError/Code/tooManyPayloads`` if a callback runs and 64 others wait
    /// for its end. A payload that arrives while a callback runs is delivered afterwards;
    /// then errors go to ``diagnosticHandler``.
    public func receive(_ payload: Payload) throws(SceneStoreError) {
        try receive(.incoming(payload))
    }

    /// Announces an activity from another device (Handoff), whose data has not arrived yet.
    ///
    /// The session that takes it gets `scene(_:willContinueUserActivityWithType:)`. A session that
    /// connects for it finds the type in ``ConnectionOptions/handoffUserActivityType``. Then call
    /// ``continueAnnounced(_:)``, or ``failToContinue(activityType:targetContentIdentifier:)``.
    /// Throws as ``receive(_:)`` does.
    public func announceActivity(
        type: String, targetContentIdentifier: String? = nil
    ) throws(SceneStoreError) {
        try receive(.announced(type: type), identifier: targetContentIdentifier)
    }

    /// Delivers the data of an announced activity to the scene that got the announcement.
    ///
    /// If several announcements have one type, the data belongs to the one with the same target. If
    /// that scene is gone, the activity is announced to the session that takes it now, and
    /// delivered there. During a logout it is received like any other payload, and so is an
    /// activity that was never announced. Throws as ``receive(_:)`` does.
    public func continueAnnounced(_ activity: UserActivity) throws(SceneStoreError) {
        try requireRunning()
        try events.performPayload { [self] () throws(SceneStoreError) in
            let told = announced.take(activity.activityType, activity.activationIdentifier)
            guard let told else {
                try admit(.incoming(.activity(activity)))
                return
            }
            if !finish(told, by: .arrived(activity)) {
                try admit(.arrived(activity), identifier: told.identifier)
            }
        }
    }

    /// Reports that the data of an announced activity failed to arrive.
    ///
    /// If the scene that got the announcement is gone, this does nothing. Throws as ``receive(_:)``
    /// does.
    public func failToContinue(
        activityType: String, targetContentIdentifier: String? = nil
    ) throws(SceneStoreError) {
        try requireRunning()
        try events.performPayload { [self] () throws(SceneStoreError) in
            guard let told = announced.take(activityType, targetContentIdentifier) else {
                try admit(.failing(type: activityType), identifier: targetContentIdentifier)
                return
            }
            if !finish(told, by: .lost(type: activityType)) {
                decide(
                    .delivery, "nobody-waits",
                    "the window that got the announcement is gone, and the activity failed to arrive"
                )
            }
        }
    }

    /// Hands over what belongs to an announcement; false when the scene that was told of it is gone.
    private func finish(
        _ told: Announcements.Announcement, by call: LifecycleMachine.PayloadCall
    ) -> Bool {
        if options.lifecycle == .application {
            preScene.receive(call)
            return true
        }
        guard let scene = told.scene, live.scene(scene.key) === scene else {
            return false
        }
        let items = inbox.keep(call)
        tolerating { () throws(SceneStoreError) in try inbox.begin(items) }
        perform([.deliver(call, scene.key)])
        return true
    }

    private func receive(
        _ call: LifecycleMachine.PayloadCall, identifier: String? = nil
    ) throws(SceneStoreError) {
        try requireRunning()
        try events.performPayload { [self] () throws(SceneStoreError) in
            try admit(call, identifier: identifier)
        }
    }

    private func admit(
        _ call: LifecycleMachine.PayloadCall, identifier: String? = nil
    ) throws(SceneStoreError) {
        if options.lifecycle == .application {
            if case .announced(let type) = call {
                announced.add(type, identifier, toldTo: nil)
            }
            preScene.receive(call)
            return
        }
        guard !isTearingDown else {
            if case .announced(let type) = call, options.persistsInbox {
                // Its data waits in the inbox, and is announced when it is handed over.
                announced.add(type, identifier, toldTo: nil)
                return
            }
            guard try inbox.keepForNextLaunch(call) else {
                throw Self.tearingDown
            }
            return
        }
        guard let items = inbox.admit(call) else {
            return
        }
        try take(call, identifier: call.identifier ?? identifier, handing: items)
    }

    /// Chooses a session for what arrives and hands it over; answers the session, or nil when the
    /// app has dealt with it itself.
    @discardableResult
    func take(
        _ call: LifecycleMachine.PayloadCall, identifier: String?,
        handing items: [Int64]
    ) throws(SceneStoreError) -> SceneSession.ID? {
        var named: PayloadTarget?
        if case .incoming(let payload, _) = call {
            named = delegate.application(self, targetFor: payload)
        }
        guard named != .handled else {
            decide(.handledPayload)
            if case .incoming(let payload, _) = call {
                try inbox.acknowledge(payload)
            }
            return nil
        }
        noteProvidedRoles(of: named.map { [$0] } ?? [])
        let engine = engine
        let (target, steps) = try store.asking { [named] skeleton throws(SceneStoreError) in
            try engine.receive(
                call, identifier: identifier, named: named, in: skeleton)
        }
        do throws(SceneStoreError) {
            let key = try carryOut(steps, handing: items) ?? target.record?.key
            if case .announced(let type) = call {
                announced.add(type, identifier, toldTo: key.flatMap { live.scene($0) })
            }
            return key.flatMap { live[$0]?.record.id }
        } catch {
            guard let named, target.role != nil, error.code == .roleMismatch else {
                throw error
            }
            report(error)
            return try take(call, identifier: identifier, insteadOf: named, handing: items)
        }
    }

    /// The window that the app named for a payload could not be made, for the provider answered for
    /// another role: the windows' conditions choose (L-79).
    @discardableResult
    func take(
        _ call: LifecycleMachine.PayloadCall, identifier: String?,
        insteadOf named: PayloadTarget, handing items: [Int64]
    ) throws(SceneStoreError) -> SceneSession.ID? {
        let engine = engine
        let (target, steps) = try store.asking { skeleton throws(SceneStoreError) in
            try engine.receive(call, identifier: identifier, insteadOf: named, in: skeleton)
        }
        let key = try carryOut(steps, handing: items) ?? target.record?.key
        return key.flatMap { live[$0]?.record.id }
    }

    /// Payloads that were delivered and not yet acknowledged, oldest first.
    ///
    /// Empty unless ``SceneApplicationOptions/persistsInbox`` is set.
    public var unacknowledgedPayloads: [Payload] {
        inbox.offered.map(\.payload)
    }

    /// Returns the payloads that wait in the inbox, oldest first, including those that are set
    /// aside.
    ///
    /// They wait until the app acknowledges them.
    public func waitingPayloads() throws(SceneStoreError) -> [WaitingPayload] {
        defer {
            letStoreGo()
        }
        return try store.inbox.pending().map {
            WaitingPayload(number: $0.id, payload: $0.payload, isSetAside: $0.isSetAside)
        }
    }

    /// Offers a payload that was set aside again, from the next launch on. Durable on return.
    public func releasePayload(_ payload: WaitingPayload) throws(SceneStoreError) {
        defer {
            letStoreGo()
        }
        try store.inbox.release(payload.number)
    }

    /// Removes a payload from the inbox; it is not offered again.
    public func discardPayload(_ payload: WaitingPayload) throws(SceneStoreError) {
        defer {
            finishCall()
        }
        try inbox.discard(payload.number)
    }

    /// Acknowledges a payload, so that it is not offered again.
    ///
    /// Links that were delivered together may be acknowledged together. Durable against the death
    /// of the process on return.
    public func acknowledge(_ payload: Payload) throws(SceneStoreError) {
        defer {
            finishCall()
        }
        try inbox.acknowledge(payload)
    }
}

/// A payload that waits until the app acknowledges it.
///
/// ```swift
/// for payload in try application.waitingPayloads() where payload.isSetAside {
///     try application.discardPayload(payload)
/// }
/// ```
public struct WaitingPayload: Sendable, Hashable {
    /// Its number in the inbox.
    let number: Int64
    /// The payload that waits.
    public let payload: Payload
    /// Whether the payload is set aside, because two processes died while they delivered it.
    ///
    /// It isn't offered again until you release it.
    public let isSetAside: Bool
}
