import SceneStoreSQLite
import SceneStoreValues

/// What is remembered, as the engine asks for it.
package struct StoreSkeleton: Skeleton {
    package let core: StoreCore

    package init(core: StoreCore) {
        self.core = core
    }

    package func previousProcess() throws(SceneStoreError) -> PreviousProcess {
        try core.launches.previousProcess()
    }

    package func lastDeclaration() throws(SceneStoreError) -> String? {
        try core.launches.lastDeclaration()
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

    package func recordsSavedLast(
        configurationKey: Int64
    ) throws(SceneStoreError) -> [SessionRecord] {
        guard let launch = try core.launches.row(core.store.launchNumber) else {
            return []
        }
        var saved: [SessionRecord] = []
        for record in try records(configurationKey: configurationKey) where record.hasState {
            let session = try core.knownSession(record.key)
            let current = session.row.stateID
            if session.row.generation > launch.generation,
                try core.states(of: session).contains(where: {
                    $0.id == current && $0.generation > launch.generation
                })
            {
                saved.append(record)
            }
        }
        return saved
    }

    package func formerNames(of record: SessionRecord) throws(SceneStoreError) -> [String] {
        try core.formerNames(of: record.key)
    }

    package func exceptionalRecords() throws(SceneStoreError) -> [SessionRecord] {
        try core.exceptionalSessions().filter(\.isOpen).map { row throws(SceneStoreError) in
            try core.record(row)
        }
    }

    package func offeredVersion(of record: SessionRecord) throws(SceneStoreError) -> String? {
        try core.offeredVersion(of: record.key, record.flags)
    }

    package func frontRecords() throws(SceneStoreError) -> [SessionRecord] {
        try core.frontRecords().filter(\.isOpen).sorted(by: SessionRecord.comesBefore)
    }

    package func mostRecentRecord(
        role: SceneSessionRole?
    ) throws(SceneStoreError) -> SessionRecord? {
        try core.mostRecent(role: role, Queries.openSessionsOfConfiguration)
    }

    package func openRecords() throws(SceneStoreError) -> SessionRecords {
        try core.openRecords(keepsRows: true)
    }

    package func children() throws(SceneStoreError) -> [ChildRecord] {
        try core.children()
    }

    package func connected(
        atEndOf launch: Int64
    ) throws(SceneStoreError) -> [SessionRecord] {
        try core.connected(atEndOf: launch)
    }

    package func record(key: Int64) throws(SceneStoreError) -> SessionRecord? {
        try core.session(key).map { session throws(SceneStoreError) in
            try core.record(session.row)
        }
    }

    package func openRecord(
        _ identifier: SceneSession.ID
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let row = try core.session(identifier: identifier.rawValue), row.isOpen else {
            return nil
        }
        return try core.record(row)
    }

    package func noteNotFound(_ record: SessionRecord) {
        core.noteMisplaced(.session, record.key, "isn't found by its index")
    }

    package func recordsWithConditions() throws(SceneStoreError) -> [ConditionedRecord] {
        try core.recordsWithConditions()
    }

    package func keysWithConditions() throws(SceneStoreError) -> [ConditionedKey] {
        try core.keysWithConditions()
    }

    package func record(
        of conditioned: ConditionedKey
    ) throws(SceneStoreError) -> SessionRecord? {
        guard let row = try core.session(conditioned.key)?.row,
            core.isAsked(
                row.recency == conditioned.recency
                    && row.conditionsID == conditioned.conditionsID, .session, row.id)
        else {
            return nil
        }
        return try core.record(row)
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
        try core.launches.onceHeld()
    }

    package func expired(
        _ parked: [SessionRecord], stablePeriod: Int64, previousWasStable: Bool
    ) throws(SceneStoreError) -> [SessionRecord] {
        try core.expired(
            parked, stablePeriod: stablePeriod, previousWasStable: previousWasStable)
    }

    package func pendingDiscards() throws(SceneStoreError) -> [PendingDiscard] {
        // Whoever was being told is dead by the next launch.
        try core.discards.pending().map { pending throws(SceneStoreError) in
            var pending = pending
            pending.isRedelivered =
                try core.discards.row(pending.key)?.delivery == StoreCore.Delivery.offered.rawValue
            return pending
        }
    }

    package func pendingInbox() throws(SceneStoreError) -> [InboxItem] {
        try core.inbox.pending(launch: core.store.launchNumber + 1)
    }
}

extension SceneSessionStore {
    /// Runs a body of questions on one state of the store.
    package func asking<Result: Sendable>(
        _ body: @Sendable (StoreSkeleton) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try reading { core throws(SceneStoreError) in try body(StoreSkeleton(core: core)) }
    }

}

extension SessionRow {
    /// The place of the current state in the session's history.
    package var stateSlot: Int? { stateID.map { Int($0 & 255) } }
}
