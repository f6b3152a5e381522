import SceneStoreValues

/// Decides: what is remembered and what happens go in, the steps to perform come out, each with
/// its reason.
///
/// A value without I/O, clock or store. An application performs the steps; `scenestore plan`,
/// `open-url` and `--why`, the ledger and the decision records print them. There is no second
/// place where any of this is decided.
///
///     skeleton ──┐
///     rules ─────┼──> Engine ──> [PlanStep] ──> SceneApplication performs
///     event ─────┘      │                  └──> Rehearsal prints
///                       └─ LifecycleMachine: focus, and which callbacks each step owes
package struct Engine: Sendable {
    package var rules: LaunchRules {
        didSet { lastUpdate = nil }
    }
    /// The live scenes.
    package var machine = LifecycleMachine()
    /// The private sessions that this process shows, by their keys.
    package var privateSessions: [Int64: PrivateSession] = [:]
    /// What the rules make of the configuration that was asked for last: the sessions of a launch
    /// mostly share theirs.
    private var lastUpdate: (of: SharedConfiguration, ConfigurationResolver.Update)?

    package init(rules: LaunchRules) {
        self.rules = rules
    }

    /// What the rules make of a session that connects: what it is shown with, nil for the
    /// configuration of its row, and whether it gets its state.
    package mutating func judge(
        _ record: SessionRecord
    ) -> (configuration: SceneConfiguration?, restoration: RestorationStatus) {
        let hasAdopted = !rules.adopted.isEmpty && rules.adopted[record.key] != nil
        let update: ConfigurationResolver.Update
        if !hasAdopted, let lastUpdate, lastUpdate.of === record.sharedConfiguration {
            update = lastUpdate.1
        } else {
            update = rules.update(of: record)
            lastUpdate = hasAdopted ? nil : (record.sharedConfiguration, update)
        }
        let isAsRead = update == .current && !hasAdopted
        return (
            isAsRead ? nil : rules.configuration(of: record, update),
            rules.restoration(of: record, update)
        )
    }

    /// The manifest's entry of a name that a session had before, if it has none for today's (L-50).
    package func formerEntry(
        of record: SessionRecord, in skeleton: some Skeleton
    ) throws(SceneStoreError) -> SceneConfiguration? {
        switch rules.update(of: record) {
        case .current, .replaced: return nil
        case .stale, .cannotDisplay: break
        }
        return try skeleton.formerNames(of: record.key).lazy
            .compactMap { rules.resolver.manifest?.configuration(named: $0, role: record.role) }
            .first { rules.update(of: $0) == .current }
    }
}
