import SceneStoreEngine
import SceneStoreValues

/// Takes payloads to the sessions that they are for (L-60 to L-64, L-79).
///
/// A payload is chosen for and handed over once: what the inbox knows already, and what the app has
/// dealt with itself, goes to no window.
extension SceneApplication {
    /// Takes what arrives, in an event of its own.
    private func receive(
        _ call: LifecycleMachine.PayloadCall, identifier: String? = nil
    ) throws(SceneStoreError) {
        try requireRunning("receive(_:)")
        try events.performPayload { [self] () throws(SceneStoreError) in
            try admit(call, identifier: identifier)
        }
    }

    /// Hands over what belongs to an announcement; false when the scene that was told of it is gone.
    private func finish(
        _ told: Announcements.Announcement, by call: LifecycleMachine.PayloadCall
    ) -> Bool {
        if core.options.lifecycle == .application {
            bringAppForward(with: call)
            return true
        }
        guard let scene = told.scene, core.live.scene(scene.key) === scene else {
            return false
        }
        let items = scene.session.privacy == .ephemeral ? [] : inbox.keep(call)
        inbox.note(items, takenBy: scene.session.id)
        core.attempt(try inbox.begin(items))
        makeCallbacks([.deliver(call, scene.key)])
        return true
    }

    private func admit(
        _ call: LifecycleMachine.PayloadCall, identifier: String? = nil
    ) throws(SceneStoreError) {
        if core.options.lifecycle == .application {
            if case .announced(let type) = call {
                announced.add(type, identifier, toldTo: nil)
            }
            return bringAppForward(with: call)
        }
        guard !core.isTearingDown, !core.isQuitting else {
            if case .announced(let type) = call, core.options.persistsInbox {
                // Its data waits in the inbox, and is announced when it is handed over.
                return announced.add(type, identifier, toldTo: nil)
            }
            return try postpone(call, identifier: call.identifier ?? identifier)
        }
        try deliver(call, identifier: call.identifier ?? identifier)
    }

    /// Keeps what arrives until the app acknowledges it, and hands it over; answers the session, or nil
    /// when no window takes it. `name` is that of a payload which another process handed over.
    ///
    /// Who takes it is chosen first: nothing of what a private session takes reaches the disk (S-70).
    @discardableResult
    package func deliver(
        _ call: LifecycleMachine.PayloadCall, identifier: String?, name: String? = nil
    ) throws(SceneStoreError) -> SceneSession.ID? {
        guard !inbox.isDuplicate(call) else {
            return nil
        }
        // Once, for a window that can't be made may be followed by another one.
        var kept: [Int64]?
        return try take(call, identifier: identifier) { [inbox] isPrivate in
            guard !isPrivate else {
                return []
            }
            let items = kept ?? inbox.keep(call, name)
            kept = items
            return items
        }
    }

    // MARK: Teardown

    /// Keeps what arrives in a teardown for the next launch, or until the teardown is called off.
    /// `name` is that of a payload which another process handed over. What a private window prefers
    /// waits in memory, as long as the process (S-70).
    package func postpone(
        _ call: LifecycleMachine.PayloadCall, identifier: String?, name: String? = nil
    ) throws(SceneStoreError) {
        // One that nobody could take now is kept for the next launch.
        let target = try? core.planning { engine, skeleton throws(SceneStoreError) in
            try engine.receive(call, identifier: identifier, in: skeleton).target.record
        }
        let isPrivate = core.options.persistsInbox && target?.privacy == .ephemeral
        let item = isPrivate ? nil : try inbox.keepForNextLaunch(call, name: name)
        guard isPrivate || item != nil else {
            throw SceneApplication.tearingDown
        }
        postponed.append((call, identifier, item))
    }

    /// A teardown was called off: what arrived in it is handed over now (L-48).
    func handOverPostponed() {
        let waiting = postponed
        postponed.removeAll()
        for (call, identifier, item) in waiting {
            core.tolerating { () throws(SceneStoreError) in
                if let item, try inbox.takeUp(item, of: call) {
                    try take(call, identifier: identifier, kept: item) { _ in [item] }
                } else if item == nil {
                    try deliver(call, identifier: identifier)
                }
            }
        }
    }

    // MARK: Choosing a session

