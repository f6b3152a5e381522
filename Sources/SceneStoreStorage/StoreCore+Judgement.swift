import SceneStoreSQLite
import SceneStoreValues

/// What is remembered, as the engine asks for it.
package struct StoreSkeleton: Skeleton {
    package let core: StoreCore

    package init(core: StoreCore) {
        self.core = core
    }

    package func previousProcess() throws(SceneStoreError) -> PreviousProcess {
        let state = core.store.launchState
        let end: PreviousProcess.End =
            switch state {
            case .never: .never
            // The launch that ended so is not the last one: the process after it died.
            case _ where core.openingDiagnostics.contains { $0.code == .lostCommits }: .running
            case .ended: .clean
            case .running: .running
            case .forceQuit: .forceQuit
            }
        let launch = try core.launchRow(core.store.launchNumber)
        return PreviousProcess(
            end: end, number: core.store.launchNumber, bootIdentifier: launch?.bootIdentifier,
            restoring: state == .ended ? nil : core.store.restoringSession,
            startedAt: launch?.startedAt)
    }

    package func openCount(role: SceneSessionRole?) throws(SceneStoreError) -> Int {
        guard let role else {
            return Int(clamping: core.store.openCount)
        }
        return try core.allConfigurations().reduce(0) {
            $0 + ($1.shared.value.role == role ? Int(clamping: $1.row.openSessions) : 0)
        }
    }

    package func configurationsInUse() throws(SceneStoreError) -> [ConfigurationUse] {
        try core.allConfigurations().filter { $0.row.openSessions > 0 }.map {
            ConfigurationUse(
                key: $0.row.id, configuration: $0.shared.value,
                openSessions: Int(clamping: $0.row.openSessions))
        }
    }

    package func records(configurationKey: Int64) throws(SceneStoreError) -> [SessionRecord] {
        try core.records(Queries.openSessionsOfConfiguration, configurationKey) {
            $0.configurationID == configurationKey && $0.isOpen
        }
        .sorted(by: SessionRecord.comesBefore)
    }

    package func exceptionalRecords() throws(SceneStoreError) -> [SessionRecord] {
        try core.exceptionalSessions().filter(\.isOpen).map { row throws(SceneStoreError) in
            try core.record(row)
        }
    }

    package func frontRecords() throws(SceneStoreError) -> [SessionRecord] {
        try core.frontRecords().filter(\.isOpen).sorted(by: SessionRecord.comesBefore)
    }

    package func mostRecentRecord() throws(SceneStoreError) -> SessionRecord? {
        try core.mostRecent(role: nil, Queries.openSessionsOfConfiguration)
    }

    package func openRecords() throws(SceneStoreError) -> SessionRecords {
        try core.openRecords()
    }

    package func record(key: Int64) throws(SceneStoreError) -> SessionRecord? {
        try core.session(key).map { session throws(SceneStoreError) in
            try core.record(session.row)
        }
    }

    package func openRecord(_ identifier: String) throws(SceneStoreError) -> SessionRecord? {
        guard let row = try core.session(identifier: identifier), row.isOpen else {
            return nil
        }
        return try core.record(row)
    }

    package func recordsWithConditions() throws(SceneStoreError) -> [ConditionedRecord] {
        try core.recordsWithConditions()
    }

    package func mostRecentWithDefaultConditions() throws(SceneStoreError) -> SessionRecord? {
        try core.mostRecent(role: nil, Queries.defaultSessionsOfConfiguration) {
            $0.conditionsID == nil
        }
    }

    package func records(presenting value: Value) throws(SceneStoreError) -> [SessionRecord] {
        try core.records(presenting: value)
    }

    package func onceHeld() throws(SceneStoreError) -> Set<SceneSession.ID> {
        try core.onceHeld()
    }

    package func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard] {
        // Whoever was being told is dead by the next launch.
        try core.pendingDiscards().map { pending throws(SceneStoreError) in
            var pending = pending
            pending.isRedelivered =
                try core.discardRow(pending.key)?.delivery == StoreCore.Delivery.offered.rawValue
            return pending
        }
    }

    package func pendingInbox() throws(SceneStoreError) -> [InboxItem] {
        try core.pendingInbox(launch: core.store.launchNumber + 1)
    }
}

