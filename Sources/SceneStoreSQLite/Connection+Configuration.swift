import SceneStoreCSQLite

/// Every guard of SQLite is on, so that no code of a file runs (S-71).
extension Connection {
    /// Sets everything that R-20 asks for and reads each back, before and after the file is
    /// looked at for the first time.
    func configure() throws(SQLiteError) {
        try configureHandle()
        let length = Calls.limit(database, SQLITE_LIMIT_LENGTH, Budget.schemaText)
        do throws(SQLiteError) {
            try withBudget(options.openingBudget) { () throws(SQLiteError) in try configureFile() }
        } catch  where [.tooBig, .budgetExceeded].contains(error.kind) {
            // No damage makes a schema so large: somebody else did.
            throw SQLiteError(.invalidStatement, "the schema is too large to be the store's")
        }
        _ = Calls.limit(database, SQLITE_LIMIT_LENGTH, length)
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
        try setBusyTimeout(options.busyMilliseconds)
        let code = Calls.disableAutomaticCheckpoints(database, fault: fault)
        guard code == SQLITE_OK else { throw failure(code, "turning checkpoints off") }
        Calls.observeCommits(database, context)
        try apply("PRAGMA cell_size_check = 1", read: "PRAGMA cell_size_check", 1)
        try apply("PRAGMA temp_store = 2", read: "PRAGMA temp_store", 2)
        if role != .memory {
            try apply("PRAGMA mmap_size = 0", read: "PRAGMA mmap_size", 0, absent: 0)
        }
    }

    private func configureFile() throws(SQLiteError) {
        if let kibibytes = options.pageCacheKibibytes {
            // A pragma takes no parameters; a negative number counts KiB. This one reads the schema.
            try run(pragmaText: "PRAGMA cache_size = \(-kibibytes)")
            guard try pragma("PRAGMA cache_size") == Int64(-kibibytes) else {
                throw Self.refused("PRAGMA cache_size")
            }
        }
        let pages = role.writes ? try pragma("PRAGMA page_count") : nil
        let isNew = pages == 0
        if isNew {
            try run("PRAGMA page_size = 4096")
            try run("PRAGMA encoding = 'UTF-8'")
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
        case .scratch:
            // The file is thrown away unless everything, its sync included, succeeds.
            try setJournal("PRAGMA journal_mode = MEMORY", "memory", "the journal in memory")
            try setSynchronous(.full)
        case .draft:
            // A commit is on the disk when it returns, and a journal that is left takes back what was
            // begun.
            try setJournal("PRAGMA journal_mode = DELETE", "delete", "the journal")
            try apply("PRAGMA fullfsync = 1", read: "PRAGMA fullfsync", 1)
            try setSynchronous(.full)
        case .reader, .immutable, .copy:
            try apply("PRAGMA query_only = 1", read: "PRAGMA query_only", 1)
        case .memory: break
        }
        // Once: whatever sets it here sets it later.
        if let durability, try pragma("PRAGMA synchronous") != durability.rawValue {
            throw Self.refused("PRAGMA synchronous")
        }
        if role.writes { try setSecureDelete(false) }
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
        // A store that was built doesn't log yet. It says so without a journal beside it: one that a
        // kill left there would be taken for another's.
        if try pragmaText("PRAGMA journal_mode") == "delete" {
            _ = try pragmaText("PRAGMA journal_mode = MEMORY")
        }
        try setJournal("PRAGMA journal_mode = WAL", "wal", "write-ahead logging")
        // Other platforms accept and ignore these two; on Apple's only they reach the medium.
        try apply("PRAGMA fullfsync = 1", read: "PRAGMA fullfsync", 1)
        try apply("PRAGMA checkpoint_fullfsync = 1", read: "PRAGMA checkpoint_fullfsync", 1)
        try setSynchronous(.full)
    }

    private func setJournal(
        _ setting: StatementText, _ mode: String, _ name: String
    ) throws(SQLiteError) {
        guard try pragmaText(setting) == mode else { throw Self.refused(name) }
    }

    /// Whether SQLite opened the very file that was checked, however the names changed since.
    private func checkIdentity() throws(SQLiteError) {
        guard let wanted = options.identity else { return }
        let replaced = SQLiteError(.moved, "the database was replaced while it was being opened")
        var hasMoved = try self.hasMoved()
        let found: FileStatus
        do { found = try System.status(at: path) } catch {
            guard !error.isMissing else { throw replaced }
            throw SQLiteError(
                SQLiteError.Kind(code: SQLITE_IOERR, systemCode: error.code),
                "looking for the file", code: SQLITE_IOERR)
        }
        guard found.identity == wanted else { throw replaced }
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
        try run(setting)
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

    private func run(pragmaText sql: String) throws(SQLiteError) {
        try withStatement(text: sql) { statement throws(SQLiteError) in
            while try statement.step() {}
        }
    }

    static func refused(_ name: String) -> SQLiteError {
        SQLiteError(.settingRefused, "SQLite did not accept a setting: \(name)")
    }
}
