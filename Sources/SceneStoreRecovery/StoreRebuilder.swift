import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes rows into a new store, each sealed anew under the new store's identity.
package struct StoreRebuilder {
    private let maker: StoreMaker
    /// How many rows a draft gets in one commit: a process that is killed loses no more of them.
    private let rowsPerCommit: Int
    package static let standardRowsPerCommit = 16_384

    /// Builds a store of what a salvage found; answers what came back of it.
    ///
    /// A process that is killed leaves what it has built so far, and the next one adds what is
    /// missing.
    ///
    /// - Parameter path: An empty file, or a draft of the same salvage.
    package func build(
        _ salvage: Salvage, at path: String
    ) throws(SceneStoreError) -> SalvageReport {
        let db = try draft(at: path, like: salvage.store)
        do throws(SceneStoreError) {
            let report = try fill(db, salvage)
            guard try db.verifyRows(until: nil), db.damage.rows.isEmpty,
                !db.damage.isShrunk
            else {
                throw SceneStoreError(
                    .internalError, "the store that was built does not pass its own check")
            }
            try db.close()
            return report
        } catch {
            db.abandon()
            throw error
        }
    }

    /// What a draft of a salvage is known by: all that goes into it, and the version that writes it.
    package func draftKey(of salvage: Salvage) -> UInt64 {
        let rest = [
            Int64(SchemaMigration.currentVersion), salvage.rowSum, Int64(salvage.rows.count),
            Int64(salvage.rows.damaged.count), Int64(salvage.report.entries.count),
            Int64(salvage.lostStates.count), salvage.lostStates.reduce(0, &+),
            salvage.store?.checksum ?? 0, salvage.restoringSession ?? 0, maker.owedGeneration,
        ]
        let text = StoreVersion.library + rest.map { " \($0)" }.joined()
        return ContentHash.hash(Array(text.utf8))
    }

    /// Reads what a salvage found into a store in memory; answers it and what came back.
    package func build(
        _ salvage: Salvage
    ) throws(SceneStoreError) -> (db: Database, report: SalvageReport) {
        let db = try maker.emptyStore(maker.connect(nil), like: Self.origin(salvage.store))
        do throws(SceneStoreError) {
            return (db, try fill(db, salvage))
        } catch {
            db.abandon()
            throw error
        }
    }

    /// What another process has begun, or a new store.
    private func draft(
        at path: String, like store: CarvedRow?
    ) throws(SceneStoreError) -> Database {
        let connection = try maker.connect(path, .draft)
        return try StoreMigrator.version(connection) == 0
            ? maker.emptyStore(connection, like: Self.origin(store)) : maker.known(connection)
    }

    private static func origin(
        _ store: CarvedRow?
    ) -> (createdAt: Int64, appIdentifier: String?)? {
        store.map { ($0.number("created_at"), $0["app_identifier"].text) }
    }

    // MARK: - Rows

    private func fill(
        _ db: Database, _ salvage: Salvage
    ) throws(SceneStoreError) -> SalvageReport {
        var report = salvage.report
        report.commitsLost = commitsLost(salvage)
        report.isComplete = report.isComplete && report.commitsLost == 0
        var rows = UnwrittenRows(salvage.rows)
        // Told, and ended where somebody says so: nothing of it is in its place yet.
        let stage = WorkProgress("rebuilding", .rows, total: salvage.rows.count)
        // Also of a draft that lacks no row: its owner may be another one by now.
        repeat {
            try db.write(.full) { transaction throws(SceneStoreError) in
                var written = 0
                while written < rowsPerCommit, let row = try rows.next(in: db) {
                    written += 1
                    try db.work.say(stage, done: rows.passed, every: 64)
                    if try !write(row, salvage, transaction) {
                        report.damagedRows += 1
                    }
                }
                if rows.isAtEnd {
                    try finish(transaction, salvage)
                }
            }
        } while !rows.isAtEnd
        return report
    }

    /// False when the row has no payload, or a rule of the schema refuses it.
    private func write(
        _ row: CarvedRow, _ salvage: Salvage, _ transaction: borrowing Transaction
    ) throws(SceneStoreError) -> Bool {
        var payload: [UInt8]?
        if row.layout.hasPayload {
            payload = salvage.payload(of: row)
            guard payload != nil else {
                return false
            }
        }
        return try transaction.insert(bound(row, salvage, transaction), payload: payload)
    }

    /// Makes a store of a draft that has all rows, once: only then its row names an owner's epoch.
    private func finish(
        _ transaction: borrowing Transaction, _ salvage: Salvage
    ) throws(SceneStoreError) {
        guard transaction.store.ownerEpoch == 0 else {
            transaction.store.ownerEpoch = max(transaction.store.ownerEpoch, maker.ownerEpoch)
            return
        }
        setCounters(transaction, salvage)
        for key in salvage.lostStates.sorted() {
            try transaction.withholdOlderState(of: key)
        }
        for row in salvage.rows.damaged {
            try keepDamaged(row, transaction)
        }
        note(transaction, salvage.report)
        let lost = commitsLost(salvage)
        if lost > 0 {
            transaction.note(.lostCommits, nil, "\(lost) that were durable")
        }
    }

    /// A session's row, bound to its state as that will be sealed in the new store.
    private func bound(
        _ row: CarvedRow, _ salvage: Salvage, _ transaction: borrowing Transaction
    ) -> CarvedRow {
        guard row.table == .session else {
            return row
        }
        var row = row
        let state = row["state_id"].integer.flatMap { salvage.rows[.state][$0] }
        row["state_checksum"] =
            state.map {
                .integer(transaction.db.sealer.checksum($0.layout, id: $0.id, $0.values))
            } ?? .null
        return row
    }

    /// How many commits that were durable nothing of what was found shows.
    private func commitsLost(_ salvage: Salvage) -> Int {
        Int(clamping: max(0, maker.owedGeneration - max(salvage.generation, 0)))
    }

    private func setCounters(_ transaction: borrowing Transaction, _ salvage: Salvage) {
        let store = salvage.store
        let events = salvage.rows[.event]
        let launches = salvage.rows[.launch]
        transaction.store.generation = max(
            transaction.store.generation, max(salvage.generation, maker.owedGeneration, 0) + 1)
        transaction.store.containerEpoch = max(salvage.epoch, 1)
        transaction.store.ownerEpoch = max(store?.number("owner_epoch") ?? 0, maker.ownerEpoch)
        transaction.store.eventCount = max(
            store?.number("event_count") ?? 0, events.map { $0.number("serial") }.max() ?? 0, 0)
        transaction.store.launchNumber = max(
            store?.number("launch_number") ?? 0, launches.ids.max() ?? 0, 0)
        let state = PreviousProcess.End(rawValue: store?.number("launch_state") ?? -1)
        transaction.store.launchState =
            state ?? (transaction.store.launchNumber > 0 ? .running : .never)
        // The launch that ended so is not the last one: the process after it died (L-14).
        if let store, store.number("generation") < maker.owedGeneration,
            transaction.store.launchState != .never
        {
            transaction.store.launchState = .running
        }
        // The lock's note is of the old store alone; here the row names the session.
        let isLast = store?.number("launch_number") == transaction.store.launchNumber
        transaction.store.restoringSession = isLast ? salvage.restoringSession : nil
        var last = max(store?.number("last_id") ?? 0, 0)
        for table in StoreTable.allCases where table != .launch && table != .event {
            let shift: Int64 = table == .state || table == .sessionValue ? 8 : 0
            last = max(last, (salvage.rows[table].ids.max() ?? 0) >> shift)
        }
        transaction.store.lastID = last
        transaction.store.erasurePending = store?.number("erasure_pending") == 1
    }

    private func keepDamaged(
        _ record: DamagedRecord, _ transaction: borrowing Transaction
    ) throws(SceneStoreError) {
        let columns: [Value] = record.columns.map { column in
            switch column {
            case .null: .null
            case .integer(let value): .integer(value)
            case .text(let value): .string(value)
            case .blob(let value): .data(Data(value))
            }
        }
        let payload: [UInt8]
        do {
            payload = try ValueCodec.encode(.array(columns), limits: .standard)
        } catch {
            // Too long for a row of ours; it is still in the file that was set aside.
            return
        }
        try transaction.insert(
            QuarantinedRow {
                $0.id = transaction.nextID()
                $0.epoch = transaction.store.containerEpoch
                $0.tableName = record.table.name
                $0.rowID = record.id
                $0.reason = record.reason
                $0.foundAt = transaction.db.now
                $0.generation = transaction.store.generation
                $0.contentHash = Database.hash(payload)
            }, payload: payload)
    }

    private func note(_ transaction: borrowing Transaction, _ report: SalvageReport) {
        let expected = report.expected.map { " of \($0)" } ?? ""
        transaction.note(.salvage, nil, "\(report.openSessions)\(expected) open sessions")
        let named = report.entries.count { $0.outcome == .lost }
        let unnamed = (report.counts[.lost] ?? 0) - named
        if unnamed > 0 {
            transaction.noteLost(unnamed: Int64(unnamed))
        }
        for entry in report.entries {
            transaction.note(
                entry.outcome == .lost ? .lost : .salvage, entry.sessionIdentifier.rawValue,
                "\(entry.outcome.rawValue): \(entry.reason)")
        }
    }

    package init(_ maker: StoreMaker, rowsPerCommit: Int = Self.standardRowsPerCommit) {
        self.maker = maker
        self.rowsPerCommit = rowsPerCommit
    }
}

