import SceneStoreCSQLite
import SceneStoreCSupport

/// One connection to one database, used by one caller at a time.
///
/// Invariants:
/// 1. After `init` every setting of R-20 is in force and was read back.
/// 2. Every result code is looked at; a failed sync poisons the connection: it reads, and neither
///    writes nor checkpoints again, not even on close.
/// 3. In a forked child every call throws `forked`, and nothing of SQLite is touched.
/// 4. Statements live in closures: none outlives its call, all are finalised before the close.
/// 5. No descriptor of the database file is closed by this process while one is open here.
/// 6. Before an owner reads or writes the log's index, it is as long as it was.
package final class Connection {
    package let role: Role
    package let database: OpaquePointer
    let fault: FaultSeam?
    package let options: Options
    package let path: String
    let context: UnsafeMutablePointer<CallbackContext>
    // Used by one caller at a time, each without another inside: the check would cost every
    // statement of a save.
    @exclusivity(unchecked) var cache: StatementCache
    /// How many integers are read in one go at most: a bit is kept for each.
    static let integerCapacity = 64
    /// Where rows are read into, one at a time.
    let integers: UnsafeMutablePointer<Int64>
    /// The durability in force, or nil while unknown.
    @exclusivity(unchecked) package internal(set) var durability: Synchronous?
    /// Whether deleted rows are overwritten, or nil while unknown.
    package internal(set) var secureDelete: Bool?
    /// What the log's index counted when this connection wrote last; nil when that is not known.
    @exclusivity(unchecked) var knownChanges: UInt32?
    /// The same as the transaction that writes found it.
    @exclusivity(unchecked) var changesAtBeginning: UInt32?
    /// Whether a failed sync ended the writing.
    @exclusivity(unchecked) package internal(set) var isPoisoned = false
    @exclusivity(unchecked) private var isClosed = false
    /// Which file the log's index is, and how long it was at the last look.
    @exclusivity(unchecked) private var index: (identity: FileIdentity, size: Int64)?
    /// Its path as the system takes it, made once.
    private let indexPath: ContiguousArray<CChar>
    /// Whether SQLite has it open, where others can reach it.
    @exclusivity(unchecked) private var watchesIndex = false
    /// Whether the log's index was cut off, and made as long as before.
    @exclusivity(unchecked) package var isIndexRestored = false
    private let forkCount: UInt32
    private let process: Int32

    /// Opens the database at an absolute path whose parents are resolved.
    package init(path: String, options: Options) throws(SQLiteError) {
        guard Calls.version >= 3_037_000, Calls.isBuiltForThreads else {
            throw SQLiteError(.unsupported, "SQLite 3.37 or newer, built for threads, is needed")
        }
        guard scenestore_fork_watch() == 0 else {
            throw SQLiteError(.outOfMemory, "no memory to watch for forks")
        }
        if let identity = options.identity, !DatabaseDescriptors.willOpen(identity) {
            throw Self.forked
        }
        let (code, handle) = Calls.open(
            options.name(of: path), flags: options.flags, vfs: options.vfs,
            image: options.image, fault: options.fault)
        guard code == SQLITE_OK, let handle else {
            let system = handle.map { Calls.systemCode(of: $0) } ?? 0
            if let handle { _ = Calls.close(handle, fault: nil) }
            if let identity = options.identity { DatabaseDescriptors.didClose(identity) }
            throw SQLiteError(
                SQLiteError.Kind(code: code, systemCode: system),
                "opening the database: \(Calls.text(of: code))", code: code)
        }
        self.role = options.role
        self.path = path
        self.indexPath = (path + "-shm").utf8CString
        self.options = options
        self.cache = StatementCache(capacity: options.statementCapacity)
        self.fault = options.fault
        self.database = handle
        self.forkCount = scenestore_fork_count()
        self.process = System.processIdentifier
        self.context = .allocate(capacity: 1)
        self.context.initialize(to: CallbackContext())
        self.integers = .allocate(capacity: Self.integerCapacity)
        // From here on a throw ends in deinit, which closes the handle and frees what was
        // allocated; before, it does not.
        do {
            try configure()
        } catch {
            // A checkpoint would write a log over the file that it may not belong to.
            if let log = try? System.status(at: path + "-wal"), log.size > 0 { abandon() }
            throw error
        }
        watchesIndex = role == .owner && options.identity != nil
    }

    deinit {
        integers.deallocate()
        // A child leaks what it inherited: closing would touch the parent's file and locks.
        guard !isForked else { return }
        if !isClosed { _ = closeHandle() }
        context.deinitialize(count: 1)
        context.deallocate()
    }

    /// Closes the handle; every later call throws `closed`. An owner checkpoints first, with
    /// `checkpoint(.truncate)`, because SQLite keeps the failures of its own to itself.
    package func close() throws(SQLiteError) {
        try checkProcess()
        guard !isClosed else { return }
        let code = closeHandle()
        guard code == SQLITE_OK else {
            // The handle may be gone: nothing is asked of it any more.
            throw SQLiteError(
                SQLiteError.Kind(code: code, systemCode: 0),
                "closing the database: \(Calls.text(of: code))", code: code)
        }
    }

    /// Closes the handle as the death of the process would: without a checkpoint, the log stays.
    package func abandon() {
        guard !isForked, !isClosed else { return }
        _ = Calls.configure(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true, fault: nil)
        _ = closeHandle()
    }

    private func closeHandle() -> Int32 {
        for statement in cache.statements { Calls.finalize(statement.handle) }
        do {
            try keepIndex()
        } catch {
            isClosed = true
            return error.code
        }
        if isPoisoned {
            // What the disk refused may not be copied into the main file either.
            _ = Calls.configure(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true, fault: nil)
        }
        let code = Calls.close(database, fault: fault)
        // A handle that would not close is leaked, with its registration, and used no more.
        isClosed = true
        if code == SQLITE_OK, let identity = options.identity {
            DatabaseDescriptors.didClose(identity)
        }
        return code
    }

    /// Makes the log's index as long as it was, if another program cut it off. SQLite has it in
    /// memory as a file, and the system ends a process that looks behind the file's end. SQLite makes
    /// a new index from the log when it finds only zeros.
    @inline(__always)
    func keepIndex() throws(SQLiteError) {
        guard watchesIndex, !Calls.isInTransaction(database) else { return }
        try lookAtIndex()
    }

    private func lookAtIndex() throws(SQLiteError) {
        guard Calls.isIdle(database) else { return }
        var size: Int64 = 0
        var modified: Int64 = 0
        let code = indexPath.withUnsafeBufferPointer { path in
            path.baseAddress.map { scenestore_content(-1, $0, &size, &modified) } ?? -1
        }
        if let index, code == 0, size >= index.size {
            self.index?.size = size
            return
        }
        let path = path + "-shm"
        let found: FileStatus
        do { found = try System.status(at: path) } catch { return }
        guard let known = index else {
            index = (found.identity, found.size)
            return
        }
        guard found.identity == known.identity else { return }
        do throws(SystemError) {
            try System.truncate(path, to: 0)
            try System.truncate(path, to: known.size)
        } catch {
            throw SQLiteError(
                .ioError, "restoring the log's index: \(error)", code: SQLITE_IOERR)
        }
        isIndexRestored = true
        // The new one counts anew.
        knownChanges = nil
    }

    /// Whether this process is a child of the one that opened the connection.
    package var isForked: Bool {
        isBehindFork || System.processIdentifier != process
    }

    /// Whether `fork()` made this process after the connection was opened; no call to the system.
    @inline(__always)
    package var isBehindFork: Bool { scenestore_fork_count() != forkCount }

    /// Throws `forked` or `closed`. The count misses only a raw `clone`, which the start of a
    /// transaction notices by the process identifier.
    @inline(__always)
    package func checkUsable() throws(SQLiteError) {
        guard !isBehindFork, !isClosed else { throw unusable() }
    }

    func checkProcess() throws(SQLiteError) {
        guard !isForked else { throw unusable() }
        try checkUsable()
    }

    private func unusable() -> SQLiteError {
        isClosed && !isForked
            ? SQLiteError(.closed, "the database is closed")
            : Self.forked
    }

    package static let forked = SQLiteError(
        .forked, "a forked process can't use what its parent had open; start a new program")

    func checkWritable() throws(SQLiteError) {
        guard !isPoisoned else {
            throw SQLiteError(
                .poisoned, "an earlier write did not reach the disk; open the database again")
        }
    }

    /// The error for a result code. What SQLite says about statements and names is quoted, and
    /// nothing else of it, because its words may come from the file.
    package func failure(_ answered: Int32, _ what: String) -> SQLiteError {
        let code =
            answered & 0xff == SQLITE_CORRUPT && hasUnreadableFile
            ? ExtendedCode.ioUnreadable : answered
        // Zero where the code was not SQLite's last word, so that no older error explains it.
        let isLast = Calls.extendedCode(of: database) == answered
        // A commit that can't write its log leaves no reason with the connection.
        let refused = code == ExtendedCode.ioWrite ? Calls.lastSystemErrors(database) : (0, 0)
        let log = refused.1 != 0 ? refused.1 : refused.0
        let system = log != 0 ? log : isLast ? Calls.systemCode(of: database) : 0
        var kind = SQLiteError.Kind(code: code, systemCode: system)
        if kind == .syncFailed { isPoisoned = true }
        if kind == .interrupted, context.pointee.spending?.isExhausted == true {
            kind = .budgetExceeded
        }
        // What it could not open for writing, whatever the cause, SQLite opens for reading.
        // A file that it could not look at has moved, to SQLite.
        if kind == .moved, !isGoneFromPath { kind = .ioError }
        if code == SQLITE_READONLY, role.writes, System.canWrite(path) { kind = .cannotOpen }
        var message = "\(what): \(Calls.text(of: code))"
        let primary = code & 0xff
        if isLast, primary == SQLITE_ERROR || primary == SQLITE_CONSTRAINT,
            let text = Calls.message(of: database)
        {
            let bytes = sequence(first: text) { $0 + 1 }.lazy.map { UInt8(bitPattern: $0.pointee) }
            message = "\(what): \(printable(bytes.prefix { $0 != 0 }))"
        }
        return SQLiteError(kind, message, code: code)
    }

    /// Whether SQLite opened the file for reading alone, because it could not be written then, and it
    /// can be written by now: this connection never will.
    package var isReadingWritableFile: Bool {
        role.writes && !isClosed && Calls.isReadOnly(database) && System.canWrite(path)
    }

    /// Whether the system refused to read the file or its log. SQLite calls that a damaged database
    /// in the end, and it is none: what could not be read may be whole (S-10).
    var hasUnreadableFile: Bool {
        let errors = Calls.lastSystemErrors(database)
        return SystemError(code: errors.file).isUnreadable
            || SystemError(code: errors.log).isUnreadable
    }

    /// Whether another file than the open one, or none, is at the path.
    private var isGoneFromPath: Bool {
        let (code, moved) = Calls.hasMoved(database)
        guard code == SQLITE_OK, moved else { return code != SQLITE_OK }
        do {
            let identity = try System.status(at: path).identity
            return options.identity.map { $0 != identity } ?? true
        } catch {
            return error.isMissing
        }
    }

    /// Gives back memory for what can be made again: pages, and statements that were used at most once
    /// since the last call.
    package func releaseMemory() {
        guard !isForked, !isClosed else { return }
        let once = cache.remove { statement in
            defer { statement.uses = 0 }
            return statement.uses < 2
        }
        for statement in once { Calls.finalize(statement.handle) }
        Calls.releaseMemory(database)
    }

    // MARK: - Counters, all zero once it is closed

    /// Whether a transaction is open.
    package var isInTransaction: Bool { !isClosed && Calls.isInTransaction(database) }
    /// Rows changed by the statement that finished last.
    package var changes: Int64 { isClosed ? 0 : Calls.changes(database) }
    /// Frames in the log after the last commit or checkpoint of this connection.
    package var walFrames: Int { Int(context.pointee.walFrames) }

    /// Pages that were not in memory when they were asked for, since the opening.
    package var pagesRead: Int {
        get throws(SQLiteError) { try status(SQLITE_DBSTATUS_CACHE_MISS) }
    }

    /// One of SQLite's counters of a connection, such as `SQLITE_DBSTATUS_CACHE_WRITE`.
    package func status(_ counter: Int32) throws(SQLiteError) -> Int {
        try checkUsable()
        let (code, value) = Calls.status(database, counter)
        guard code == SQLITE_OK else { throw failure(code, "reading a counter") }
        return Int(value)
    }

    // MARK: - Budgets

    /// Runs a body whose statements stop with `budgetExceeded` when the budget is spent. An inner
    /// budget stands in for an outer one, which goes on afterwards. When `isCancelled` says so, they
    /// stop with `interrupted`.
    package func withBudget<Result, Failure: SQLiteErrorConvertible>(
        _ budget: Budget, isCancelled: (() -> Bool)? = nil, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do { try checkUsable() } catch { throw Failure(error) }
        let outer = context.pointee.spending
        context.pointee.spending = Spending(budget, isCancelled: isCancelled)
        Calls.observeProgress(database, every: budget.interval, context)
        defer {
            context.pointee.spending = outer
            Calls.observeProgress(database, every: outer?.interval ?? 0, context)
        }
        return try body()
    }
}

@available(*, unavailable)
extension Connection: Sendable {}

extension Connection {
    /// Begins to note which rows are inserted, updated and deleted.
    package func observeChanges() {
        guard context.pointee.changes == nil else { return }
        context.pointee.changes = [:]
        Calls.observeChanges(database, context)
    }

    /// The rows that were written since ``observeChanges()``.
    package var changedRows: [String: Set<Int64>] { context.pointee.changes ?? [:] }
}
