import SceneStoreCSQLite

/// A transaction while it runs. It lends statements and cannot begin another one.
package struct ConnectionTransaction: ~Copyable {
    let connection: Connection
    /// Whether it may change anything.
    package let writes: Bool

    /// The same transaction, for what wraps it. It must not outlive the body that it was lent to.
    package borrowing func again() -> ConnectionTransaction {
        ConnectionTransaction(connection: connection, writes: writes)
    }

    /// Lends a statement, as `Connection.withStatement` does.
    package func withStatement<Result, Failure: SQLiteErrorConvertible>(
        _ sql: StatementText, _ body: (borrowing Statement) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let mayWrite = writes
        return try connection.withStatement(sql) { statement throws(Failure) in
            guard mayWrite || statement.isReadOnly else {
                throw Failure(
                    SQLiteError(.misuse, "a statement that writes in a transaction that reads"))
            }
            return try body(statement)
        }
    }

    /// Runs all statements of a script.
    package func execute(script: [UInt8], named name: String) throws(SQLiteError) {
        guard writes else {
            throw SQLiteError(.misuse, "a script in a transaction that reads")
        }
        try connection.execute(script: script, named: name)
    }

    /// Rows changed by the statement that finished last.
    package var changes: Int64 { connection.changes }
}

/// The statements around a transaction, one address each.
private enum TransactionControl {
    static let beginWriting: StatementText = "BEGIN IMMEDIATE"
    static let beginReading: StatementText = "BEGIN"
    static let commit: StatementText = "COMMIT"
    static let rollBack: StatementText = "ROLLBACK"

    static var all: [StatementText] { [beginWriting, beginReading, commit, rollBack] }
}

extension Connection {
    /// Compiles what begins and ends transactions, so that no want of memory can keep one from
    /// ending later.
    func prepareTransactionControl() throws(SQLiteError) {
        for sql in TransactionControl.all {
            try giveBack(take(sql))
        }
        for statement in cache.statements { statement.isKept = true }
    }

    /// Runs a body in a transaction that has the write lock from its beginning, commits when it
    /// returns and rolls back when it throws.
    ///
    /// When this returns, the changes are as durable as the durability in force says. When it
    /// throws, nothing of them is in the database, with one exception: after `syncFailed` the
    /// disk may hold them, and the connection is poisoned.
    package func write<Result, Failure: SQLiteErrorConvertible>(
        _ durability: Synchronous? = nil,
        _ body: (borrowing ConnectionTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do { try beginWriting(durability) } catch { throw Failure(error) }
        let before = role == .owner ? Calls.logChanges(database) : nil
        changesAtBeginning = before
        let result: Result
        do {
            result = try body(ConnectionTransaction(connection: self, writes: true))
        } catch {
            rollBack()
            throw error
        }
        // Where the count can't be read, or a commit failed half-way, the next write is not compared.
        knownChanges = nil
        do { try commit() } catch { throw Failure(error) }
        if let before, let after = Calls.logChanges(database) {
            // One commit counts one, or none if it changed nothing; what comes behind it is another's.
            knownChanges = after == before ? before : before &+ 1
        }
        return result
    }

    /// Whether another connection has written since this one did. To be asked within a
    /// transaction that writes.
    package var isChangedByOthers: Bool {
        // As the transaction found it: nobody else writes while it lasts.
        guard let knownChanges, let changesAtBeginning else {
            return false
        }
        return changesAtBeginning != knownChanges
    }

    /// What the log's index counts now is this connection's: what is counted from here on and was
    /// not written by it is another's.
    package func expectNoChanges() {
        knownChanges = role == .owner ? Calls.logChanges(database) : nil
    }

    /// What was written by a statement that is a transaction of its own is this connection's.
    package func noteOwnChanges() {
        knownChanges = role == .owner && knownChanges != nil ? Calls.logChanges(database) : nil
    }

    /// Runs a body that sees one state of the database.
    package func read<Result, Failure: SQLiteErrorConvertible>(
        _ body: (borrowing ConnectionTransaction) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do { try beginReading() } catch { throw Failure(error) }
        let result: Result
        do {
            result = try body(ConnectionTransaction(connection: self, writes: false))
        } catch {
            rollBack()
            throw error
        }
        do { try commit() } catch { throw Failure(error) }
        return result
    }

    /// Runs a body of several statements that read, under one lock of the file. Where that can't be
    /// had, or somebody has it already, each statement takes its own.
    package func readingAtOnce<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard (try? beginReading()) != nil else {
            return try body()
        }
        defer { rollBack() }
        return try body()
    }

    func beginWriting(_ durability: Synchronous?) throws(SQLiteError) {
        try checkProcess()
        try checkWritable()
        try checkNoTransaction()
        guard role.writes else {
            throw SQLiteError(.readOnly, "this connection only reads")
        }
        if let durability { try setSynchronous(durability) }
        try control(TransactionControl.beginWriting, .begin)
    }

    func beginReading() throws(SQLiteError) {
        try checkProcess()
        try checkNoTransaction()
        try control(TransactionControl.beginReading, .begin)
    }

    private func checkNoTransaction() throws(SQLiteError) {
        guard !isInTransaction else {
            throw SQLiteError(.misuse, "a transaction is open already")
        }
    }

    /// Ends the transaction for good or rolls it back; it is never left open.
    func commit() throws(SQLiteError) {
        try checkUsable()
        // A full disk, an I/O error or want of memory can end a transaction inside a statement;
        // a body that overlooked that must not be told that it was committed.
        guard isInTransaction else {
            throw SQLiteError(.transactionLost, "the transaction was rolled back before its end")
        }
        do {
            try control(TransactionControl.commit, .commit)
        } catch {
            rollBack()
            throw error
        }
    }

    /// Rolls back whatever is open. If even that fails, the connection writes no more.
    func rollBack() {
        guard !isForked, isInTransaction else { return }
        do {
            try control(TransactionControl.rollBack, .rollback)
        } catch {
            if isInTransaction { isPoisoned = true }
        }
    }

    private func control(
        _ sql: StatementText, _ operation: SQLiteOperation
    ) throws(SQLiteError) {
        let prepared = try take(sql)
        if let code = fault?(operation) {
            prepared.isInUse = false
            throw failure(code, prepared.name)
        }
        let code = Calls.step(prepared.handle, fault: nil)
        let failed = code == SQLITE_DONE ? nil : failure(code, prepared.name)
        _ = Calls.reset(prepared.handle, fault: nil)
        prepared.isInUse = false
        if let failed { throw failed }
    }
}
