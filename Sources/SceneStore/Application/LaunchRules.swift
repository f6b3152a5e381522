import SceneStoreEngine

/// The rules by which a launch treats a single session, as a value: no store, no scenes.
package struct LaunchRules: Sendable {
    package let options: SceneApplicationOptions
    package let resolver: ConfigurationResolver
    /// The session that the last process died restoring; its count is one more than stored.
    package let blamed: Int64?

    package init(_ options: SceneApplicationOptions, blamed: Int64? = nil) {
        self.options = options
        self.blamed = blamed
        resolver = ConfigurationResolver(manifest: options.manifest)
    }

    package var supportsMultipleScenes: Bool {
        options.environmentSupportsMultipleScenes
            && (options.manifest?.supportsMultipleScenes ?? false)
    }

    var defaultRole: SceneSessionRole {
        options.manifest?.preferredDefaultRole ?? .windowApplication
    }

    package func crashCount(of record: SessionRecord) -> Int {
        record.crashCount + (record.key == blamed ? 1 : 0)
    }

    package func isHeld(_ record: SessionRecord) -> Bool {
        record.isHeldByHand || crashCount(of: record) >= max(1, options.holdsAfterCrashes)
    }

    func heldReason(of record: SessionRecord) -> String {
        record.isHeldByHand
            ? "it is held back by hand"
            : "the processes that restored it died \(crashCount(of: record)) times in a row"
    }

    /// What the manifest makes of a remembered configuration (L-50). To whoever does not know
    /// which classes are registered, as only the app does, every one is.
    package func update(
        of configuration: SceneConfiguration, isRegistered: (String) -> Bool = { _ in true }
    ) -> ConfigurationResolver.Update {
        resolver.update(
            configuration, renames: options.configurationRenames, isRegistered: isRegistered)
    }

    /// Whether a session's state is handed to the app, unless its guard refuses it.
    package func restoration(
        of record: SessionRecord, _ update: ConfigurationResolver.Update = .current
    ) -> RestorationStatus {
        if isHeld(record) {
            return .held
        }
        if crashCount(of: record) > 0 {
            return .withheld
        }
        if case .stale = update {
            return .stale
        }
        if record.isStale {
            return .stale
        }
        return record.isRestorationEnabled ? .available : .disabled
    }

    /// With one scene a role, all but the most recently active session of each role (L-12), of
    /// those that are remembered, most recently active first.
    ///
    /// One that is held back shows nothing, and another may have taken its place meanwhile: nobody
    /// closed either of them, so it is not surplus now nor after its release (L-52).
    package func surplus(
        among records: [SessionRecord], onceHeld: () throws(SceneStoreError) -> Set<String>
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard !supportsMultipleScenes else {
            return []
        }
        let able = records.filter { !isHeld($0) }
        // The history is only read when there is one too many.
        guard Self.firstOfEachRole(able).count < able.count else {
            return []
        }
        let onceHeld = try onceHeld()
        let judged = able.filter { !onceHeld.contains($0.identifier) }
        let kept = Self.firstOfEachRole(judged)
        return judged.filter { !kept.contains($0.key) }
    }

    /// Of sessions that would connect, those that may: with one scene a role the one that was in
    /// front, else the first.
    func connectable(_ records: [SessionRecord]) -> [SessionRecord] {
        guard !supportsMultipleScenes else {
            return records
        }
        let kept = Self.firstOfEachRole(records.filter(\.isFront) + records)
        return records.filter { kept.contains($0.key) }
    }

    /// The keys of the first session of each role.
    private static func firstOfEachRole(_ records: [SessionRecord]) -> Set<Int64> {
        var roles: Set<SceneSessionRole> = []
        return Set(
            records.filter { roles.insert($0.configuration.role).inserted }.map(\.key))
    }

    /// Whether a session stays without a scene because another of its role has the only one.
    func isBarred(_ record: SessionRecord, by other: SceneSessionRole) -> Bool {
        !supportsMultipleScenes && record.configuration.role == other
    }

    // MARK: - Events

    /// A session that is held back takes no event unless it is connected, nor does one on a
    /// screen without windows.
    func takesEvents(_ record: SessionRecord, isConnected: Bool) -> Bool {
        (isConnected || !isHeld(record)) && !record.configuration.role.isAuxiliary
    }

    /// The session that takes an event (L-70), of those that are remembered.
    package func choose(
        _ identifier: String?, among records: [SessionRecord],
        isConnected: (SessionRecord) -> Bool, conditions core: StoreCore
    ) throws(SceneStoreError) -> LinkTarget {
        let able = records.filter { takesEvents($0, isConnected: isConnected($0)) }
        guard supportsMultipleScenes else {
            let ofRole = able.filter { $0.configuration.role == defaultRole }
            guard let only = ofRole.first(where: isConnected) ?? ofRole.first else {
                return LinkTarget(record: nil, rule: .none, reason: "no session is remembered")
            }
            return LinkTarget(
                record: only, rule: .onlySession,
                reason: "the app has one session and no more")
        }
        var candidates: [SessionChooser.Candidate] = []
        for record in able where record.hasConditions {
            candidates.append(
                .init(record: record, conditions: try core.conditions(of: record)))
        }
        // Those without conditions of their own are alike: the most recently active stands for
        // all of them.
        if let plain = able.first(where: { !$0.hasConditions }) {
            candidates.append(.init(record: plain, conditions: ActivationConditions()))
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
}

extension RestorationStatus {
    /// Why a session's state is or is not handed to the app, in words.
    package func reason(hasState: Bool) -> String {
        switch self {
        case .available: hasState ? "the state that was saved last" : "no state was saved"
        case .stale: "the configuration that it was saved under is gone"
        case .withheld: "a process died while it restored this session"
        case .held: "processes that restored this session died in a row"
        case .declined: "the app's guard refused it"
        case .disabled: "restoration is switched off for the session"
        }
    }
}

extension StoreCore {
    /// The activation conditions of a session.
    fileprivate func conditions(
        of record: SessionRecord
    ) throws(SceneStoreError) -> ActivationConditions {
        try conditions(session(record.key)?.row.conditionsID)
    }
}

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
    /// The rule that chose it.
    package var rule: SessionChooser.Reason
    /// Why it was chosen.
    package var reason: String
    /// Those that were asked: each with conditions of its own, and of all others the one that was
    /// active last.
    package var candidates: [Candidate] = []

    /// The rule in a stable word: `prefers`, `can`, `onlySession` or `none`.
    package var ruleName: String { rule.rawValue }
}