extension SceneSessionStore {
    /// Runs a body of questions on one state of the store.
    package func asking<Result: Sendable>(
        _ body: @Sendable (StoreSkeleton) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try reading { core throws(SceneStoreError) in try body(StoreSkeleton(core: core)) }
    }

    /// Begins a launch and writes all that its plan judged, in one transaction; answers the
    /// numbers of the payloads that the inbox took, in their order, nil for one that it can't keep.
    package func beginLaunch(
        _ context: LaunchContext, _ reason: LaunchReason, _ judgement: LaunchJudgement
    ) throws(SceneStoreError) -> [Int64?] {
        return try using { core throws(SceneStoreError) in
            var items: [Int64?] = []
            let contents = judgement.payloads.map { core.contentOfInbox($0) }
            let isPlain =
                judgement.told.isEmpty && contents.isEmpty
            _ = try core.beginLaunch(
                context, reason: reason, durability: isPlain ? .normal : .full,
                previousWasStable: judgement.previousWasStable
            ) { () throws(SceneStoreError) in
                for (key, cause) in judgement.parked {
                    try core.updateRow(try core.knownSession(key), .all) { row in
                        row.flags.parkedCause = cause
                    }
                    core.note(
                        .change, core.caches[key]?.row.identifier,
                        cause.map { "parked: \($0.rawValue)" } ?? "no longer parked")
                }
                try core.rewriteInbox(judgement.endedDeliveries, "delivery ended") { row in
                    row.endDelivery(isBlamed: row.id == judgement.blamedPayload)
                }
                try core.offerDiscards(judgement.told)
                for (payload, bytes) in zip(judgement.payloads, contents) {
                    items.append(
                        try bytes.map { bytes throws(SceneStoreError) in
                            try core.insertInboxItem(bytes, dedupe: payload.deduplicationKey)
                        })
                }
            }
            return items
        }
    }

    /// Says what is being restored, after deaths perhaps, and which payloads are being handed over
    /// with it, in one transaction.
    package func noteConnection(
        restoring key: Int64, isSuspect: Bool, isHandedPayload: Bool, offering items: [Int64]
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            var flags = session.row.flags
            flags.remove(.reopened)
            flags.parkedCause = nil
            if isSuspect {
                flags.insert(.suspect)
            }
            // Who is handed a payload is not blamed: the payload is (L-52).
            let restoring = isHandedPayload ? core.store.restoringSession : key
            if flags == session.row.flags {
                try core.setRestoring(restoring)
            } else {
                try core.write(.normal) { () throws(SceneStoreError) in
                    core.store.restoringSession = restoring
                    try core.updateRow(session, .all) { $0.flags = flags }
                }
            }
            if !items.isEmpty {
                try core.advanceInbox(items, isDone: false)
            }
        }
    }

    /// What was handed over needs no watching any more: the process lives. Mode normal.
    package func endDeliveries(_ items: [Int64]) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.write(.normal) { () throws(SceneStoreError) in
                try core.rewriteInbox(items, "delivery ended") { $0.endDelivery(isBlamed: false) }
            }
        }
    }

    /// A payload that was set aside is offered again by the next launch. Durable.
    package func releasePayload(_ item: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.write(.full) { () throws(SceneStoreError) in
                try core.rewriteInbox([item], "released") { $0.offeredCount = 0 }
            }
        }
    }

    /// The sessions go on under other configurations than those that they were made with, in one
    /// transaction (L-50). Mode normal.
    package func adopt(
        _ configurations: [Int64: SceneConfiguration]
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.write(.normal) { () throws(SceneStoreError) in
                for (key, configuration) in configurations.sorted(by: { $0.key < $1.key }) {
                    guard let session = try core.session(key) else {
                        continue
                    }
                    let (old, id) = (session.row.configurationID, try core.intern(configuration))
                    guard old != id else {
                        continue
                    }
                    if session.row.isOpen {
                        try core.countOpen(-1, configuration: old)
                        try core.countOpen(1, configuration: id)
                    }
                    try core.updateRow(session, .all) { $0.configurationID = id }
                    core.note(.change, session.row.identifier, "configuration")
                }
            }
        }
    }

    /// Keeps a session's current state from the app: it is pinned in the history, and no later
    /// state is written over it (L-52). Mode normal; nothing is written when it is so already.
    package func withhold(key: Int64, _ reason: WithheldReason) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            var flags = session.row.flags
            flags.withhold(reason, slot: session.row.stateSlot)
            try core.set(flags, of: session, "state withheld: \(reason.rawValue)")
        }
    }

    /// A session's current state is the app's again.
    package func release(key: Int64) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            var flags = session.row.flags
            flags.release(slot: session.row.stateSlot)
            try core.set(flags, of: session, "state no longer withheld")
        }
    }

    /// Makes the state that was withheld last the current one again, for the app; answers whether
    /// there was one. Durable.
    package func takeBackWithheldState(key: Int64) throws(SceneStoreError) -> Bool {
        try using { core throws(SceneStoreError) in
            let session = try core.knownSession(key)
            guard let slot = session.row.flags.pinnedSlots.last,
                let state = try core.states(of: session).first(where: {
                    $0.id == key << 8 | Int64(slot)
                })
            else {
                return false
            }
            try core.write(.full) { () throws(SceneStoreError) in
                core.caches.keep(nil, of: session)
                try core.updateRow(session, .all) { row in
                    row.stateID = state.id
                    row.savedAt = state.savedAt
                    row.crashCount = 0
                    row.flags.release(slot: slot)
                }
                core.note(
                    .checkout, session.row.identifier, "generation \(state.generation)")
            }
            return true
        }
    }

    /// The launch is stable: who died before and was restored in it is blamed no longer, and the
    /// states of the others are offered once more (L-52).
    package func settle(
        restored keys: Set<Int64>, version: String?
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            guard try core.exceptionalSessions().contains(where: { $0.crashCount > 0 }) else {
                return
            }
            try core.write(.normal) { () throws(SceneStoreError) in
                try core.settle(keys, version: version)
            }
        }
    }

    /// Closes a session for good with what its scene showed last, in one durable transaction.
    package func discard(
        key: Int64, cause: DiscardCause, saving state: StateToSave?, context: SaveContext
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            let changed = try state.map { state throws(SceneStoreError) in
                try core.changedStates([state], context)
            }
            try core.write(.full) { () throws(SceneStoreError) in
                if let changed, !changed.isEmpty {
                    let contextID = try core.intern(context)
                    for state in changed {
                        try core.store(state, contextID: contextID, savedAt: context.savedAt)
                    }
                }
                try core.discardRows([key], cause: cause, deliveredNow: true)
            }
        }
    }
}

