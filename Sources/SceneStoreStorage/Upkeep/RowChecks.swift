import SceneStoreSQLite
import SceneStoreValues

/// Looking at every row, in pieces, when nobody waits; and what follows when the rows do not add
/// up to the digest: who is told, and how what is there is taken over (R-26, S-41).
extension Database {
    /// Looks at rows until all are seen or the deadline is over, and goes on where it stopped the
    /// last time; false when there is more to see. What is found is in `diagnostics`.
    package func verifyRows(until deadline: ContinuousClock.Instant?) throws(SceneStoreError)
        -> Bool
    {
        var state = damage.verification
        if state.table == 0, state.after == .min {
            state = VerificationState()
            state.stage = damage.verification.stage
            state.generation = store.generation
        }
        guard try scanTables(&state, deadline) else {
            damage.verification = state
            return false
        }
        damage.verification = VerificationState()
        guard state.generation == store.generation else {
            return true
        }
        damage.isShrunk = !state.sums.areRecorded(by: store)
        if damage.isShrunk {
            noteMissing(
                open: state.sums.openCount,
                "the rows do not add up to the recorded digest: some are missing or older")
            try tellDoubtful(state.sums)
        }
        return true
    }

    /// Says how many open sessions are missing where so many are there, or else what is wrong.
    func noteMissing(open found: Int64, _ mismatch: String) {
        let missing = store.openCount - found
        damage.diagnostics.append(
            missing > 0
                ? Diagnostic(
                    .lostSessions, .error,
                    "\(missing) of \(store.openCount) open sessions are lost",
                    fix: "restore the last backup to get them back")
                : Diagnostic(
                    .digestMismatch, .error, mismatch, fix: "run scenestore doctor --full"))
    }

    /// Tells the scenes whose state may not be the one that was saved last: those of sessions that
    /// other rows contradict, and, when the open sessions do not add up, every one that was shown.
    private func tellDoubtful(_ sums: DigestSums) throws(SceneStoreError) {
        for key in try doubtfulSessions(sums).sorted() {
            if let session = try session(key) {
                noteStale(
                    session.row,
                    "the state that the session shows may not be the one that was saved last",
                    fix: "what it shows is kept; run scenestore doctor --full")
            }
        }
    }

    private func doubtfulSessions(_ sums: DigestSums) throws(SceneStoreError) -> Set<Int64> {
        var keys = Set(try numbers(Queries.contradictedSessions, binding(store.containerEpoch)))
        if sums.openCount != store.openCount || sums.openDigest != store.openDigest {
            keys.formUnion(damage.shown)
        }
        return keys
    }

    /// The reason of a row of `quarantined_row` that holds the store's row with the digest that the
    /// rows did not add up to.
    package static let acceptedDigest = "digest"

    /// Takes over what is there as all that there is, after it was reported (S-41): never before a
    /// copy of the file as it was lies in `quarantine/`. Where none can be made, the digest stays.
    func acceptLoss() throws(SceneStoreError) {
        damage.isShrunk = false
        damage.verification = VerificationState()
        var rows = VerificationState()
        _ = try scanTables(&rows, nil)
        let sums = rows.sums
        guard !sums.areRecorded(by: store) else {
            return
        }
        var evidence: String?
        if let folder = container.folder {
            do throws(SceneStoreError) {
                evidence = try recovery.keepEvidence(of: connection, in: folder, time: now)
            } catch {
                damage.isLossKept = true
                damage.diagnostics.append(
                    Diagnostic(
                        .init(error.code.rawValue), .error,
                        "the damaged store can't be copied, so its loss is not accepted: "
                            + error.message, path: ContainerName.quarantine))
                return
            }
        }
        let shown = try doubtfulSessions(sums)
        try write(.full) { transaction throws(SceneStoreError) in
            try transaction.accept(sums, evidence: evidence, keeping: shown)
        }
    }

    /// Looks at the rows of all tables from where the last look ended; false when the deadline came
    /// first.
    private func scanTables(
        _ state: inout VerificationState, _ deadline: ContinuousClock.Instant?
    ) throws(SceneStoreError) -> Bool {
        while state.table < StoreTable.digested.count {
            guard try scan(StoreTable.digested[state.table], &state, deadline) else {
                return false
            }
            state.table += 1
            state.after = .min
        }
        return true
    }

    /// The tables that may be long get code of their own from the compiler.
    private func scan(
        _ table: StoreTable, _ state: inout VerificationState,
        _ deadline: ContinuousClock.Instant?
    ) throws(SceneStoreError) -> Bool {
        switch table {
        case .session: try scan(SessionRow.self, &state, deadline)
        case .state: try scan(StateRow.self, &state, deadline)
        default: try scan(table.rowType, &state, deadline)
        }
    }

