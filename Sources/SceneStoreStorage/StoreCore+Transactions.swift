import SceneStoreSQLite
import SceneStoreValues

extension StoreCore {
    /// Runs a body that changes rows, and commits.
    ///
    /// The generation has been raised when the body begins. When this throws, nothing is changed
    /// (S-21), but for a failed sync, after which the core writes no more.
    package func write<Result>(
        _ durability: Durability, _ body: () throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try prepareToWrite(durability)
        return try commit(durability, body)
    }

    /// The transaction itself.
    package func commit<Result>(
        _ durability: Durability, _ body: () throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        let before = store
        let result: Result
        do {
            result = try connection.write(durability == .full ? .full : .normal) {
                _ throws(SceneStoreError) in
                store.generation += 1
                let result = try body()
                try writeConfigurationCounts()
                try writeEvents()
                try exchangeStoreRow(before)
                return result
            }
        } catch {
            forgetTransaction(before)
            throw judge(error)
        }
        counters.transactions += 1
        do throws(SceneStoreError) {
            if durability == .full {
                try container.confirmPlace()
            } else {
                try container.checkUnmoved()
            }
        } catch {
            // It was committed into a file that no launch will look for, or perhaps so: never
            // acknowledged.
            failure = Self.isOfPlace(error) ? error : Self.poisoned
            forgetTransaction(store)
            throw error
        }
        if durability == .full {
            counters.durableTransactions += 1
            lastSync = counters.transactions
            container.note(durable: store.generation)
        }
        publish()
        return result
    }

    /// Whether an error says what became of the file, rather than that it could not be looked at.
    private static func isOfPlace(_ error: SceneStoreError) -> Bool {
        switch error.code {
        case .moved, .replaced, .missing, .forked: true
        default: false
        }
    }

    private static var poisoned: SceneStoreError {
        SceneStoreError(
            .poisoned,
            "an earlier write did not reach the disk; close the store and open it anew")
    }

    /// Throws unless this core may write. Before a commit that takes its time anyway it looks
    /// whether the file is still in its place; every commit does before it is acknowledged.
    private func prepareToWrite(_ durability: Durability) throws(SceneStoreError) {
        try checkUsable()
        guard !isReader else {
            throw SceneStoreError(.readOnly, "the store was opened to be read")
        }
        if durability == .full {
            try container.checkUnmoved()
        }
        if isStale {
            try reloadStoreRow()
        }
    }

    /// Throws unless this core may go on.
    package func checkUsable() throws(SceneStoreError) {
        guard !isClosed else {
            throw closedError
        }
        if let failure {
            throw failure
        }
    }

    private func forgetTransaction(_ before: StoreRow) {
        caches = StoreCaches()
        pendingEvents.removeAll()
        hasChangedConfigurations = false
        store = before
        isStale = true
    }

    /// What an error of a transaction means for the transactions to come.
    private func judge(_ error: SceneStoreError) -> SceneStoreError {
        switch error.code {
        case .ownershipLost: failure = error
        case .poisoned: failure = error
        default:
            if connection.isPoisoned {
                failure = Self.poisoned
            }
        }
        return error
    }

    /// The fence of the transaction: writes the store's row over the one that is expected.
    private func exchangeStoreRow(_ before: StoreRow) throws(SceneStoreError) {
        store.seal(sealer)
        let changes = try change(Queries.updateStore) { statement throws(SQLiteError) in
            try store.bindUpdate(statement, expecting: before)
        }
        guard changes == 1 else {
            throw Self.ownershipLost
        }
    }

    package static var ownershipLost: SceneStoreError {
        SceneStoreError(
            .ownershipLost,
            "another process has written to the store; close it and open it anew")
    }

    /// Reads the store's row again, and checks that it is still ours.
    private func reloadStoreRow() throws(SceneStoreError) {
        let row = try readStoreRow()
        guard row.uuid == store.uuid, row.ownerEpoch == store.ownerEpoch else {
            failure = Self.ownershipLost
            throw Self.ownershipLost
        }
        store = row
        isStale = false
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
        let row: StoreRow?
        do {
            row = try connection.withStatement(Queries.store) {
                statement throws(SQLiteError) -> StoreRow? in
                try statement.step() ? try StoreRow(statement) : nil
            }
        } catch {
            guard error.kind == .wrongType || error.kind == .invalidText else {
                throw SceneStoreError(error)
            }
            throw damagedStoreRow
        }
        guard let row else {
            throw damagedStoreRow
        }
        return row
    }

    package static var damagedStoreRow: SceneStoreError {
        SceneStoreError(.corrupt, "the store's own row is damaged or missing", path: "store")
    }

