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
        try reception.receive(.incoming(payload))
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
        try reception.receive(.announced(type: type), identifier: targetContentIdentifier)
    }

    /// Delivers the data of an announced activity to the scene that got the announcement.
    ///
    /// If several announcements have one type, the data belongs to the one with the same target. If
    /// that scene is gone, the activity is announced to the session that takes it now, and
    /// delivered there. If the activity was never announced, or during a logout, it is received
    /// like any other payload. Throws as ``receive(_:)`` does.
    public func continueAnnounced(_ activity: UserActivity) throws(SceneStoreError) {
        try reception.complete(activity)
    }

    /// Reports that the data of an announced activity failed to arrive.
    ///
    /// If the scene that got the announcement is gone, this does nothing. Throws as ``receive(_:)``
    /// does.
    public func failToContinue(
        activityType: String, targetContentIdentifier: String? = nil
    ) throws(SceneStoreError) {
        try reception.fail(activityType, identifier: targetContentIdentifier)
    }

    /// The number of payloads that were refused because too many were waiting for a scene.
    public var refusedPayloadCount: Int { events.refusedPayloads }

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

    /// Offers a set-aside payload again, from the next launch on. Durable on return.
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
