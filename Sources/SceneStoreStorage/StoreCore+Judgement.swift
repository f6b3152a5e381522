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
        return PreviousProcess(
            end: end, number: core.store.launchNumber,
            bootIdentifier: try core.launchRow(core.store.launchNumber)?.bootIdentifier,
            restoring: state == .ended ? nil : core.store.restoringSession)
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
                judgement.discards.isEmpty && judgement.told.isEmpty && contents.isEmpty
            _ = try core.beginLaunch(
                context, reason: reason, durability: isPlain ? .normal : .full
            ) { () throws(SceneStoreError) in
                for change in judgement.reconfigurations {
                    try core.reconfigure(change)
                }
                try core.discardRows(
                    judgement.discards, cause: .cannotDisplay, deliveredNow: true)
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

    /// Says what is being restored, and which payloads are being handed over with it, in one
    /// transaction.
    package func noteConnection(
        restoring key: Int64?, offering items: [Int64]
    ) throws(SceneStoreError) {
        try setRestoring(key: key)
        if !items.isEmpty {
            try markInboxOffered(items)
        }
    }
}

extension StoreCore {
    /// Every session of a configuration goes on under another one, within a transaction (L-50).
    fileprivate func reconfigure(
        _ change: LaunchJudgement.Reconfiguration
    ) throws(SceneStoreError) {
        let id = try intern(change.configuration)
        let found = try rows(Queries.openSessionsOfConfiguration, SessionRow.self) {
            statement throws(SQLiteError) in
            try statement.bind(1, change.key)
        } isAsked: {
            $0.configurationID == change.key && $0.isOpen
        }
        for row in found {
            let session = try knownSession(row.id)
            try updateRow(session, .all) { row in
                row.configurationID = id
                if change.isStale {
                    row.flags.insert(.stale)
                }
            }
            note(
                .change, row.identifier,
                change.isStale ? "configuration, stale" : "configuration")
        }
        if id != change.key {
            try countOpen(-Int64(found.count), configuration: change.key)
            try countOpen(Int64(found.count), configuration: id)
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
