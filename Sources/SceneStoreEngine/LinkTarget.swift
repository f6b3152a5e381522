import SceneStoreValues

/// Which session takes an event, and why.
package struct LinkTarget: Sendable {
    /// A session that was asked.
    package struct Candidate: Sendable {
        package var record: SessionRecord
        package var conditions: ActivationConditions
        /// Whether it wants to show the target.
        package var prefers: Bool
        /// Whether it can.
        package var can: Bool
    }

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
    /// The rule that chose it.
    package var rule: Rule
    /// Why it was chosen.
    package var reason: String
    /// Those that were asked: each with conditions of its own, and of all others the one that was
    /// active last. Empty unless the rules ask for them.
    package var candidates: [Candidate] = []

    /// Nobody was asked.
    package static let none = LinkTarget(record: nil, rule: .none, reason: "")

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
package struct PrivateSession: Sendable {
    package var conditions = ActivationConditions()
    package var presentedValue: Value?

    package init(conditions: ActivationConditions = .init(), presentedValue: Value? = nil) {
        self.conditions = conditions
        self.presentedValue = presentedValue
    }
}

extension Engine {
    /// The session that takes an event (L-70), of those that are remembered and still there.
    package func choose(
        _ identifier: String?, in skeleton: some Skeleton,
        isThere: (SessionRecord) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> LinkTarget {
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
                return LinkTarget(record: nil, rule: .none, reason: "no session is remembered")
            }
            return LinkTarget(
                record: only, rule: .onlySession,
                reason: "the app has only one session")
        }
        // A private session, one of another role, and one that isn't remembered where a new one would
        // be, is only asked whether it prefers the target (L-78).
        func isOpen(_ record: SessionRecord) -> Bool {
            let role = record.role
            return record.privacy != .ephemeral && rules.isOfApplication(role)
                && (record.isRestorationEnabled
                    || !rules.isRemembered(rules.resolver.initial(for: role)))
        }
        let conditioned = try keysWithConditions(skeleton)
        // Those without conditions of their own are alike: the most recently active stands for
        // all of them.
        let plain = try mostRecent(
            try skeleton.mostRecentWithDefaultConditions(), in: skeleton
        ) {
            !$0.hasConditions && fits($0) && isOpen($0)
        }
        var target = LinkTarget(
            record: nil, rule: .none, reason: "no remembered session can show the target")
        if let record = try first(
            of: conditioned, in: skeleton, whose: { $0.prefersToActivate.allows(identifier) },
            where: fits)
        {
            target = LinkTarget(
                record: record, rule: .prefers, reason: "its conditions prefer the target")
        } else {
            let able = try first(
                of: conditioned, in: skeleton, whose: { $0.canActivate.allows(identifier) },
                where: { fits($0) && isOpen($0) })
            if let record = [able, plain].compactMap(\.self).min(by: SessionRecord.comesBefore) {
                target = LinkTarget(
                    record: record, rule: .can,
                    reason: "it can show the target and was active last among those that can")
            }
        }
        if rules.listsCandidates {
            let asked = try skeleton.recordsWithConditions().filter {
                fits($0.record)
                    && (isOpen($0.record) || $0.conditions.prefersToActivate.allows(identifier))
            }
            let plain = plain.map {
                ConditionedRecord(record: $0, conditions: ActivationConditions())
            }
            target.candidates = (asked + [plain].compactMap(\.self)).map { candidate in
                LinkTarget.Candidate(
                    record: candidate.record, conditions: candidate.conditions,
                    prefers: candidate.conditions.prefersToActivate.allows(identifier),
                    can: candidate.conditions.canActivate.allows(identifier))
            }
        }
        return target
    }

    /// The open sessions with conditions of their own, those of private ones among them; the greatest
    /// recency first.
    func keysWithConditions(
        _ skeleton: some Skeleton
    ) throws(SceneStoreError) -> [ConditionedKey] {
        var keys = try skeleton.keysWithConditions()
        let stored = keys.count
        for (key, own) in privateSessions where own.conditions != ActivationConditions() {
            if let record = try skeleton.record(key: key) {
                keys.append(
                    ConditionedKey(
                        key: key, recency: record.recency, conditions: own.conditions,
                        conditionsID: nil))
            }
        }
        if keys.count > stored {
            keys.sort { $0.recency > $1.recency }
        }
        return keys
    }

    /// A parked session takes no event, and one that is held back none unless it is connected (L-18).
    func takesEvents(_ record: SessionRecord) -> Bool {
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
    private func mostRecent(
        _ found: SessionRecord?, in skeleton: some Skeleton,
        where fits: (SessionRecord) -> Bool
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let found, !fits(found) else {
            return found
        }
        return try skeleton.openRecords().first(where: fits)
    }
}