    /// Chooses a session for what arrives and hands it over; answers the session, or nil when the
    /// app has dealt with it itself. `items` are its numbers in the inbox, asked for once the session
    /// that takes it is known, and `kept` is the one that it has already.
    @discardableResult
    private func take(
        _ call: LifecycleMachine.PayloadCall, identifier: String?, kept: Int64? = nil,
        handing items: @escaping (_ isPrivate: Bool) -> [Int64]
    ) throws(SceneStoreError) -> SceneSession.ID? {
        var named: PayloadTarget?
        if case .incoming(let payload, _) = call {
            named = delegate.application(self, targetFor: payload)
        }
        guard named != .handled else {
            core.decide(.handledPayload)
            if let kept {
                try inbox.discard(kept)
            }
            return nil
        }
        prepare(for: named.map { [$0] } ?? [])
        return try hand(call, identifier: identifier, to: named, handing: items)
    }

    /// Hands a payload over. When the window that the app named for it can't be made, for the provider
    /// answers for another role, the windows' conditions choose (L-79).
    @discardableResult
    func hand(
        _ call: LifecycleMachine.PayloadCall, identifier: String?, to named: PayloadTarget?,
        isUnmet: Bool = false, handing items: @escaping (_ isPrivate: Bool) -> [Int64]
    ) throws(SceneStoreError) -> SceneSession.ID? {
        let (target, steps) = try core.planning { engine, skeleton throws(SceneStoreError) in
            try engine.receive(
                call, identifier: identifier, named: named, isUnmet: isUnmet, in: skeleton)
        }
        do throws(SceneStoreError) {
            let key = try carryOut(steps, handing: items).first ?? target.record?.key
            if case .announced(let type) = call {
                announced.add(type, identifier, toldTo: key.flatMap { core.live.scene($0) })
            }
            return key.flatMap { core.live[$0]?.record.id }
        } catch  where named != nil && !isUnmet && target.role != nil && error.code == .roleMismatch
        {
            core.report(error)
            return try hand(call, identifier: identifier, to: named, isUnmet: true, handing: items)
        }
    }

    /// Notes for which of the roles that the app named the provider has a configuration, and opens again
    /// what shows a value that it named; a launch that begins anew opens nothing again (L-16).
    func prepare(for targets: [PayloadTarget]) {
        for target in targets {
            switch target {
            case .role(let role) where provides(role):
                core.engine.rules.providedRoles.insert(role)
            case .role(let role): core.engine.rules.providedRoles.remove(role)
            case .presenting(let value)
            where core.processState == .running
                || core.engine.rules.behavior != .fresh:
                reopenWindow(presenting: value)
            default: break
            }
        }
    }
}

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
    /// ``SceneStoreError/Code/multipleScenesNotSupported`` or
    /// ``SceneStoreError/Code/noConfiguration`` if no session can take it and no new one is
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
    /// delivered there. If the activity was never announced, or during a logout, it is received
    /// like any other payload. Throws as ``receive(_:)`` does.
    public func continueAnnounced(_ activity: UserActivity) throws(SceneStoreError) {
        try requireRunning("continueAnnounced(_:)")
        try events.performPayload { [self] () throws(SceneStoreError) in
            let told = announced.take(activity.activityType, activity.activationIdentifier)
            guard let told else {
                return try admit(.incoming(.activity(activity)))
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
        try requireRunning("failToContinue")
        try events.performPayload { [self] () throws(SceneStoreError) in
            guard let told = announced.take(activityType, targetContentIdentifier) else {
                return try admit(.failing(type: activityType), identifier: targetContentIdentifier)
            }
            if !finish(told, by: .lost(type: activityType)) {
                core.decide(
                    .delivery, "nobody-waits",
                    "the window that got the announcement is gone, and the activity failed to arrive"
                )
            }
        }
    }

    /// Returns the payloads that wait in the inbox, oldest first, including those that are set
    /// aside.
    ///
    /// They wait until the app acknowledges them.
    public func waitingPayloads() throws(SceneStoreError) -> [WaitingPayload] {
        try core.briefly(store.inbox.pending()).map {
            WaitingPayload(number: $0.id, payload: $0.payload, isSetAside: $0.isSetAside)
        }
    }

    /// Offers a set-aside payload again, from the next launch on. Durable on return.
    public func releasePayload(_ payload: WaitingPayload) throws(SceneStoreError) {
        try core.briefly(store.inbox.release(payload.number))
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
    /// Links that were delivered together may be acknowledged together. On return, the change
    /// survives the death of the process.
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
