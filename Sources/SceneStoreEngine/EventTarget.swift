import SceneStoreValues

/// Which session takes an event, and why.
package struct EventTarget: Sendable {
    /// Why a session was chosen.
    package enum Rule: String, Sendable {
        /// It prefers the target.
        case prefers
        /// It can show the target and is the most recently active that can.
        case can
        /// The app has one session and no more.
        case onlySession
        /// No session can show the target.
        case none
    }

    /// The session; nil for a new one.
    package var record: SessionRecord?
    /// The role of a new one; nil for the default role.
    package var role: SceneSessionRole?
    /// What a new one shows.
    package var value: Value?
    /// The rule that chose it.
    package var rule: Rule
    /// Why it was chosen.
    package var reason: String

    /// Nobody was asked.
    package static let none = EventTarget(record: nil, rule: .none, reason: "")

    /// The decision, for the journal.
    package var decision: DecisionRecord {
        DecisionRecord(
            .target, session: record?.id,
            outcome: record == nil
                ? "new-session" : rule == .onlySession ? "only-session" : rule.rawValue,
            reason: reason)
    }
}

/// What a private session is chosen by: the process knows it, and no store (S-70).
package typealias PrivateSession = (conditions: ActivationConditions, presentedValue: Value?)

extension Engine {
    /// The session that takes an event (L-70), of those that are remembered and still there.
    package func choose(
        _ identifier: String?, in skeleton: some Skeleton,
        isThere: (SessionRecord) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> EventTarget {
        func fits(_ record: SessionRecord) -> Bool {
            isThere(record) && takesEvents(record)
        }
        guard rules.supportsMultipleScenes else {
            let role = rules.defaultRole
            let isConnected = machine.members.values.contains { $0.role == role }
            let only = try mostRecent(try skeleton.mostRecentRecord(role: nil), in: skeleton) {
                $0.role == role
                    && (!isConnected || machine.phase(of: $0.key) != nil) && fits($0)
            }
            guard let only else {
                return EventTarget(
                    record: nil, rule: .none, reason: "no remembered session can take it")
            }
            return EventTarget(
                record: only, rule: .onlySession,
                reason: "the app supports one scene")
        }
        let conditioned = try keysWithConditions(skeleton)
        let plain = try plainCandidate(in: skeleton, where: fits)
        var target = EventTarget(
            record: nil, rule: .none, reason: "no remembered session can show the target")
        if let record = try first(
            of: conditioned, in: skeleton, whose: { $0.prefersToActivate.allows(identifier) },
            where: fits)
        {
            target = EventTarget(
                record: record, rule: .prefers, reason: "its conditions prefer the target")
        } else {
            let able = try first(
                of: conditioned, in: skeleton, whose: { $0.canActivate.allows(identifier) },
                where: { fits($0) && isAskedWhetherItCan($0) })
            if let record = [able, plain].compactMap(\.self).min(by: SessionRecord.comesBefore) {
                target = EventTarget(
                    record: record, rule: .can,
                    reason: "it can show the target and was active last among those that can")
            }
        }
        return target
    }

    /// A private session, one of another role, and one that isn't remembered where a new one would
    /// be, is only asked whether it prefers the target (L-78).
    package func isAskedWhetherItCan(_ record: SessionRecord) -> Bool {
        let role = record.role
        return rules.isOfApplication(role)
            && (record.privacy != .ephemeral && record.isRestorationEnabled
                || !rules.isRemembered(rules.resolver.initial(for: role)))
    }

    /// Sessions without conditions of their own are alike: the most recently active stands for all of
    /// them.
    package func plainCandidate(
        in skeleton: some Skeleton, where fits: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> SessionRecord? {
        try mostRecent(try skeleton.mostRecentWithDefaultConditions(), in: skeleton) {
            !$0.hasConditions && fits($0) && isAskedWhetherItCan($0)
                && (privateSessions[$0.key]?.conditions ?? ActivationConditions())
                    == ActivationConditions()
        }
    }

    /// The open sessions with conditions of their own, those of private ones among them; the greatest
    /// recency first.
    func keysWithConditions(_ skeleton: some Skeleton) throws(SceneStoreError) -> [ConditionedKey] {
        var keys = try skeleton.keysWithConditions()
        let stored = keys.count
        for (key, own) in privateSessions where own.conditions != ActivationConditions() {
            if let record = try skeleton.record(key: key) {
                keys.append((key, record.recency, own.conditions, conditionsID: nil))
            }
        }
        if keys.count > stored {
            keys.sort { $0.recency > $1.recency }
        }
        return keys
    }

    /// A parked session takes no event, and one that is held back none unless it is connected (L-18).
    package func takesEvents(_ record: SessionRecord) -> Bool {
        rules.parked(record) == nil
            && (machine.phase(of: record.key) != nil || !rules.isHeld(record))
    }

    /// Of sessions with conditions of their own, the most recently active one that fits, then the
    /// first by identifier. Only the rows of those whose conditions are wanted are read, and of
    /// those no more than it takes.
    func first(
        of conditioned: [ConditionedKey], in skeleton: some Skeleton,
        whose isWanted: (ActivationConditions) -> Bool, where fits: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> SessionRecord? {
        var best: SessionRecord?
        for session in conditioned {
            if let best, session.recency < best.recency {
                break
            }
            guard isWanted(session.conditions), let record = try skeleton.record(of: session),
                record.isOpen, fits(record)
            else {
                continue
            }
            if best.map({ SessionRecord.comesBefore(record, $0) }) ?? true {
                best = record
            }
        }
        return best
    }

    /// The one that an index found, if it fits; else all are asked, unless there is none at all.
    func mostRecent(
        _ found: SessionRecord?, in skeleton: some Skeleton,
        where fits: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let found, !fits(found) else {
            return found
        }
        return try skeleton.openRecords().first(where: fits)
    }
}

/// Windows that the app names before conditions are asked (L-79), and those that are there already.
extension Engine {
    /// The session that takes a payload: the one that the app named, else the one that conditions
    /// choose, with a finding when what was named can't take it, or could not be made.
    package func target(
        _ identifier: String?, _ named: PayloadTarget?, isUnmet: Bool = false,
        in skeleton: some Skeleton, isThere: (SessionRecord) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> (EventTarget, Diagnostic?) {
        if let named, !isUnmet, let target = try target(named, in: skeleton, isThere: isThere) {
            return (target, nil)
        }
        let target = try choose(identifier, in: skeleton, isThere: isThere)
        return named.map { notMet($0, target) } ?? (target, nil)
    }

    /// What takes a payload instead of what the app named, and a finding.
    private func notMet(_ named: PayloadTarget, _ target: EventTarget) -> (EventTarget, Diagnostic?)
    {
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
    ) throws(SceneStoreError) -> (EventTarget, Diagnostic?) {
        let named = rules.namedTarget(of: payload)
        return try target(payload.activationIdentifier, named, in: skeleton, isThere: isThere)
    }

    /// The new session that takes a payload of a launch that begins anew (L-16): of the role that the
    /// app named, else of the default role.
    func newTarget(
        of payload: Payload, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> (EventTarget, Diagnostic?) {
        var new = EventTarget(
            record: nil, rule: .none, reason: "the launch begins with a new window")
        guard let named = rules.namedTarget(of: payload) else {
            return (new, nil)
        }
        switch named {
        case .role(rules.defaultRole), .new, .handled: return (new, nil)
        case .role(let role):
            let target = rules.canMake(role) ? try newTarget(role, in: skeleton) : nil
            return target.map { ($0, nil) } ?? notMet(named, new)
        case .presenting(let value):
            new.value = value
            return (new, nil)
        case .window: return notMet(named, new)
        }
    }

    private func target(
        _ named: PayloadTarget, in skeleton: some Skeleton, isThere: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> EventTarget? {
        func fits(_ record: SessionRecord) -> Bool {
            isThere(record) && takesEvents(record) && !isBarred(record)
        }
        func found(_ record: SessionRecord) -> EventTarget {
            EventTarget(record: record, rule: .prefers, reason: "the app named it")
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
            return rules.canMake(role) ? try newTarget(role, in: skeleton) : nil
        case .presenting(let value):
            if let showing = try window(showing: value, rules.defaultRole, skeleton), fits(showing)
            {
                return found(showing)
            }
            return try newTarget(rules.defaultRole, value, in: skeleton)
        case .new:
            return try newTarget(rules.defaultRole, in: skeleton)
        case .handled:
            return nil
        }
    }

    /// A session that the app asked to be made; nil where the role has no place.
    private func newTarget(
        _ role: SceneSessionRole, _ value: Value? = nil, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> EventTarget? {
        guard try occupying(role, in: skeleton).isEmpty else {
            return nil
        }
        return EventTarget(
            record: nil, role: role, value: value, rule: .none,
            reason: "the app asked for a new window")
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
            return try [.decide(decision)] + show(only, for: request, payload, skeleton)
        }
        guard let value = request.presentedValue,
            let showing = try window(
                showing: value, role, skeleton, privately: rules.isPrivate(request))
        else {
            return nil
        }
        let decision = DecisionRecord(
            .target, session: showing.id, outcome: "same-value",
            reason: "its window was opened for an equal value")
        return try [.decide(decision)] + show(showing, for: request, payload, skeleton)
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

    /// In an app of one window, the session that takes the place as if it was reopened (L-18): one that a
    /// quit did not keep and that a request names, one without a scene that shows the request's value, or
    /// else the one that was closed for it.
    package func givenBack(
        _ request: SceneSessionActivationRequest, closed: SceneSession.ID?,
        in skeleton: some Skeleton
    ) throws(SceneStoreError) -> SceneSession.ID? {
        guard !rules.supportsMultipleScenes, !request.staysInBackground else {
            return nil
        }
        if let identifier = request.sessionIdentifier {
            let record = try openRecord(identifier, in: skeleton)
            return record?.parkedCause == .notKept ? identifier : nil
        }
        let showing = try request.presentedValue.flatMap { value throws(SceneStoreError) in
            try window(
                showing: value, rules.role(of: request), skeleton,
                privately: rules.isPrivate(request))
        }
        guard let showing else {
            return closed
        }
        guard machine.phase(of: showing.key) == nil else {
            return nil
        }
        let others = try occupying(showing.role, besides: showing.key, in: skeleton)
        return others.isEmpty && rules.parked(showing) == nil ? nil : showing.id
    }

    /// The window that was opened for an equal value (L-87); nil without one. If no other shows the
    /// value, it is one that a request brings back although it is parked (L-18). What is asked for as
    /// private never comes up in a window that is stored.
    package func window(
        showing value: Value, _ role: SceneSessionRole, _ skeleton: some Skeleton,
        privately isPrivate: Bool = false
    ) throws(SceneStoreError) -> SessionRecord? {
        var records = try skeleton.records(presenting: value)
        for (key, own) in privateSessions where own.presentedValue == value {
            records += try skeleton.record(key: key).map { [$0] } ?? []
        }
        records = records.filter {
            $0.role == role && (!isPrivate || $0.privacy == .ephemeral)
        }
        let parked = records.filter {
            rules.parked($0).map { $0 != .noEntry } == true && !rules.isHeld($0)
        }
        return records.filter(takesEvents).min(by: SessionRecord.comesBefore)
            ?? parked.min(by: SessionRecord.comesBefore)
    }
}