extension Transaction {
    /// Inserts a row that was found without SQLite's help, sealed anew, within a transaction;
    /// false when the schema refuses it.
    package func insert(_ row: CarvedRow, payload: [UInt8]?) throws(SceneStoreError) -> Bool {
        let description = row.layout
        guard StoreTable.digested.contains(row.table),
            row.values.count == description.columns.count
        else {
            return false
        }
        let checksum = db.sealer.checksum(description, id: row.id, row.values)
        let isWritten = try isAllowed { () throws(SceneStoreError) in
            try (payload ?? []).lend { bytes throws(SceneStoreError) in
                try run(description.insert) { statement throws(SQLiteError) in
                    try statement.bind(1, row.id)
                    var index: Int32 = 2
                    for value in row.values {
                        try value.bind(statement, index)
                        index += 1
                    }
                    try statement.bind(index, checksum)
                    if description.hasPayload {
                        try statement.bind(index + 1, bytes)
                    }
                }
            }
        }
        guard isWritten else {
            return false
        }
        if row.table == .session, row["is_open"] == .integer(1) {
            store.openCount += 1
            store.openDigest = store.openDigest &+ checksum
        } else {
            digest(to: checksum)
        }
        return true
    }

    /// Runs a body that writes a row; false when a rule of the schema refuses it.
    package func isAllowed(
        _ body: () throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) -> Bool {
        do {
            try body()
            return true
        } catch {
            // SQLITE_CONSTRAINT
            guard let code = error.sqliteCode, code & 0xFF == 19 else {
                throw error
            }
            return false
        }
    }
}

extension ColumnValue {
    fileprivate func bind(
        _ statement: borrowing Statement, _ index: Int32
    ) throws(SQLiteError) {
        switch self {
        case .null: try statement.bindNull(index)
        case .integer(let number): try statement.bind(index, number)
        case .text(let text): try statement.bind(index, text)
        case .blob(let bytes): try statement.bind(index, copying: bytes)
        }
    }
}

extension Transaction {
    /// Keeps a session's current state, which is an earlier one than was saved last, from the app
    /// until it asks for it.
    package func withholdOlderState(of key: Int64) throws(SceneStoreError) {
        guard let session = try db.session(key), session.row.stateID != nil else {
            return
        }
        try judge(session) { row, pins in
            row.flags.withhold(.lost, slot: row.stateSlot, &pins)
        }
    }
}

extension StoredRow {
    /// Makes a row; what the closure leaves out is blank.
    package init(_ fill: (inout Self) -> Void) {
        self = .blank
        fill(&self)
    }
}
