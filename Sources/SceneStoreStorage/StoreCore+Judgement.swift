import SceneStoreSQLite
import SceneStoreValues

/// What is remembered, as the engine asks for it.
package struct StoreSkeleton: Skeleton {
    package let core: StoreCore

    package init(core: StoreCore) {
        self.core = core
    }

    package func previousProcess() throws(SceneStoreError) -> PreviousProcess {
        try core.previousProcess()
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
        try using { core throws(SceneStoreError) in
            let contents = judgement.payloads.map { core.contentOfInbox($0) }
            let isPlain =
                judgement.discards.isEmpty && judgement.told.isEmpty && contents.isEmpty
            return try core.write(isPlain ? .normal : .full) { writer throws(SceneStoreError) in
                _ = try writer.beginLaunch(context, reason: reason)
                for change in judgement.reconfigurations {
                    try writer.replaceConfiguration(
                        change.key, with: change.configuration, isStale: change.isStale)
                }
                try writer.discard(
                    judgement.discards, cause: .cannotDisplay, deliveredNow: true)
                try writer.offer(discards: judgement.told)
                var items: [Int64?] = []
                for (payload, bytes) in zip(judgement.payloads, contents) {
                    items.append(
                        try bytes.map { bytes throws(SceneStoreError) in
                            try writer.insertInboxItem(
                                bytes, dedupe: payload.deduplicationKey)
                        })
                }
                return items
            }
        }
    }

    /// Says what is being restored, and which payloads are being handed over with it, in one
    /// transaction.
    package func noteConnection(
        restoring key: Int64?, offering items: [Int64]
    ) throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            guard core.store.restoringSession != key || core.fence.isStale || !items.isEmpty
            else {
                return
            }
            if let key {
                _ = try core.knownSession(key)
            }
            try core.write(.normal) { writer throws(SceneStoreError) in
                if writer.store.restoringSession != key {
                    writer.store.restoringSession = key
                }
                try writer.advanceInbox(items, isDone: false)
            }
        }
    }
}

extension StoreCore {
    /// A payload as the inbox keeps it; nil when it can't be kept, which is reported.
    fileprivate func contentOfInbox(_ payload: Payload) -> [UInt8]? {
        do throws(SceneStoreError) {
            try encoder.check(payload.deduplicationKey, path: "inbox")
            return try ValueCodec.encode(try encoder.storable(payload), limits: limits)
        } catch {
            damage.diagnostics.append(
                Diagnostic(
                    .init(error.code.rawValue), .error, error.message, path: error.path))
            return nil
        }
    }
}
