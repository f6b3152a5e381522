import SceneStore
import SceneStoreEngine

/// A preview of the next launch, for a page that shows the user which windows come back.
///
/// The launch itself makes its decisions with the same code.
///
/// ```swift
/// let preview = try application.previewNextLaunch()
/// for entry in preview.entries where entry.fate == .stays {
///     staying.append(entry.session)
/// }
/// ```
public struct LaunchPreview: Sendable {
    /// The outcomes of a session at the next launch.
    public enum Fate: Sendable, Hashable {
        /// It connects, in this place of the order, from 1.
        case returns(order: Int)
        /// It stays open without a window until it is activated.
        case stays
        /// It is held back: it stays open and takes no event.
        case held
        /// It is kept with its state until the app can show it.
        case parked(ParkedCause)
        /// It is gone.
        case gone
    }

    /// A session and its outcome.
    public struct Entry: Sendable, Hashable {
        /// The session.
        public let session: SceneSession.ID
        /// The session's outcome.
        public let fate: Fate
        /// The reason for the outcome.
        public let reason: String
        /// Whether its state is given to the app.
        public let restoration: RestorationStatus
        /// The reason why the state is restored or not, or the state that is restored.
        public let restorationReason: String
    }

    /// The reason with which the process would be launched.
    public let reason: LaunchReason
    /// The sessions, most recently active first.
    public let entries: [Entry]
    /// The window that the payload of the launch goes to; nil for a launch without one.
    public let delivery: DeliveryPreview?
}

/// The window that a payload would go to, and why (L-70): what `scenestore open-url --why` prints.
///
/// ```swift
/// let link = Payload.urls([OpenURLContext(url: "notes:Shopping")])
/// let delivery = try application.previewDelivery(of: link)
/// for window in delivery.candidates where window.can && window.session != delivery.session {
///     others.append(window.session)
/// }
/// ```
public struct DeliveryPreview: Sendable, Hashable {
    /// A session whose conditions are compared with the payload.
    public struct Candidate: Sendable, Hashable {
        /// The session.
        public let session: SceneSession.ID
        /// The session's conditions.
        public let conditions: ActivationConditions
        /// Whether the session prefers the payload.
        public let prefers: Bool
        /// Whether the session can show the payload.
        public let can: Bool
    }

    /// The session that takes the payload; nil for a new one.
    public let session: SceneSession.ID?
    /// The reason why it takes the payload.
    public let reason: String
    /// Whether the session has a scene when the payload arrives.
    public let isConnected: Bool
    /// The sessions that are compared: each one with conditions of its own, and of the others the
    /// one that was active last.
    public let candidates: [Candidate]
}

extension SceneApplication {
    /// Returns what the next launch does if this process ends now, cleanly and without other
    /// changes.
    ///
    /// - Parameters:
    ///   - behavior: The behavior of that launch; nil for that of ``options``.
    ///   - payload: The payload that launches the app. The preview doesn't ask the app where the
    ///     payload goes (``previewDelivery(of:)``).
    public func previewNextLaunch(
        behavior: SceneApplicationOptions.LaunchBehavior? = nil, receiving payload: Payload? = nil
    ) throws(SceneStoreError) -> LaunchPreview {
        try Preview(application: self).nextLaunch(behavior, payload)
    }

    /// Returns which window would take a payload that arrives now, and why. Nothing is delivered.
    ///
    /// The windows' conditions choose. The preview doesn't call
    /// ``SceneApplicationDelegate/application(_:targetFor:)`` or ``SceneHost/target(for:)``, which may
    /// choose another window or deal with the payload. Throws
    /// ``SceneStoreError/Code/invalidState`` in an app without scenes.
    public func previewDelivery(of payload: Payload) throws(SceneStoreError) -> DeliveryPreview {
        try Preview(application: self).delivery(of: payload)
    }
}

/// Asks what would happen, and changes nothing.
private struct Preview {
    let application: SceneApplication

    func nextLaunch(
        _ behavior: SceneApplicationOptions.LaunchBehavior?, _ payload: Payload?
    ) throws(SceneStoreError) -> LaunchPreview {
        try application.requireRunning()
        defer {
            application.core.letStoreGo()
        }
        var options = application.options
        options.launchBehavior = behavior ?? options.launchBehavior
        let plan = try LaunchPlan(
            reading: application.store, options: options,
            bootIdentifier: application.core.environment.bootIdentifier, isRunning: true,
            payloads: payload.map { [$0] } ?? [])
        guard let payload, let target = plan.target else {
            return LaunchPreview(plan, nil)
        }
        let candidates = try application.store.read { skeleton throws(SceneStoreError) in
            try plan.candidates(for: payload, in: skeleton)
        }
        return LaunchPreview(plan, DeliveryPreview(target, candidates, isConnected: false))
    }

    func delivery(of payload: Payload) throws(SceneStoreError) -> DeliveryPreview {
        try application.requireRunning()
        guard application.options.lifecycle == .scene else {
            throw SceneStoreError(.invalidState, "an app without scenes has no window to choose")
        }
        defer {
            application.core.letStoreGo()
        }
        let identifier = payload.activationIdentifier
        let (target, candidates) = try application.core.planning {
            engine, skeleton throws(SceneStoreError) in
            try (
                engine.receive(.incoming(payload), identifier: identifier, in: skeleton).target,
                engine.candidates(identifier, in: skeleton)
            )
        }
        let scene = target.record.flatMap { application.core.live.scene($0.key) }
        return DeliveryPreview(target, candidates, isConnected: scene != nil)
    }
}

extension DeliveryPreview {
    fileprivate init(
        _ target: EventTarget, _ candidates: [EventTarget.Candidate], isConnected: Bool
    ) {
        session = target.record?.id
        reason = target.reason
        self.isConnected = isConnected
        self.candidates = candidates.map {
            Candidate(
                session: $0.record.id, conditions: $0.conditions, prefers: $0.prefers, can: $0.can)
        }
    }
}

extension LaunchPreview {
    fileprivate init(_ plan: LaunchPlan, _ delivery: DeliveryPreview?) {
        reason = plan.start.reason
        self.delivery = delivery
        entries = plan.records.map { record in
            let verdict = plan.verdict(for: record)
            return Entry(
                session: record.id, fate: Fate(verdict.fate), reason: verdict.reason,
                restoration: verdict.restoration, restorationReason: verdict.restorationReason)
        }
    }
}

extension LaunchPreview.Fate {
    fileprivate init(_ fate: LaunchPlan.Fate) {
        switch fate {
        case .connects(let order, _): self = .returns(order: order)
        case .stays: self = .stays
        case .held: self = .held
        case .parked(let cause): self = .parked(cause)
        case .discarded, .forgotten: self = .gone
        }
    }
}
