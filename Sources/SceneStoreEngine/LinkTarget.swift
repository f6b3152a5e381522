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

    /// The session; nil for a new one.
    package var record: SessionRecord?
    /// The role of a new one; nil for the default role.
    package var role: SceneSessionRole?
    /// The rule that chose it.
    package var rule: SessionChooser.Reason
    /// Why it was chosen.
    package var reason: String
    /// Those that were asked: each with conditions of its own, and of all others the one that was
    /// active last.
    package var candidates: [Candidate] = []

    /// The rule in a stable word: `prefers`, `can`, `onlySession` or `none`.
    package var ruleName: String { rule.rawValue }

    /// The decision, for the journal.
    package var decision: DecisionRecord {
        DecisionRecord(
            .target, session: record?.id,
            outcome: record == nil
                ? "new-session" : rule == .onlySession ? "only-session" : rule.rawValue,
            reason: reason)
    }
}

extension Engine {
    /// The session that takes an event (L-70), of those that are remembered and still there.
    package func choose(
        _ identifier: String?, in skeleton: some Skeleton,
        isThere: (SessionRecord) -> Bool = { _ in true }
    ) throws(SceneStoreError) -> LinkTarget {
        func fits(_ record: SessionRecord) -> Bool {
            isThere(record) && rules.parked(record) == nil
                && rules.takesEvents(record, isConnected: machine.phase(of: record.key) != nil)
        }
        guard rules.supportsMultipleScenes else {
            let role = rules.defaultRole
            let isConnected = machine.members.contains { $0.role == role }
            let only = try mostRecent(try skeleton.mostRecentRecord(), in: skeleton) {
                $0.configuration.role == role
                    && (!isConnected || machine.phase(of: $0.key) != nil) && fits($0)
            }
            guard let only else {
                return LinkTarget(record: nil, rule: .none, reason: "no session is remembered")
            }
            return LinkTarget(
                record: only, rule: .onlySession,
                reason: "the app has one session and no more")
        }
        // A private session, and one of another role, is only asked whether it prefers the target (L-78).
        func isOpen(_ record: SessionRecord) -> Bool {
            record.privacy != .ephemeral && rules.isOfApplication(record.configuration.role)
        }
        var candidates = try skeleton.recordsWithConditions().filter {
            fits($0.record)
                && (isOpen($0.record) || $0.conditions.prefersToActivate.allows(identifier))
        }
        // Those without conditions of their own are alike: the most recently active stands for
        // all of them.
        let plain = try mostRecent(
            try skeleton.mostRecentWithDefaultConditions(), in: skeleton
        ) {
            !$0.hasConditions && fits($0) && isOpen($0)
        }
        if let plain {
            candidates.append(
                ConditionedRecord(record: plain, conditions: ActivationConditions()))
        }
        let (record, rule) = SessionChooser.choose(identifier: identifier, among: candidates)
        let reason =
            switch rule {
            case .prefers: "its conditions prefer the target"
            case .can, .onlySession:
                "it can show the target and was active last among those that can"
            case .none: "no remembered session can show the target"
            }
        return LinkTarget(
            record: record, rule: rule, reason: reason,
            candidates: candidates.map { candidate in
                LinkTarget.Candidate(
                    record: candidate.record, conditions: candidate.conditions,
                    prefers: candidate.conditions.prefersToActivate.allows(identifier),
                    can: candidate.conditions.canActivate.allows(identifier))
            })
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
