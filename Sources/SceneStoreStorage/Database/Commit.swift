import SceneStoreSQLite
import SceneStoreValues

extension Database {
    /// Runs a body that changes rows, and commits.
    ///
    /// The generation has been raised when the body begins. When this throws, nothing is changed
    /// (S-21, S-42, L-41), except after a failed sync. The database then writes no more. A body that
    /// changes nothing commits nothing.
    package func write<Result>(
        _ durability: Durability,
        _ body: (borrowing Transaction) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try prepareToWrite(durability)
        return try commit(durability, body)
    }

    /// The transaction itself.
    package func commit<Result>(
        _ durability: Durability,
        _ body: (borrowing Transaction) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        precondition(fence.committed == nil, "a transaction begins no other one")
        let before = store
        fence.committed = before.generation
        defer { fence.committed = nil }
        let frames = connection.walFrames
        let result: Result
        do {
            result = try connection.write(durability == .full ? .full : .normal) {
                raw throws(SceneStoreError) in
                if connection.isChangedByOthers {
                    throw try foreignChange()
                }
                let transaction = Transaction(self, raw)
                fence.hasChanged = false
                fence.row.generation += 1
                let result = try body(transaction)
                if fence.hasChanged || !journal.events.isEmpty || !journal.decisions.isEmpty {
                    try transaction.finish(before)
                } else {
                    fence.row = before
                }
                return result
            }
        } catch {
            forgetTransaction(before)
            // What it means for the transactions to come.
            if [.ownershipLost, .replaced, .poisoned].contains(error.code) {
                fence.failure = error
            } else if connection.isPoisoned {
                fence.failure = Self.poisoned
            }
            throw error
        }
        guard store.generation > before.generation else {
            return result
        }
        counters.transactions += 1
        do throws(SceneStoreError) {
            if durability == .full {
                // Of the database alone, for the log was looked at before it was written.
                try translating { try container.watch?.confirm() }
            } else {
                try container.checkUnmoved()
                log.noteUnsynced(at: options.clock())
            }
            try boundLog(before: frames)
        } catch {
            // It was committed into a file that no launch will look for, or perhaps so: never
            // acknowledged.
            let isOfPlace = [.moved, .replaced, .missing, .forked].contains(error.code)
            fence.failure = isOfPlace ? error : Self.poisoned
            guard holdsRefusedWrites else {
                forgetTransaction(store)
                throw error
            }
            // Whoever goes on in memory goes on from this commit.
            lateRefusal = error
        }
        if durability == .full, lateRefusal == nil {
            counters.durableTransactions += 1
            log.noteSynced(counters.transactions)
            container.note(durable: store.generation)
        }
        journal.decisions.removeAll()
        journal.events.removeAll(keepingCapacity: true)
        return result
    }

    private static let poisoned = SceneStoreError(
        .poisoned,
        "an earlier write did not reach the disk; close the store and open it again")

    /// Throws unless this database may write. Before a commit that takes its time anyway it looks
    /// whether the file is still in its place; every commit does before it is acknowledged.
    private func prepareToWrite(_ durability: Durability) throws(SceneStoreError) {
        try checkUsable()
        guard !isReader else {
            throw SceneStoreError(.readOnly, "the store was opened only for reading")
        }
        if durability == .full {
            try container.checkUnmoved()
            try container.nameLog()
        } else if log.unsyncedSince != nil {
            container.anchorNote()
        }
        if fence.isStale {
            try reloadStoreRow()
        }
    }

    /// Throws unless this database may go on.
    package func checkUsable() throws(SceneStoreError) {
        guard !isClosed else {
            throw closedError
        }
        if let failure = fence.failure {
            throw failure
        }
        // What equals the stored state is not written, so nothing else would notice.
        guard !connection.isBehindFork else {
            throw SceneStoreError(Connection.forked)
        }
    }

    private func forgetTransaction(_ before: StoreRow) {
        caches = StoreCaches()
        journal.events.removeAll()
        fence.row = before
        fence.isStale = true
    }

    /// Who has written into the store beside this owner: another owner, whom a lock that lies let
    /// in (S-30), or a program that knows nothing of owners.
    private func foreignChange() throws(SceneStoreError) -> SceneStoreError {
        // Unchecked: an owner of another make may have its own way of sealing.
        let row = try Self.storeRow(connection)
        guard row.uuid == store.uuid, row.ownerEpoch == store.ownerEpoch,
            row.generation == fence.row.generation
        else {
            return Self.ownershipLost
        }
        return SceneStoreError(
            .replaced,
            "another program has written into the open store; close it and open it again",
            path: ContainerName.store)
    }

    package static let ownershipLost = SceneStoreError(
        .ownershipLost,
        "another process has written to the store; close it and open it again")

    /// Reads the store's row again, and checks that it is still ours.
    private func reloadStoreRow() throws(SceneStoreError) {
        let row = try readStoreRow()
        guard row.uuid == store.uuid, row.ownerEpoch == store.ownerEpoch else {
            fence.failure = Self.ownershipLost
            throw Self.ownershipLost
        }
        fence.row = row
        fence.isStale = false
    }

    /// The store's row as it is in the file, checked.
    package func readStoreRow() throws(SceneStoreError) -> StoreRow {
        let row = try Self.storeRow(connection)
        guard row.isWhole(sealer) else {
            throw Self.damagedStoreRow
        }
        return row
    }

    /// The store's row, unchecked.
    package static func storeRow(_ connection: Connection) throws(SceneStoreError) -> StoreRow {
        let rows = try connection.uncheckedRows(StoreRow.byNumber, binding(1 as Int64))
        guard let row = rows?.first else {
            throw damagedStoreRow
        }
        return row
    }

    /// The store's row, if it can be read and proves itself.
    static func provenStoreRow(_ connection: Connection) -> StoreRow? {
        (try? storeRow(connection)).flatMap { $0.isWhole(RowSealer(uuid: $0.uuid)) ? $0 : nil }
    }

    package static let damagedStoreRow =
        SceneStoreError(.corrupt, "the store's own row is damaged or missing", path: "store")

    /// Runs a body that only reads. A reader sees one state of a store that others change.
    package func read<Result>(
        _ body: (Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        guard !isClosed else {
            throw closedError
        }
        guard isReader else {
            if fence.isStale, fence.failure == nil {
                try reloadStoreRow()
            }
            return try body(self)
        }
        return try connection.read { _ throws(SceneStoreError) in
            let row = try readStoreRow()
            if row.generation != store.generation || row.ownerEpoch != store.ownerEpoch {
                caches = StoreCaches()
            }
            fence.row = row
            return try body(self)
        }
    }
}
