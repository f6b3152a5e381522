import SceneStoreSQLite

/// What the next launch would do, worked out on a store that is only read.
///
/// The rules are those of ``SceneApplication/launch(_:)``: blame the session that the last process
/// died restoring, forget what was not to be remembered, discard what cannot be shown, tell of
/// discards, connect what comes back, else make a first window. A test plays both against each
/// other. Where the app decides, the plan says what happens unless it decides otherwise: whether
/// its guard refuses a state and what its provider answers is not known here.
package struct LaunchPlan: Sendable {
    /// Why the process would have been started.
    package var reason: LaunchReason
    /// The reason in words.
    package var reasonText: String
    /// Counts launches of the container, from 1.
    package var number: Int64
    /// The sessions that the store has open now, most recently active first; of a sparse plan
    /// those that connect, at least.
    package var records: [SessionRecord] = []
    /// The session that the last process died restoring.
    package var blamed: String?
    /// The discards that the app is told of, in their order.
    package var discards: [Discard] = []
    /// The sessions that connect, in their order.
    package var connecting: [SessionRecord] = []
    /// The session that is made, if one is.
    package var newSession: NewSession?
    /// Payloads of the inbox that are offered again.
    package var waitingPayloads = 0
    /// Which session takes the payload that launched the process, and why.
    package var target: LinkTarget?

    package let rules: LaunchRules
    private var places: [Int64: Fate] = [:]
    private var reasons: [Int64: String] = [:]

    /// Works the plan out.
    ///
    /// - Parameters:
    ///   - store: The store; a reader will do.
    ///   - options: The app's.
    ///   - reason: Why the process is started; nil guesses it from the store.
    ///   - bootIdentifier: The machine's; nil when it cannot be told from the last launch's.
    ///   - isRunning: Whether a process owns the container now. It is assumed to end cleanly.
    ///   - payloads: What launches the process.
    ///   - isSparse: Whether ``records`` need not be whole, which saves reading every session;
    ///     ``verdict(for:)`` answers for all of them anyway.
    package init(
        reading store: SceneSessionStore, options: SceneApplicationOptions,
        reason: LaunchReason? = nil, bootIdentifier: String? = System.bootIdentifier,
        isRunning: Bool = false, payloads: [Payload] = [], isSparse: Bool = false
    ) throws(SceneStoreError) {
        self = try store.reading { core throws(SceneStoreError) in
            try LaunchPlan(
                core, options, asked: reason, bootIdentifier: bootIdentifier,
                isRunning: isRunning, payloads: payloads, isSparse: isSparse)
        }
    }

    package init(
        _ core: StoreCore, _ options: SceneApplicationOptions, asked: LaunchReason? = nil,
        bootIdentifier: String?, isRunning: Bool, payloads: [Payload], isSparse: Bool = false
    ) throws(SceneStoreError) {
        let start = try Start(
            core, asked: asked, bootIdentifier: bootIdentifier, isRunning: isRunning)
        reason = start.reason
        reasonText = start.text
        number = core.store.launchNumber + 1
        rules = LaunchRules(options, blamed: start.blames ? core.store.restoringSession : nil)
        if start.isEmpty {
            connectNew("nothing is remembered")
            return
        }
        let waiting = try core.pendingInbox().map(\.payload)
        waitingPayloads = waiting.count
        let all = waiting + payloads
        records =
            try isSparse && all.isEmpty ? sparseRecords(core) : Array(core.openRecords())
        if let key = rules.blamed {
            blamed = try core.session(key).flatMap { $0.row.isOpen ? $0.row.identifier : nil }
        }
        try addPendingDiscards(core)
        try discardWhatCannotBeShown(core)
        try connect(core, all.first)
    }

    /// The sessions that decide, if few do: those in front, else the one that was active last.
    /// All of them, if a manifest judges each, or if the last one does not come back.
    private func sparseRecords(_ core: StoreCore) throws(SceneStoreError) -> [SessionRecord] {
        guard rules.supportsMultipleScenes, rules.options.manifest?.isPresent == false,
            rules.options.reconnection == .foreground
        else {
            return Array(try core.openRecords())
        }
        let front = try core.frontRecords()
            .filter { $0.isOpen && $0.isRestorationEnabled }.sorted(by: StoreCore.comesBefore)
        if front.contains(where: { !rules.isHeld($0) }) {
            return front
        }
        let recent = try core.mostRecent(role: nil, Queries.openSessionsOfConfiguration)
        guard let recent, recent.isRestorationEnabled, !rules.isHeld(recent) else {
            return Array(try core.openRecords())
        }
        return [recent]
    }

    // MARK: - Asking

    /// What becomes of one of the store's sessions. A discarded one stays what it is.
    package func verdict(for record: SessionRecord) -> Verdict {
        let update = rules.update(of: record.configuration)
        let restoration = rules.restoration(of: record, update)
        var verdict = Verdict(
            fate: places[record.key] ?? .stays, reason: reasons[record.key] ?? "",
            restoration: restoration,
            restorationReason: restoration.reason(hasState: record.hasState),
            configuration: record.configuration, isReconfigured: false, isStale: record.isStale)
        switch update {
        case .replaced(let configuration):
            verdict.configuration = configuration
            verdict.isReconfigured = true
        case .stale(let configuration):
            verdict.configuration = configuration
            verdict.isReconfigured = true
            verdict.isStale = true
        case .current, .cannotDisplay: break
        }
        guard places[record.key] == nil else {
            return verdict
        }
        if !record.isOpen {
            verdict.fate = .discarded
            verdict.reason = "it was discarded"
        } else if !record.isRestorationEnabled {
            verdict.fate = .forgotten
            verdict.reason = "restoration is switched off for it"
        } else if rules.isHeld(record) {
            verdict.fate = .held
            verdict.reason = rules.heldReason(of: record)
        } else {
            verdict.reason = "it was not in front; it connects when it is activated"
        }
        return verdict
    }

    // MARK: - Discards

    private mutating func addPendingDiscards(_ core: StoreCore) throws(SceneStoreError) {
        for pending in try core.pendingDiscards() {
            // Whoever was being told is dead by the next launch.
            let delivery = try core.discardRow(pending.key)?.delivery
            let isRedelivered = delivery == StoreCore.Delivery.offered.rawValue
            discards.append(
                Discard(
                    identifier: pending.identifier, configuration: pending.configuration,
                    cause: pending.cause, isRedelivered: isRedelivered,
                    reason: isRedelivered
                        ? "a process died while it was told of it" : "the app was not told yet"))
        }
    }

    private mutating func discardWhatCannotBeShown(_ core: StoreCore) throws(SceneStoreError) {
        var gone: [(record: SessionRecord, reason: String)] = []
        for record in records
        where record.isRestorationEnabled
            && rules.update(of: record.configuration) == .cannotDisplay
        {
            gone.append((record, "the manifest has no configuration for its role"))
        }
        let keys = Set(gone.map(\.record.key))
        let remaining = records.filter { $0.isRestorationEnabled && !keys.contains($0.key) }
        gone += try rules.surplus(
            among: remaining, onceHeld: { () throws(SceneStoreError) in try core.onceHeld() }
        ).map { ($0, "the app supports one scene; a more recently active one is kept") }
        // They are stored in one transaction, within which identifiers order them.
        gone.sort { $0.record.identifier.precedes($1.record.identifier) }
        for (record, reason) in gone {
            places[record.key] = .discarded
            reasons[record.key] = reason
            discards.append(
                Discard(
                    identifier: record.identifier, configuration: record.configuration,
                    cause: .cannotDisplay, isRedelivered: false, reason: reason))
        }
    }

    // MARK: - Connecting

    private func isThere(_ record: SessionRecord) -> Bool {
        record.isRestorationEnabled && places[record.key] != .discarded
    }

    private mutating func connect(
        _ core: StoreCore, _ payload: Payload?
    ) throws(SceneStoreError) {
        let remaining = records.filter(isThere)
        var returning = returning(among: remaining, hasPayload: payload != nil)
        if let payload {
            let target = try rules.choose(
                payload.activationIdentifier, among: remaining, isConnected: { _ in false },
                conditions: core)
            self.target = target
            if let record = target.record {
                returning.removeAll {
                    $0.key == record.key || rules.isBarred($0, by: record.configuration.role)
                }
                connect(record, .active, "it takes what launches the app: \(target.reason)")
            } else {
                connectNew(target.reason)
            }
        }
        for record in returning {
            let arrival: Arrival =
                connecting.isEmpty && newSession == nil
                ? .active : record.isFront ? .foreground : .background
            connect(record, arrival, reasons[record.key] ?? "")
        }
        if connecting.isEmpty, newSession == nil {
            connectNew(
                remaining.isEmpty ? "nothing is remembered" : "only held sessions are left")
        }
    }

    private mutating func connect(
        _ record: SessionRecord, _ arrival: Arrival, _ reason: String
    ) {
        connecting.append(record)
        places[record.key] = .connects(
            order: connecting.count + (newSession == nil ? 0 : 1), arrival: arrival)
        reasons[record.key] = reason
    }

    private mutating func connectNew(_ reason: String) {
        newSession = NewSession(
            role: rules.defaultRole,
            configuration: rules.resolver.manifest?.defaultConfiguration(for: rules.defaultRole),
            order: connecting.count + 1, reason: reason)
    }

    /// The remembered sessions that connect without being asked for, in their order (L-11).
    private mutating func returning(
        among remaining: [SessionRecord], hasPayload: Bool
    ) -> [SessionRecord] {
        let able = remaining.filter { !rules.isHeld($0) }
        var reason = "it was in front when the previous process ended"
        var result = able.filter(\.isFront)
        if rules.options.reconnection == .all {
            for record in able where !record.isFront {
                reasons[record.key] = "every remembered session connects"
            }
            for record in result {
                reasons[record.key] = reason
            }
            return rules.connectable(able)
        }
        if result.isEmpty, !hasPayload, let recent = able.first {
            result = [recent]
            reason = "nothing was in front; it was active last"
        }
        for record in result {
            reasons[record.key] = reason
        }
        return rules.connectable(result)
    }
}