extension SessionRow {
    /// The place of the current state in the session's history.
    package var stateSlot: Int? { stateID.map { Int($0 & 255) } }
}

extension StoreCore {
    /// Offers again, or clears, after a stable launch, within a transaction.
    func settle(_ restored: Set<Int64>, version: String?) throws(SceneStoreError) {
        let tag = SessionFlags.versionTag(of: version)
        for row in try exceptionalSessions() where row.crashCount > 0 {
            let session = try knownSession(row.id)
            try updateRow(session, .all) { row in
                if row.flags.settle(
                    isRestored: restored.contains(row.id), slot: row.stateSlot, version: tag)
                {
                    row.crashCount = 0
                }
            }
            note(
                .change, row.identifier,
                session.row.crashCount == 0 ? "count of crashes cleared" : "offered again")
        }
    }

    fileprivate func set(
        _ flags: SessionFlags, of session: StoreCaches.Session, _ detail: String
    ) throws(SceneStoreError) {
        guard flags != session.row.flags else {
            return
        }
        try write(.normal) { () throws(SceneStoreError) in
            try updateRow(session, .all) { $0.flags = flags }
            note(.change, session.row.identifier, detail)
        }
    }

    /// The app is about to be told of discards, within a transaction.
    fileprivate func offerDiscards(_ keys: [Int64]) throws(SceneStoreError) {
        for key in keys {
            guard let old = try discardRow(key), old.delivery < Delivery.delivered.rawValue else {
                continue
            }
            try rewrite(old, .offered)
        }
    }

    /// A payload as the inbox keeps it; nil when it can't be kept, which is reported.
    fileprivate func contentOfInbox(_ payload: Payload) -> [UInt8]? {
        do throws(SceneStoreError) {
            try check(payload.deduplicationKey, path: "inbox")
            return try ValueCodec.encode(try storable(payload), limits: limits)
        } catch {
            diagnostics.append(
                Diagnostic(
                    .init(error.code.rawValue), .error, error.message, path: error.path))
            return nil
        }
    }
}
