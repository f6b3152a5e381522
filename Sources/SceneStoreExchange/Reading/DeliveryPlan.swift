import SceneStoreEngine
import SceneStoreValues

/// To whom a payload goes and by which callbacks, worked out on a store that is only read.
///
/// A store does not say which scenes are connected in the background, so for an app that runs the
/// plan assumes what is certain at least: the sessions in front are connected, and when none is in
/// front, the most recently active one in the background.
package struct DeliveryPlan: Sendable {
    /// Where the app is when the payload arrives.
    package enum AppState: String, Sendable, Hashable, CaseIterable {
        /// It is not running.
        case cold
        /// It runs, and nothing of it is in front.
        case background
        /// It is in front.
        case foreground
    }

    /// One callback, by its short name in the lifecycle contract.
    package struct Callback: Sendable, Hashable {
        package var name: String
        /// The session; nil for one that is made, and for calls of the whole app.
        package var identifier: SceneSession.ID?
        /// Whether the payload is in this call.
        package var carriesPayload = false
    }

    /// Where the app is taken to be.
    package var appState: AppState
    /// Who takes the payload, and why.
    package var target: EventTarget
    /// Those that were asked.
    package var candidates: [EventTarget.Candidate] = []
    /// Whether a session is made for it that the manifest has no configuration for.
    package var lacksConfiguration = false
    /// Whether its session has a scene when the payload arrives.
    package var isConnected = false
    /// Every callback from the arrival on, in order.
    package var callbacks: [Callback] = []

    /// A payload that launches the app.
    package init(launching plan: LaunchPlan, _ payload: Payload) {
        appState = .cold
        target = plan.target ?? .none
        lacksConfiguration = plan.newSessions.first.map { $0.configuration == nil } ?? false
        var rehearsal = Rehearsal(Engine(rules: plan.rules), following: payload)
        rehearsal.perform(plan.steps, plan)
        callbacks = rehearsal.callbacks
    }

    /// A payload that arrives while the app runs.
    package init(
        _ payload: Payload, _ appState: AppState, _ skeleton: some Skeleton, _ rules: LaunchRules
    ) throws(SceneStoreError) {
        self.appState = appState
        // One that is held back keeps its mark from the process before, and is not connected.
        var connected = try skeleton.frontRecords().filter { !rules.isHeld($0) }
        if connected.isEmpty,
            let recent = try skeleton.openRecords().first(where: { !rules.isHeld($0) })
        {
            connected = [recent]
        }
        var rehearsal = Rehearsal(Engine(rules: rules), following: payload)
        for (place, record) in connected.enumerated() {
            rehearsal.perform([
                .connect(
                    SceneConnection(
                        subject: .remembered(record), arrival: place == 0 ? .active : .foreground))
            ])
        }
        if appState == .background {
            rehearsal.leave()
        }
        rehearsal.begin()
        candidates = try rehearsal.engine.candidates(
            payload.activationIdentifier, in: skeleton)
        let steps: [PlanStep]
        (target, steps) = try rehearsal.engine.receive(
            .incoming(payload), identifier: payload.activationIdentifier, in: skeleton)
        if let record = target.record {
            isConnected = rehearsal.engine.machine.phase(of: record.key) != nil
        } else {
            lacksConfiguration =
                rules.resolver.manifest?.defaultConfiguration(for: rules.defaultRole) == nil
        }
        rehearsal.perform(steps)
        callbacks = rehearsal.callbacks
    }
}

extension EventTarget {
    /// A session that was asked.
    package struct Candidate: Sendable {
        package var record: SessionRecord
        package var conditions: ActivationConditions
        /// Whether it wants to show the target.
        package var prefers: Bool
        /// Whether it can.
        package var can: Bool
    }
}

extension Engine {
    /// Those that are asked who takes a payload: each with conditions of its own, and of all others the
    /// one that was active last.
    package func candidates(
        _ identifier: String?, in skeleton: some Skeleton,
        isThere: (SessionRecord) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> [EventTarget.Candidate] {
        guard rules.supportsMultipleScenes else {
            return []
        }
        func fits(_ record: SessionRecord) -> Bool {
            isThere(record) && takesEvents(record)
        }
        let asked = try skeleton.recordsWithConditions().filter { known in
            let prefers = known.conditions.prefersToActivate.allows(identifier)
            return fits(known.record) && (prefers || isAskedWhetherItCan(known.record))
        }
        let plain = try plainCandidate(in: skeleton, where: fits).map {
            (record: $0, conditions: ActivationConditions())
        }
        return (asked + [plain].compactMap(\.self)).map { candidate in
            EventTarget.Candidate(
                record: candidate.record, conditions: candidate.conditions,
                prefers: candidate.conditions.prefersToActivate.allows(identifier),
                can: candidate.conditions.canActivate.allows(identifier))
        }
    }
}

extension LaunchPlan {
    /// Those that this launch asks who takes a payload; nobody if it begins anew (L-16).
    func candidates(
        for payload: Payload, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> [EventTarget.Candidate] {
        guard target != nil, rules.behavior != .fresh else {
            return []
        }
        return try engine.candidates(
            payload.activationIdentifier, in: skeleton, isThere: isThere)
    }
}