    /// Looks at the rows of one table behind `state.after`; false when the deadline came first.
    private func scan<Row: StoredRow>(
        _: Row.Type, _ state: inout VerificationState, _ deadline: ContinuousClock.Instant?
    ) throws(SceneStoreError) -> Bool {
        var sums = state.sums
        var after = state.after
        var seen = 0
        var isComplete = true
        let (stage, before) = (state.stage, state.rows)
        try each(Row.scan, binding(state.after, store.containerEpoch)) {
            row, statement throws(SceneStoreError) in
            seen += 1
            if let stage {
                try work.say(stage, done: before + seen, every: 16)
            }
            // A page that lies in two places would let the scan go round in circles.
            guard isAsked(row.id > after || after == .min, Row.table, row.id) else {
                return true
            }
            after = row.id
            sums.add(row)
            _ = try withPayload(statement, row) { _ in true }
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
}

extension Transaction {
    /// Keeps the state that a session showed, which may be an older one, and the newest that there
    /// is from being written over; the scene goes on with what it has.
    private func keepShownState(of session: StoreCaches.Session) throws(SceneStoreError) {
        let newest = try db.newestState(of: session)
        guard session.row.stateID != nil || newest != nil else {
            return
        }
        try judge(session) { row, pins in
            row.flags.keep(slot: row.stateSlot, &pins)
            row.flags.keep(slot: newest?.entry.slot, &pins)
        }
        note(.change, session.row.identifier, "state kept: it may not be the last one")
    }

    /// Writes down what the store's row recorded, and takes over what the rows add up to. The scenes
    /// of some sessions may show what is not the last: that is kept.
    fileprivate func accept(
        _ sums: DigestSums, evidence: String?, keeping shown: Set<Int64>
    ) throws(SceneStoreError) {
        let missing = store.openCount - sums.openCount
        let recorded = try db.rawColumns(.store, 1)
        store.openCount = sums.openCount
        store.openDigest = sums.openDigest
        store.rowDigest = sums.rowDigest
        // From here on everything counts from the sums.
        try quarantine(
            DamagedRow(table: .store, id: 1, reason: Database.acceptedDigest), recorded ?? [],
            evidence.map { "the digest; the file as it was: \($0)" })
        for configuration in try db.allConfigurations() {
            let id = configuration.row.id
            let found = sums.openByConfiguration[id] ?? 0
            if found != configuration.row.openSessions {
                try countOpen(found &- configuration.row.openSessions, configuration: id)
            }
        }
        for key in shown.sorted() {
            if let session = try db.session(key) {
                try keepShownState(of: session)
            }
        }
        if missing > 0 {
            noteLost(unnamed: missing)
        }
    }
}

extension StoredRow {
    /// Every row of this epoch behind a number, so that a check can go on where it stopped.
    package static var scan: RowQuery<Self> {
        RowQuery(text: StoreTable.scans[Int(table.rawValue)])
    }
}

extension StoreTable {
    /// By the numbers of the tables.
    fileprivate static let scans: [StatementText] =
        [""] + StoreTable.allCases.map { $0.description.scan($0.rowType.join) }
}

/// Looking at all rows and all pages when nobody waits: SQLite does not notice a damaged index, and
/// rows that only it could have found are missing without a word (R-22, S-13).
extension Database {
    /// Looks a little further, rows first; false when all was seen.
    func checkOnePiece(until deadline: ContinuousClock.Instant) throws(SceneStoreError) -> Bool {
        guard damage.pageCheck.areRowsChecked else {
            try checkRows(until: deadline)
            return true
        }
        return try checkOneTable()
    }

    private func checkRows(until deadline: ContinuousClock.Instant) throws(SceneStoreError) {
        do throws(SceneStoreError) {
            let begun = damage.verification.generation
            guard try verifyRows(until: deadline) else {
                return
            }
            damage.pageCheck.attempts += 1
            // Of rows that were gone through while others were written the sums tell nothing.
            let isCompared = begun < 0 || begun == store.generation
            damage.pageCheck.areRowsChecked = isCompared || damage.pageCheck.attempts >= 3
        } catch  where error.code == .corrupt {
            // The pages will tell in which table.
            damage.verification = VerificationState()
            damage.pageCheck.areRowsChecked = true
        }
    }

    /// Looks at the pages of one table and its indexes; false when none is left.
    private func checkOneTable() throws(SceneStoreError) -> Bool {
        guard !damage.pageCheck.isOver else {
            return false
        }
        let table = StoreTable.allCases[damage.pageCheck.tables]
        let report = try translating {
            // SQLite cannot go on where it stopped within a table: each gets the time it takes.
            try connection.check(table: table.name, budget: Budget())
        }
        damage.pageCheck.tables += 1
        if let problem = report.problems.first, damage.pageCheck.damaged.insert(table).inserted {
            noteDamagedPages(of: table, "the pages of table \(table.name) are damaged: \(problem)")
        }
        return !damage.pageCheck.isOver
    }
}