    /// Runs a body that only reads. A reader sees one state of a store that others change.
    package func read<Result>(
        _ body: () throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        guard !isClosed else {
            throw closedError
        }
        guard isReader else {
            if isStale, failure == nil {
                try reloadStoreRow()
            }
            return try body()
        }
        return try connection.read { _ throws(SceneStoreError) in
            let row = try readStoreRow()
            if row.generation != store.generation || row.ownerEpoch != store.ownerEpoch {
                caches = StoreCaches()
            }
            store = row
            return try body()
        }
    }

    // MARK: - Statements

    /// Runs a statement that has to change exactly one row.
    package func run(
        _ sql: StaticString, _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) {
        do {
            try connection.withStatement(sql) { statement throws(SQLiteError) in
                try bind(statement)
                try statement.runChangingOneRow()
            }
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// Runs a statement that changes any number of rows, and answers how many.
    @discardableResult
    package func change(
        _ sql: StaticString, _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) -> Int64 {
        do {
            try connection.withStatement(sql) { statement throws(SQLiteError) in
                try bind(statement)
                try statement.run()
            }
            return connection.changes
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// Gives each whole row of a query to a body, until it answers false; damaged rows are noted
    /// and passed over.
    ///
    /// Always inlined, so that a row of the skeleton is read, checked and taken where it lies:
    /// each copy on the way to the body costs a tenth of reading it.
    @inline(__always)
    package func each<Row: StoredRow>(
        _ sql: StaticString, _: Row.Type,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void,
        _ body: (Row, borrowing Statement) throws(SceneStoreError) -> Bool
    ) throws(SceneStoreError) {
        try connection.withStatement(sql) { statement throws(SceneStoreError) in
            do throws(SQLiteError) {
                try bind(statement)
            } catch {
                throw SceneStoreError(error)
            }
            while try step(statement) {
                let row: Row
                do throws(SQLiteError) {
                    row = try Row(statement)
                } catch {
                    try noteUnreadable(statement, Row.table, error)
                    continue
                }
                guard row.isWhole(sealer) else {
                    try noteDamage(statement, Row.table, "checksum")
                    continue
                }
                guard try body(row, statement) else {
                    return
                }
            }
        }
    }

    private func step(_ statement: borrowing Statement) throws(SceneStoreError) -> Bool {
        do {
            return try statement.step()
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// Notes a row whose columns are of other types than its table has; throws anything else.
    private func noteUnreadable(
        _ statement: borrowing Statement, _ table: StoreTable, _ error: SQLiteError
    ) throws(SceneStoreError) {
        guard error.kind == .wrongType || error.kind == .invalidText else {
            throw SceneStoreError(error)
        }
        try noteDamage(statement, table, "type")
    }

    private func noteDamage(
        _ statement: borrowing Statement, _ table: StoreTable, _ what: String
    ) throws(SceneStoreError) {
        // The first column is the row's number, an alias of the rowid, which cannot be of
        // another type.
        do {
            noteDamage(table, try statement.integer(at: 0), what)
        } catch {
            guard error.kind == .wrongType else {
                throw SceneStoreError(error)
            }
            noteDamage(table, 0, what)
        }
    }

    /// All whole rows of a query.
    package func rows<Row: StoredRow>(
        _ sql: StaticString, _: Row.Type,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) -> [Row] {
        var result: [Row] = []
        try each(sql, Row.self, bind) { row, _ in
            result.append(row)
            return true
        }
        return result
    }

    /// The first whole row of a query.
    package func first<Row: StoredRow>(
        _ sql: StaticString, _: Row.Type,
        _ bind: (borrowing Statement) throws(SQLiteError) -> Void
    ) throws(SceneStoreError) -> Row? {
        var result: Row?
        try each(sql, Row.self, bind) { row, _ in
            result = row
            return false
        }
        return result
    }

    /// Lends the payload of a row to a body, if it is what the row says; else the row is noted as
    /// damaged and the answer is nil.
    package func withPayload<Result>(
        _ statement: borrowing Statement, of table: StoreTable, id: Int64, hash: Int64,
        _ body: (UnsafeRawBufferPointer) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        let index = statement.columnCount - 1
        guard statement.columnType(at: index) == .blob else {
            noteDamage(table, id, "payload")
            return nil
        }
        return try statement.withBlob(at: index) {
            bytes throws(SceneStoreError) -> Result? in
            guard Self.hash(bytes) == hash else {
                noteDamage(table, id, "payload")
                return nil
            }
            return try body(bytes)
        }
    }
}
