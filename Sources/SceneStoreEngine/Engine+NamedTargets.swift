import SceneStoreValues

/// Windows that the app names before conditions are asked (L-79), and those that are there already.
extension Engine {
    /// The session that takes a payload: the one that the app named, else the one that conditions
    /// choose, with a finding when what was named can't take it.
    package func target(
        of call: LifecycleMachine.PayloadCall, _ identifier: String?, _ named: PayloadTarget?,
        in skeleton: some Skeleton, isThere: (SessionRecord) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> (LinkTarget, Diagnostic?) {
        guard let named else {
            return (try choose(identifier, in: skeleton, isThere: isThere), nil)
        }
        if let target = try target(named, in: skeleton, isThere: isThere) {
            return (target, nil)
        }
        return notMet(named, try choose(identifier, in: skeleton, isThere: isThere))
    }

    /// Who takes a payload after all, when the window that the app named for it could not be made.
    package func receive(
        _ call: LifecycleMachine.PayloadCall, identifier: String?, insteadOf named: PayloadTarget,
        in skeleton: some Skeleton
    ) throws(SceneStoreError) -> (target: LinkTarget, steps: [PlanStep]) {
        let (target, finding) = notMet(named, try choose(identifier, in: skeleton))
        return (target, try steps(handing: call, to: target, finding, in: skeleton))
    }

    /// What takes a payload instead of what the app named, and a finding.
    private func notMet(_ named: PayloadTarget, _ target: LinkTarget) -> (LinkTarget, Diagnostic?) {
        guard case .role(let role) = named, !rules.canMake(role) else {
            let finding = Diagnostic(
                .targetNotMet, .warning,
                "the window that the app named for a payload can't take it",
                fix: "name an open one, or nil to ask the windows' conditions")
            return (target, finding)
        }
        var target = target
        target.reason += "; the role that the app named has no configuration"
        let finding = Diagnostic(
            .targetNotMet, .warning,
            "the role that the app named for a payload has no window and no configuration",
            path: role.rawValue,
            fix:
                "declare a window of the role (UISceneConfigurations or .desktop(…)), or name another"
        )
        return (target, finding)
    }

    /// The session that takes a payload of a launch.
    package func target(
        of payload: Payload, in skeleton: some Skeleton, isThere: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> (LinkTarget, Diagnostic?) {
        let named = rules.namedTarget(of: payload)
        return try target(
            of: .incoming(payload), payload.activationIdentifier, named, in: skeleton,
            isThere: isThere)
    }

    /// The new session that takes a payload of a launch that begins anew (L-16): of the role that the
    /// app named, else of the default role.
    func newTarget(
        of payload: Payload, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> (LinkTarget, Diagnostic?) {
        let new = LinkTarget(
            record: nil, rule: .none, reason: "the launch begins with a new window")
        guard let named = rules.namedTarget(of: payload) else {
            return (new, nil)
        }
        switch named {
        case .role(rules.defaultRole), .new, .handled: return (new, nil)
        case .role(let role):
            return try canMake(role, in: skeleton) ? (newTarget(role), nil) : notMet(named, new)
        case .window: return notMet(named, new)
        }
    }

    private func target(
        _ named: PayloadTarget, in skeleton: some Skeleton, isThere: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> LinkTarget? {
        func fits(_ record: SessionRecord) -> Bool {
            isThere(record) && takesEvents(record)
        }
        func found(_ record: SessionRecord) -> LinkTarget {
            LinkTarget(record: record, rule: .prefers, reason: "the app named it")
        }
        switch named {
        case .window(let id):
            return try openRecord(id, in: skeleton).flatMap { fits($0) ? found($0) : nil }
        case .role(let role):
            let records = try skeleton.openRecords().filter {
                $0.role == role && fits($0)
            }
            if let record = records.min(by: SessionRecord.comesBefore) {
                return found(record)
            }
            return try canMake(role, in: skeleton) ? newTarget(role) : nil
        case .new:
            return try hasRoom(for: rules.defaultRole, in: skeleton)
                ? newTarget(rules.defaultRole) : nil
        case .handled:
            return nil
        }
    }

    private func newTarget(_ role: SceneSessionRole) -> LinkTarget {
        LinkTarget(
            record: nil, role: role, rule: .none, reason: "the app asked for a new window")
    }

    /// Whether a session of a role that the app named can be made, and has a place.
    private func canMake(
        _ role: SceneSessionRole, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> Bool {
        rules.canMake(role) ? try hasRoom(for: role, in: skeleton) : false
    }

    private func hasRoom(
        for role: SceneSessionRole, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> Bool {
        do throws(SceneStoreError) {
            try requireRoom(for: role, in: skeleton)
            return true
        } catch {
            guard error.code == .multipleScenesNotSupported else {
                throw error
            }
            return false
        }
    }

    // MARK: Windows that are there already

    /// The window that answers a request without making another: the only one of its role, or the
    /// one that shows an equal value. One that is held back is passed by, as by links (L-52).
    func existing(
        for request: SceneSessionActivationRequest, _ role: SceneSessionRole, _ payload: Payload?,
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep]? {
        if rules.singleRoles.contains(role),
            let only = try skeleton.openRecords().first(where: {
                $0.role == role && takesEvents($0)
            })
        {
            let decision = DecisionRecord(
                .target, session: only.id, outcome: "only-window",
                reason: "its role has one window, and it is open")
            return try [.decide(decision)] + bringForward(only, payload, in: skeleton)
        }
        return try request.presentedValue.flatMap { value throws(SceneStoreError) in
            try showing(value, role, payload, skeleton)
        }
    }

    /// The only window of a role, when a new one is made because it is held back.
    func heldOnly(
        _ role: SceneSessionRole, _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> SessionRecord? {
        guard rules.singleRoles.contains(role) else {
            return nil
        }
        return try skeleton.openRecords().first {
            $0.role == role && rules.parked($0) == nil && rules.isHeld($0)
        }
    }

    /// The window that was opened for an equal value comes to the front (L-87); nil without one. One that
    /// a quit did not keep is parked no longer, if no other shows the value (L-18).
    package func showing(
        _ value: Value, _ role: SceneSessionRole, _ payload: Payload?, _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [PlanStep]? {
        var records = try skeleton.records(presenting: value)
        for (key, own) in privateSessions where own.presentedValue == value {
            records += try skeleton.record(key: key).map { [$0] } ?? []
        }
        records = records.filter { $0.role == role }
        let notKept = records.filter { rules.parked($0) == .notKept && !rules.isHeld($0) }
        guard
            let showing = records.filter(takesEvents).min(by: SessionRecord.comesBefore)
                ?? notKept.min(by: SessionRecord.comesBefore)
        else {
            return nil
        }
        let decision = DecisionRecord(
            .target, session: showing.id, outcome: "same-value",
            reason: "its window was opened for an equal value")
        return try [.decide(decision)] + bringForward(showing, payload, in: skeleton)
    }
}
