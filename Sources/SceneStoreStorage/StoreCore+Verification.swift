import SceneStoreSQLite
import SceneStoreValues

/// How far the check in the background has come.
package struct VerificationState {
    /// Position in ``StoreTable/verified``.
    package var table = 0
    /// The last row that was looked at in it.
    package var after: Int64 = .min
    /// The generation at which the scan began: the sums hold only if it is still the same.
    package var generation: Int64 = -1
    package var sums = DigestSums()
    /// How many rows were looked at.
    package var rows = 0
    /// What is told of them, when somebody waits for the end.
    package var stage: WorkProgress?

    package init(
        table: Int = 0, after: Int64 = .min, generation: Int64 = -1,
        sums: DigestSums = DigestSums(), rows: Int = 0, stage: WorkProgress? = nil
    ) {
        self.table = table
        self.after = after
        self.generation = generation
        self.sums = sums
        self.rows = rows
        self.stage = stage
    }
}

/// What the rows of a store add up to.
package struct DigestSums {
    package var openCount: Int64 = 0
    package var openDigest: Int64 = 0
    package var rowDigest: Int64 = 0
    /// Open sessions by configuration.
    var openByConfiguration: [Int64: Int64] = [:]
}

extension StoreTable {
    /// The tables whose rows go into the digests.
    package static let verified: [StoreTable] = [
        .session, .configuration, .conditions, .saveContext, .state, .sessionValue,
        .sceneStorage, .discard, .launch, .launchException, .event, .inbox, .savedActivity,
        .quarantinedRow,
    ]
}

/// Looking at every row, in pieces, when nobody waits.
extension StoreCore {
    /// Looks at rows until all are seen or the deadline is over, and goes on where it stopped the
    /// last time; false when there is more to see. What is found is in `diagnostics`.
    package func verifyRows(until deadline: ContinuousClock.Instant?) throws(SceneStoreError)
        -> Bool
    {
        var state = verification
        if state.table == 0, state.after == .min {
            let stage = state.stage
            state = VerificationState()
            state.stage = stage
            state.generation = store.generation
        }
        while state.table < StoreTable.verified.count {
            guard try scan(StoreTable.verified[state.table], &state, deadline) else {
                verification = state
                return false
            }
            state.table += 1
            state.after = .min
        }
        verification = VerificationState()
        if state.generation == store.generation {
            compare(state.sums)
        }
        return true
    }

    /// Holds the sums against the recorded ones.
    private func compare(_ sums: DigestSums) {
        isShrunk =
            sums.openCount != store.openCount || sums.openDigest != store.openDigest
            || sums.rowDigest != store.rowDigest
        guard isShrunk else {
            return
        }
        let missing = store.openCount - sums.openCount
        diagnostics.append(
            missing > 0
                ? Diagnostic(
                    .lostSessions, .error,
                    "\(missing) of \(store.openCount) open sessions are lost",
                    fix: "restore the last backup to have them back")
                : Diagnostic(
                    .digestMismatch, .error,
                    "the rows do not add up to the recorded digest: some are missing or older",
                    fix: "run scenestore verify"))
    }

    /// What is there is all that there is: records the sums anew, after what is missing was
    /// reported (S-41).
    func acceptLoss() throws(SceneStoreError) {
        verification = VerificationState()
        var state = VerificationState()
        while state.table < StoreTable.verified.count {
            _ = try scan(StoreTable.verified[state.table], &state, nil)
            state.table += 1
            state.after = .min
        }
        let sums = state.sums
        let missing = max(store.openCount - sums.openCount, 0)
        isShrunk = false
        guard
            sums.openCount != store.openCount || sums.openDigest != store.openDigest
                || sums.rowDigest != store.rowDigest
        else {
            return
        }
        try write(.full) { () throws(SceneStoreError) in
            store.openCount = sums.openCount
            store.openDigest = sums.openDigest
            store.rowDigest = sums.rowDigest
            for configuration in try allConfigurations() {
                let id = configuration.row.id
                let found = sums.openByConfiguration[id] ?? 0
                if found != configuration.row.openSessions {
                    try countOpen(found &- configuration.row.openSessions, configuration: id)
                }
            }
            noteLost(unnamed: missing)
        }
    }

    // MARK: - Scanning

