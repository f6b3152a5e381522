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
    let database: OpaquePointer
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
    package internal(set) var secureDelete: SecureDelete?
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
                "opening the database: \(Calls.text(of: code))", code: code, systemCode: system)
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
        for statement in cache.removeAll() { Calls.finalize(statement.handle) }
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
        guard found.identity == known.identity, found.size < known.size else { return }
        do throws(SystemError) {
            try System.truncate(path, to: 0)
            try System.truncate(path, to: known.size)
        } catch {
            throw SQLiteError(
                .ioError, "restoring the log's index: \(error)", code: SQLITE_IOERR,
                systemCode: error.code)
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
    func checkUsable() throws(SQLiteError) {
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

    package static var forked: SQLiteError {
        SQLiteError(
            .forked, "a forked process can't use what its parent had open; start a new program")
    }

    func checkWritable() throws(SQLiteError) {
        guard !isPoisoned else {
            throw SQLiteError(
                .poisoned, "an earlier write did not reach the disk; open the database again")
        }
    }

    /// The error for a result code. What SQLite says about statements and names is quoted, and
    /// nothing else of it, because its words may come from the file.
    func failure(_ answered: Int32, _ what: String) -> SQLiteError {
        let code =
            answered & 0xff == SQLITE_CORRUPT && hasUnreadableFile
            ? ExtendedCode.ioUnreadable : answered
        // Zero where the code was not SQLite's last word, so that no older error explains it.
        let isLast = Calls.extendedCode(of: database) == answered
        // A commit that can't write its log leaves no reason with the connection.
        let log = code == ExtendedCode.ioWrite ? Calls.systemCodeOfLog(of: database) : 0
        let system = log != 0 ? log : isLast ? Calls.systemCode(of: database) : 0
        var kind = SQLiteError.Kind(code: code, systemCode: system)
        if kind == .syncFailed { isPoisoned = true }
        if kind == .interrupted, context.pointee.isExhausted { kind = .budgetExceeded }
        // What it could not open for writing, whatever the cause, SQLite opens for reading.
        // A file that it could not look at has moved, to SQLite.
        if kind == .moved, !isGoneFromPath { kind = .ioError }
        if code == SQLITE_READONLY, role.writes, System.canWrite(path) { kind = .cannotOpen }
        var message = "\(what): \(Calls.text(of: code))"
        let primary = code & 0xff
        if isLast, primary == SQLITE_ERROR || primary == SQLITE_CONSTRAINT,
            let text = Calls.message(of: database)
        {
            let bytes = UnsafeBufferPointer(start: text, count: Self.length(text, limit: 201))
            message = "\(what): \(printable(bytes.lazy.map { UInt8(bitPattern: $0) }))"
        }
        return SQLiteError(kind, message, code: code, systemCode: system)
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

    private static func length(_ text: UnsafePointer<CChar>, limit: Int) -> Int {
        var count = 0
        while count < limit, text[count] != 0 { count += 1 }
        return count
    }

    // MARK: - Counters, all zero once it is closed

    /// Whether a transaction is open.
    package var isInTransaction: Bool { !isClosed && Calls.isInTransaction(database) }
    /// Rows changed by the statement that finished last.
    package var changes: Int64 { isClosed ? 0 : Calls.changes(database) }
    /// Frames in the log after the last commit or checkpoint of this connection.
    package var walFrames: Int { Int(context.pointee.walFrames) }
    /// Commits of this connection that wrote to the log.
    package var commits: Int64 { context.pointee.commits }

    /// Pages that were not in memory when they were asked for, since the opening.
    package var pagesRead: Int {
        get throws(SQLiteError) { try status(SQLITE_DBSTATUS_CACHE_MISS).current }
    }

    /// One of SQLite's counters of a connection, such as `SQLITE_DBSTATUS_CACHE_WRITE`.
    package func status(
        _ counter: Int32, resets: Bool = false
    ) throws(SQLiteError) -> (current: Int, highest: Int) {
        try checkUsable()
        let (code, current, highest) = Calls.status(database, counter, resets: resets)
        guard code == SQLITE_OK else { throw failure(code, "reading a counter") }
        return (Int(current), Int(highest))
    }

    // MARK: - Budgets

    /// Runs a body whose statements stop with `budgetExceeded` when the budget is spent. An inner
    /// budget stands in for an outer one, which goes on afterwards. When `isCancelled` says so, they
    /// stop with `interrupted`.
    package func withBudget<Result, Failure: SQLiteErrorConvertible>(
        _ budget: Budget, isCancelled: (() -> Bool)? = nil, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do { try checkUsable() } catch { throw Failure(error) }
        let outer = context.pointee
        context.pointee.start(budget, isCancelled: isCancelled)
        Calls.observeProgress(database, every: budget.interval, context)
        defer {
            context.pointee.restoreBudget(of: outer)
            if outer.isBudgeted {
                Calls.observeProgress(database, every: outer.interval, context)
            } else {
                Calls.ignoreProgress(database)
            }
        }
        return try body()
    }
}

@available(*, unavailable)
extension Connection: Sendable {}

extension Connection {
    /// What a connection is for; everything about how the file is opened follows from it.
    package enum Role: Hashable, Sendable {
        /// The one connection in the world that writes and checkpoints the store.
        case owner
        /// Reads a store that a live owner has open; creates no file and checkpoints nothing.
        case reader
        /// Reads a file that nobody writes and that has no log; creates no file.
        case immutable
        /// Reads a private copy, which `image` has.
        case copy
        /// A file that only this process knows, the target of a backup: written, no log.
        case scratch
        /// A database without a file.
        case memory
        /// A file that the next process goes on with if this one is killed: written, with a journal
        /// beside it.
        case draft

        /// Whether statements may change the database.
        package var writes: Bool {
            switch self {
            case .owner, .scratch, .draft, .memory: true
            case .reader, .immutable, .copy: false
            }
        }
    }

    /// How to open one.
    package struct Options: Sendable {
        package var role: Role
        /// Views may be queried: for people's own SQL, never for ours.
        package var allowsViews = false
        /// SQLite may make the file; only for stores that live inside a file system of `vfs`.
        package var allowsCreation = false
        /// The SQLite file system to use, or nil for the default one.
        package var vfs: String?
        /// How long a call waits for another connection's lock.
        package var busyMilliseconds: Int32 = 1_000
        /// The `application_id` that the file must carry, and that a new one gets.
        package var applicationID: Int32?
        /// The file that the path was checked to name; opening another one is an error.
        package var identity: FileIdentity?
        /// The bytes of a database that is read from memory.
        package var image: InspectionCopy?
        /// What reading the schema may cost.
        package var openingBudget = Budget.opening
        /// What the page cache may take at most, in KiB; nil for SQLite's default.
        package var pageCacheKibibytes: Int?
        /// How many compiled statements are kept, not counting those that end transactions.
        package var statementCapacity = Int.max
        /// Makes calls fail in tests.
        package var fault: FaultSeam?

        package init(_ role: Role) {
            self.role = role
        }
    }
}

extension Connection.Options {
    var flags: Int32 {
        // NOMUTEX: the store's own lock serialises all use of a connection. NOFOLLOW: the path
        // was resolved before, so a link in it was put there since.
        let common = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        switch role {
        case .owner, .scratch, .draft:
            let create = allowsCreation ? SQLITE_OPEN_CREATE : 0
            return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | create
        case .reader, .immutable:
            return common | SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_URI
        case .memory, .copy:
            return common | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
        }
    }

    /// What SQLite is given for a path.
    func name(of path: String) -> String {
        switch role {
        case .owner, .scratch, .draft: path
        case .reader: "file:\(Self.escaped(path))?readonly_shm=1"
        case .immutable: "file:\(Self.escaped(path))?immutable=1"
        case .memory, .copy: ":memory:"
        }
    }

    /// A path as it stands in a `file:` URI.
    private static func escaped(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        var result = ""
        for byte in path.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain: Bool =
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                    UInt8(ascii: "."), UInt8(ascii: "~"):
                    true
                default:
                    false
                }
            if isPlain {
                result.unicodeScalars.append(scalar)
            } else {
                result.unicodeScalars.append("%")
                result.unicodeScalars.append(digits[Int(byte >> 4)])
                result.unicodeScalars.append(digits[Int(byte & 15)])
            }
        }
        return result
    }

    /// Boolean options and what they must be, in the order in which they are set.
    var switches: [(name: StaticString, option: Int32, value: Bool)] {
        [
            ("defensive", SQLITE_DBCONFIG_DEFENSIVE, true),
            ("trusted_schema", SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
            ("writable_schema", SQLITE_DBCONFIG_WRITABLE_SCHEMA, false),
            ("triggers", SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
            ("views", SQLITE_DBCONFIG_ENABLE_VIEW, allowsViews),
            ("extension loading", SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
            ("tokenizer registration", SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, false),
            ("double-quoted strings", SQLITE_DBCONFIG_DQS_DML, false),
            ("double-quoted strings in schemas", SQLITE_DBCONFIG_DQS_DDL, false),
            ("foreign keys", SQLITE_DBCONFIG_ENABLE_FKEY, true),
            ("no checkpoint on close", SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, role != .owner),
        ]
    }

    /// Limits that bound what a file or a statement from outside can ask for.
    var limits: [(name: StaticString, limit: Int32, value: Int32)] {
        [
            // Two sections of 16 MiB in one row, and room for the rest.
            ("length", SQLITE_LIMIT_LENGTH, 64 << 20),
            ("SQL length", SQLITE_LIMIT_SQL_LENGTH, 256 << 10),
            ("columns", SQLITE_LIMIT_COLUMN, 200),
            ("expression depth", SQLITE_LIMIT_EXPR_DEPTH, 100),
            ("compound select", SQLITE_LIMIT_COMPOUND_SELECT, 50),
            ("program length", SQLITE_LIMIT_VDBE_OP, 100_000),
            ("function arguments", SQLITE_LIMIT_FUNCTION_ARG, 100),
            // VACUUM attaches a database of its own; readers need none.
            ("other databases", SQLITE_LIMIT_ATTACHED, role.writes ? 1 : 0),
            ("pattern length", SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
            ("parameters", SQLITE_LIMIT_VARIABLE_NUMBER, 250),
            // Foreign key actions count as triggers.
            ("trigger depth", SQLITE_LIMIT_TRIGGER_DEPTH, 10),
            ("worker threads", SQLITE_LIMIT_WORKER_THREADS, 0),
        ]
    }
}

/// The fixed page size of a store.
package let storePageSize: Int64 = 4_096

/// Every guard of SQLite is on, so that no code of a file runs (S-71).
extension Connection {
    /// Sets everything that R-20 asks for and reads each back, before and after the file is
    /// looked at for the first time.
    func configure() throws(SQLiteError) {
        let code = Calls.useExtendedCodes(database)
        guard code == SQLITE_OK else { throw failure(code, "asking for extended codes") }
        try configureHandle()
        try withBudget(options.openingBudget) { () throws(SQLiteError) in
            try configureFile()
        }
        try checkIdentity()
        try prepareTransactionControl()
    }

    /// What needs no look at the file, so that a hostile one is met fully armed.
    private func configureHandle() throws(SQLiteError) {
        for (name, option, value) in options.switches {
            let (set, _) = Calls.configure(database, option, value, fault: fault)
            guard set == SQLITE_OK else { throw failure(set, "setting \(name)") }
            let (read, inForce) = Calls.configure(database, option, nil, fault: fault)
            guard read == SQLITE_OK else { throw failure(read, "reading \(name) back") }
            guard inForce == value else { throw Self.refused("\(name)") }
        }
        for (name, limit, value) in options.limits {
            _ = Calls.limit(database, limit, value)
            // A build with a lower ceiling of its own is stricter, not wrong.
            guard Calls.limit(database, limit, -1) <= value else { throw Self.refused("\(name)") }
        }
        var code = Calls.setBusyTimeout(
            database, milliseconds: options.busyMilliseconds, fault: fault)
        guard code == SQLITE_OK else { throw failure(code, "setting the busy timeout") }
        code = Calls.disableAutomaticCheckpoints(database, fault: fault)
        guard code == SQLITE_OK else { throw failure(code, "turning checkpoints off") }
        Calls.observeCommits(database, context)
        try apply("PRAGMA cell_size_check = 1", read: "PRAGMA cell_size_check", 1)
        try apply("PRAGMA temp_store = 2", read: "PRAGMA temp_store", 2)
        if role != .memory {
            try apply("PRAGMA mmap_size = 0", read: "PRAGMA mmap_size", 0, absent: 0)
        }
        if let kibibytes = options.pageCacheKibibytes {
            // A pragma takes no parameters; a negative number counts KiB.
            try run(pragmaText: "PRAGMA cache_size = \(-kibibytes)")
            guard try pragma("PRAGMA cache_size") == Int64(-kibibytes) else {
                throw Self.refused("PRAGMA cache_size")
            }
        }
    }

    private func configureFile() throws(SQLiteError) {
        let pages = role.writes ? try pragma("PRAGMA page_count") : nil
        let isNew = pages == 0
        if isNew {
            try run(pragma: "PRAGMA page_size = 4096")
            try run(pragma: "PRAGMA encoding = 'UTF-8'")
        }
        guard try pragma("PRAGMA page_size") == storePageSize else {
            throw SQLiteError(.foreignFile, "the database's pages are not of 4096 bytes")
        }
        guard try pragmaText("PRAGMA encoding") == "UTF-8" else {
            throw SQLiteError(.foreignFile, "the database's text is not UTF-8")
        }
        try checkApplication(isNew: isNew)
        switch role {
        case .owner: try configureOwner()
        case .scratch: try configureScratch()
        case .draft: try configureDraft()
        case .reader, .immutable, .copy:
            try apply("PRAGMA query_only = 1", read: "PRAGMA query_only", 1)
        case .memory: break
        }
        if role.writes { try setSecureDelete(.off) }
    }

    private func checkApplication(isNew: Bool) throws(SQLiteError) {
        guard let wanted = options.applicationID else { return }
        if isNew {
            // A pragma takes no parameters; the number is a constant of the program.
            try run(pragmaText: "PRAGMA application_id = \(wanted)")
        }
        guard try pragma("PRAGMA application_id") == Int64(wanted) else {
            throw SQLiteError(.foreignFile, "the database belongs to another application")
        }
    }

    private func configureOwner() throws(SQLiteError) {
        guard try pragmaText("PRAGMA journal_mode = WAL") == "wal" else {
            throw Self.refused("write-ahead logging")
        }
        // Other platforms accept and ignore these two; on Apple's only they reach the medium.
        try apply("PRAGMA fullfsync = 1", read: "PRAGMA fullfsync", 1)
        try apply("PRAGMA checkpoint_fullfsync = 1", read: "PRAGMA checkpoint_fullfsync", 1)
        try setSynchronous(.full)
    }

    /// The file is thrown away unless everything, its sync included, succeeds.
    private func configureScratch() throws(SQLiteError) {
        guard try pragmaText("PRAGMA journal_mode = MEMORY") == "memory" else {
            throw Self.refused("the journal in memory")
        }
        try setSynchronous(.full)
    }

    /// A commit is on the disk when it returns, and a journal that is left takes back what was begun.
    private func configureDraft() throws(SQLiteError) {
        guard try pragmaText("PRAGMA journal_mode = DELETE") == "delete" else {
            throw Self.refused("the journal")
        }
        try apply("PRAGMA fullfsync = 1", read: "PRAGMA fullfsync", 1)
        try setSynchronous(.full)
    }

    /// Whether SQLite opened the very file that was checked, however the names changed since.
    private func checkIdentity() throws(SQLiteError) {
        guard let wanted = options.identity else { return }
        let replaced = SQLiteError(.moved, "the database was replaced while it was being opened")
        var hasMoved = try self.hasMoved()
        do {
            guard try System.status(at: path).identity == wanted else { throw replaced }
        } catch let error as SystemError {
            guard !error.isMissing else { throw replaced }
            throw SQLiteError(
                SQLiteError.Kind(code: SQLITE_IOERR, systemCode: error.code),
                "looking for the file", code: SQLITE_IOERR, systemCode: error.code)
        } catch {
            throw replaced
        }
        // To SQLite a file that it cannot look at has moved.
        if hasMoved { hasMoved = try self.hasMoved() }
        guard !hasMoved else { throw replaced }
    }

    private func hasMoved() throws(SQLiteError) -> Bool {
        let (code, moved) = Calls.hasMoved(database)
        guard code == SQLITE_OK || code == SQLITE_NOTFOUND else {
            throw failure(code, "looking for the file")
        }
        return moved
    }

    // MARK: - Pragmas

    /// Runs a pragma that sets and one that reads, and compares.
    func apply(
        _ setting: StatementText, read reading: StatementText, _ value: Int64,
        absent: Int64? = nil
    ) throws(SQLiteError) {
        try run(pragma: setting)
        guard try pragma(reading) ?? absent == value else { throw Self.refused("\(setting)") }
    }

    /// The first integer that a pragma answers, or nil when it answers no row.
    package func pragma(_ sql: StatementText) throws(SQLiteError) -> Int64? {
        try withStatement(sql) { statement throws(SQLiteError) in
            guard try statement.step() else { return nil }
            return try statement.integer(at: 0)
        }
    }

    package func pragmaText(_ sql: StatementText) throws(SQLiteError) -> String? {
        try withStatement(sql) { statement throws(SQLiteError) in
            guard try statement.step() else { return nil }
            return try statement.text(at: 0)
        }
    }

    func run(pragma sql: StatementText) throws(SQLiteError) {
        try withStatement(sql) { statement throws(SQLiteError) in
            while try statement.step() {}
        }
    }

    private func run(pragmaText sql: String) throws(SQLiteError) {
        try withStatement(text: sql) { statement throws(SQLiteError) in
            while try statement.step() {}
        }
    }

    static func refused(_ name: String) -> SQLiteError {
        SQLiteError(.settingRefused, "SQLite did not accept a setting: \(name)")
    }
}

/// How much work a piece of SQL may cost before SQLite is told to stop.
///
/// It bounds what a file from outside can make a statement do (S-62); the time is the monotonic
/// clock's. Work that SQLite does between two of its own instructions is not seen by it.
package struct Budget: Sendable, Hashable {
    /// Virtual machine instructions, counted in steps of `interval`.
    package var instructions: Int
    package var duration: Duration?
    /// Instructions between two looks.
    package var interval: Int32

    package init(instructions: Int = .max, duration: Duration? = nil, interval: Int32 = 1_000) {
        self.instructions = instructions
        self.duration = duration
        self.interval = max(interval, 1)
    }

    /// What reading the schema of an unknown file may cost.
    package static let opening = Budget(
        instructions: 20_000_000, duration: .seconds(5), interval: 100)
}

/// What SQLite's callbacks write and read; lives on the heap as long as the connection.
struct CallbackContext {
    /// Frames in the write-ahead log after the last commit of this connection.
    var walFrames: Int32 = 0
    var commits: Int64 = 0
    /// The rows that were written; nil while nobody asks.
    var changes: RowChanges?
    var remainingInstructions = Int.max
    var interval: Int32 = 1
    var deadline: ContinuousClock.Instant?
    var isExhausted = false
    var isBudgeted = false
    /// Asked at each look whether nobody wants the result any more.
    var isCancelled: (() -> Bool)?

    mutating func restoreBudget(of other: CallbackContext) {
        remainingInstructions = other.remainingInstructions
        interval = other.interval
        deadline = other.deadline
        isExhausted = other.isExhausted
        isBudgeted = other.isBudgeted
        isCancelled = other.isCancelled
    }

    mutating func start(_ budget: Budget, isCancelled: (() -> Bool)? = nil) {
        self.isCancelled = isCancelled
        remainingInstructions = budget.instructions
        interval = budget.interval
        deadline = budget.duration.map { ContinuousClock.now.advanced(by: $0) }
        isExhausted = false
        isBudgeted = true
    }

    /// Whether the statement must stop.
    mutating func spend() -> Bool {
        remainingInstructions = remainingInstructions &- Int(interval)
        if remainingInstructions <= 0 {
            isExhausted = true
        } else if let deadline, ContinuousClock.now >= deadline {
            isExhausted = true
        }
        return isExhausted || isCancelled?() == true
    }
}

/// Which rows a connection wrote, for whoever takes them elsewhere.
package final class RowChanges {
    /// The numbers of the rows by their table's name. Those of transactions that were rolled back
    /// are among them.
    package private(set) var rows: [String: Set<Int64>] = [:]

    func note(_ table: String, _ row: Int64) {
        rows[table, default: []].insert(row)
    }
}

extension Connection {
    /// Begins to note which rows are inserted, updated and deleted.
    package func observeChanges() {
        guard context.pointee.changes == nil else { return }
        context.pointee.changes = RowChanges()
        Calls.observeChanges(database, context)
    }

    /// The rows that were written since ``observeChanges()``.
    package var changedRows: [String: Set<Int64>] { context.pointee.changes?.rows ?? [:] }
}