extension LaunchPlan {
    /// How the next process would begin.
    private struct Start {
        var reason: LaunchReason
        var text: String
        /// Whether a session that was being restored is blamed.
        var blames: Bool
        /// Whether nothing is remembered, whatever the store holds.
        var isEmpty = false

        init(
            _ core: StoreCore, asked: LaunchReason?, bootIdentifier: String?, isRunning: Bool
        ) throws(SceneStoreError) {
            var state = core.store.launchState
            // The launch that ended so is not the last one: the process after it died.
            if state != .never, core.openingDiagnostics.contains(where: { $0.code == .lostCommits })
            {
                state = .running
            }
            if let asked {
                reason = asked
                text = "as asked"
                blames = asked == .recover || asked == .restore
                isEmpty = asked == .first
                return
            }
            blames = state != .ended && !isRunning
            let lastBoot = try core.launchRow(core.store.launchNumber)?.bootIdentifier
            if state == .never {
                reason = .first
                text = "the container never saw a launch, or was reset"
            } else if isRunning {
                reason = .launch
                text = "the app is running; this holds if it ends cleanly"
            } else if let lastBoot, let bootIdentifier, lastBoot != bootIdentifier {
                reason = .restore
                text = "the system was restarted since, or the store is from another machine"
            } else if state == .ended {
                reason = .launch
                text = "the previous process ended cleanly"
            } else {
                reason = .recover
                text =
                    state == .forceQuit
                    ? "the user ended the previous process" : "the previous process died"
            }
        }
    }
}