    private func scan(
        _ table: StoreTable, _ state: inout VerificationState,
        _ deadline: ContinuousClock.Instant?
    ) throws(SceneStoreError) -> Bool {
        switch table {
        case .session:
            return try scan(Queries.scanSessions, SessionRow.self, &state, deadline) {
                row, _, sums in
                guard row.isOpen else {
                    return
                }
                sums.openCount += 1
                sums.openDigest = sums.openDigest &+ row.checksum
                sums.rowDigest = sums.rowDigest &- row.checksum
                sums.openByConfiguration[row.configurationID, default: 0] += 1
            }
        case .configuration:
            return try scan(Queries.scanConfigurations, ConfigurationRow.self, &state, deadline)
        case .saveContext:
            return try scan(Queries.scanSaveContexts, SaveContextRow.self, &state, deadline)
        case .discard:
            return try scan(Queries.scanDiscards, DiscardRow.self, &state, deadline)
        case .launch:
            return try scan(Queries.scanLaunches, LaunchRow.self, &state, deadline)
        case .launchException:
            return try scan(
                Queries.scanLaunchExceptions, LaunchExceptionRow.self, &state, deadline)
        case .event:
            return try scan(Queries.scanEvents, EventRow.self, &state, deadline)
        case .conditions:
            return try scan(Queries.scanConditions, ConditionsRow.self, &state, deadline) {
                row, statement, _ throws(SceneStoreError) in
                try checkPayload(statement, table, row.id, row.contentHash)
            }
        case .state:
            return try scan(Queries.scanStates, StateRow.self, &state, deadline) {
                row, statement, _ throws(SceneStoreError) in
                try checkPayload(statement, table, row.id, row.contentHash)
            }
        case .sessionValue:
            return try scan(Queries.scanSessionValues, SessionValueRow.self, &state, deadline) {
                row, statement, _ throws(SceneStoreError) in
                try checkPayload(statement, table, row.id, row.contentHash)
            }
        case .sceneStorage:
            return try scan(Queries.scanStorage, StorageRow.self, &state, deadline) {
                row, statement, _ throws(SceneStoreError) in
                try checkPayload(statement, table, row.id, row.contentHash)
            }
        case .inbox:
            return try scan(Queries.scanInbox, InboxRow.self, &state, deadline) {
                row, statement, _ throws(SceneStoreError) in
                try checkPayload(statement, table, row.id, row.contentHash)
            }
        case .savedActivity:
            return try scan(
                Queries.scanSavedActivities, SavedActivityRow.self, &state, deadline
            ) { row, statement, _ throws(SceneStoreError) in
                try checkPayload(statement, table, row.id, row.contentHash)
            }
        case .quarantinedRow:
            return try scan(
                Queries.scanQuarantinedRows, QuarantinedRow.self, &state, deadline
            ) { row, statement, _ throws(SceneStoreError) in
                try checkPayload(statement, table, row.id, row.contentHash)
            }
        case .store, .migration:
            return true
        }
    }

    /// Looks at the rows of one table behind `state.after`; false when the deadline came first.
    private func scan<Row: NumberedRow>(
        _ sql: StaticString, _: Row.Type, _ state: inout VerificationState,
        _ deadline: ContinuousClock.Instant?,
        _ look: (Row, borrowing Statement, inout DigestSums) throws(SceneStoreError) -> Void = {
            _, _, _ in
        }
    ) throws(SceneStoreError) -> Bool {
        var sums = state.sums
        var after = state.after
        var seen = 0
        var isComplete = true
        let epoch = store.containerEpoch
        let start = state.after
        let (stage, before) = (state.stage, state.rows)
        try each(sql, Row.self) { statement throws(SQLiteError) in
            try statement.bind(1, start)
            try statement.bind(2, epoch)
        } _: { row, statement throws(SceneStoreError) in
            seen += 1
            if let stage {
                try work.say(stage, done: before + seen, every: 16)
            }
            // A page that lies in two places would let the scan go round in circles.
            guard isAsked(row.number > after || after == .min, Row.table, row.number) else {
                return true
            }
            after = row.number
            sums.rowDigest = sums.rowDigest &+ row.checksum
            try look(row, statement, &sums)
            if let deadline, seen % 64 == 0, ContinuousClock.now >= deadline {
                isComplete = false
            }
            return isComplete
        }
        state.sums = sums
        state.after = after
        state.rows += seen
        return isComplete
    }

    private func checkPayload(
        _ statement: borrowing Statement, _ table: StoreTable, _ id: Int64, _ hash: Int64
    ) throws(SceneStoreError) {
        _ = try withPayload(statement, of: table, id: id, hash: hash) { _ in true }
    }
}

extension SceneSessionStore {
    /// Looks at every row and its checksum, as far as the budget goes, and goes on there the next
    /// time; answers whether all were seen. Findings are in ``takeDiagnostics()``.
    @discardableResult
    package func verifyRows(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        try reading { core throws(SceneStoreError) in
            try core.verifyRows(
                until: ContinuousClock.now.advanced(
                    by: .milliseconds(max(budgetMilliseconds, 0))))
        }
    }
}
