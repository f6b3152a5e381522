import SceneStoreCSQLite

/// What a check found.
package struct CheckReport: Hashable, Sendable {
    /// What is damaged, a line each, made printable.
    package var problems: [String]
    /// Whether the budget sufficed.
    package var isComplete: Bool

    package init(problems: [String], isComplete: Bool) {
        self.problems = problems
        self.isComplete = isComplete
    }
}

extension Connection {
    /// Looks for damage in the pages, of one table or of all (S-61). SQLite sees few of the
    /// damages inside rows: the checksums of the rows are for those.
    ///
    /// SQLite can't be stopped while it walks one tree: to keep to a budget, check table by table.
    package func check(
        table: String? = nil, budget: Budget
    ) throws(SQLiteError) -> CheckReport {
        var report = CheckReport(problems: [], isComplete: true)
        do {
            try withBudget(budget) { () throws(SQLiteError) in
                try collectProblems(of: table, into: &report)
            }
        } catch {
            switch error.kind {
            case .budgetExceeded: report.isComplete = false
            case .corrupt, .notADatabase: report.problems.append("the pages are damaged")
            default: throw error
            }
        }
        if !report.problems.isEmpty, hasUnreadableFile {
            throw failure(SQLITE_CORRUPT, "checking the database")
        }
        return report
    }

    private func collectProblems(
        of table: String?, into report: inout CheckReport
    ) throws(SQLiteError) {
        // If the first table that it meets is a view, SQLite leaves out the list of free pages. It is
        // looked at with the schema's table.
        let texts =
            table == nil
            ? ["PRAGMA integrity_check(100)", "PRAGMA integrity_check('sqlite_schema')"]
            // As a function, because a pragma takes no parameter.
            : ["SELECT integrity_check FROM pragma_integrity_check(?1)"]
        for text in texts {
            let problems = try withStatement(text: text) { statement throws(SQLiteError) in
                var problems: [String] = []
                if let table { try statement.bind(1, table) }
                while try statement.step(), problems.count < 100 {
                    problems += try statement.withTextBytes(at: 0) { bytes throws(SQLiteError) in
                        Self.problems(bytes)
                    }
                }
                return problems
            }
            report.problems += problems.filter { !report.problems.contains($0) }
        }
    }

    /// SQLite's words, without the headings that it puts between them.
    private static func problems(_ text: UnsafeRawBufferPointer) -> [String] {
        text.split(separator: UInt8(ascii: "\n")).map { printable($0) }
            .filter { $0 != "ok" && !$0.hasPrefix("***") }
            .map { line in
                guard line != "database disk image is malformed" else {
                    return "the pages are damaged"
                }
                return "the pages are damaged: " + line.prefix(1).lowercased() + line.dropFirst()
            }
    }

    /// Copies the whole database into an empty one, a few pages at a time, through SQLite's
    /// backup interface. What this connection writes meanwhile is in the copy; what another one
    /// writes makes SQLite begin again, except if the source reads in a transaction.
    ///
    /// - Parameter progress: Told how many pages are done of how many; false gives up, with
    ///   `interrupted`.
    package func backup(
        to target: Connection, pagesPerStep: Int32 = 1_024,
        progress: (_ done: Int, _ total: Int) -> Bool = { _, _ in true }
    ) throws(SQLiteError) {
        try checkProcess()
        try target.checkProcess()
        guard !target.isInTransaction, target.role.writes else {
            throw SQLiteError(
                .misuse, "a backup needs a target that writes and is in no transaction")
        }
        let (code, backup) = Calls.startBackup(
            from: database, to: target.database, fault: fault)
        guard code == SQLITE_OK, let backup else {
            throw target.failure(code, "beginning a backup")
        }
        var step = copyPages(backup, max(pagesPerStep, 1), progress)
        let finish = Calls.finishBackup(backup)
        if step == SQLITE_DONE, finish != SQLITE_OK { step = finish }
        guard step == SQLITE_DONE else { throw target.failure(step, "copying the database") }
    }

    /// The last result code: `SQLITE_DONE` when everything is copied.
    private func copyPages(
        _ backup: OpaquePointer, _ pages: Int32, _ progress: (Int, Int) -> Bool
    ) -> Int32 {
        // Each refusal has waited for the busy timeout already.
        var refusals = 0
        while true {
            let (code, remaining, total) = Calls.stepBackup(backup, pages: pages, fault: fault)
            switch code & 0xff {
            case SQLITE_OK:
                guard progress(Int(total - remaining), Int(total)) else { return SQLITE_INTERRUPT }
            case SQLITE_BUSY, SQLITE_LOCKED:
                refusals += 1
                if refusals == 3 { return code }
            default:
                return code
            }
        }
    }
}

/// What is on the disk when a commit returns (S-20).
package enum Synchronous: Int64, Hashable, Sendable {
    /// Safe from the end of the process; a power cut may take the last commits.
    case normal = 1
    /// Safe from a power cut.
    case full = 2
}

/// What becomes of the bytes of deleted rows.
package enum SecureDelete: Int64, Hashable, Sendable {
    /// They stay until their page is used again.
    case off = 0
    /// Overwritten with zeros.
    case on = 1
    /// Overwritten where that costs no further writing.
    case fast = 2
}

/// What a checkpoint did.
package struct CheckpointResult: Hashable, Sendable {
    /// Frames in the log when it ended.
    package var frames: Int
    /// Those of them that are in the main file.
    package var checkpointed: Int
    /// Whether a reader or writer kept it from finishing.
    package var isBlocked: Bool

    package init(frames: Int, checkpointed: Int, isBlocked: Bool) {
        self.frames = frames
        self.checkpointed = checkpointed
        self.isBlocked = isBlocked
    }

    package var isComplete: Bool { !isBlocked && frames == checkpointed }
}

package enum CheckpointMode: Hashable, Sendable {
    /// As much as goes without waiting for anybody.
    case passive
    /// All of it; the next write begins the log anew.
    case restart
    /// All of it, and the log is cut to nothing.
    case truncate

    fileprivate var code: Int32 {
        switch self {
        case .passive: SQLITE_CHECKPOINT_PASSIVE
        case .restart: SQLITE_CHECKPOINT_RESTART
        case .truncate: SQLITE_CHECKPOINT_TRUNCATE
        }
    }
}

extension Connection {
    /// Makes later commits as durable as asked; nothing happens when they are already.
    ///
    /// SQLite acts on this pragma while *preparing* it and answers its reading sibling then, too,
    /// so neither is ever taken from the cache; and it ignores it inside a transaction.
    package func setSynchronous(_ wanted: Synchronous) throws(SQLiteError) {
        guard durability != wanted else { return }
        try checkUsable()
        guard !isInTransaction else {
            throw SQLiteError(.misuse, "durability can't change inside a transaction")
        }
        durability = nil
        switch wanted {
        case .normal: try apply("PRAGMA synchronous = NORMAL", read: "PRAGMA synchronous", 1)
        case .full: try apply("PRAGMA synchronous = FULL", read: "PRAGMA synchronous", 2)
        }
        durability = wanted
    }

    /// Chooses what becomes of deleted rows.
    package func setSecureDelete(_ wanted: SecureDelete) throws(SQLiteError) {
        guard secureDelete != wanted else { return }
        secureDelete = nil
        switch wanted {
        case .off: try apply("PRAGMA secure_delete = 0", read: "PRAGMA secure_delete", 0)
        case .on: try apply("PRAGMA secure_delete = 1", read: "PRAGMA secure_delete", 1)
        case .fast: try apply("PRAGMA secure_delete = FAST", read: "PRAGMA secure_delete", 2)
        }
        secureDelete = wanted
    }

    /// Copies the log into the main file without waiting for a reader.
    ///
    /// The result tells whether a reader prevented it.
    package func checkpointAtOnce(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
        try setBusyTimeout(0)
        do {
            let result = try checkpoint(mode)
            try setBusyTimeout(options.busyMilliseconds)
            return result
        } catch {
            try setBusyTimeout(options.busyMilliseconds)
            throw error
        }
    }

    private func setBusyTimeout(_ milliseconds: Int32) throws(SQLiteError) {
        try checkUsable()
        let code = Calls.setBusyTimeout(database, milliseconds: milliseconds, fault: fault)
        guard code == SQLITE_OK else { throw failure(code, "setting the busy timeout") }
    }

    /// Copies the log into the main file. Only an owner may, and only between transactions.
    package func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
        try checkProcess()
        try checkWritable()
        guard role == .owner, !isInTransaction else {
            throw SQLiteError(.misuse, "only the owner checkpoints, and not in a transaction")
        }
        try keepIndex()
        let (code, frames, checkpointed) = Calls.checkpoint(database, mode.code, fault: fault)
        switch code {
        case SQLITE_OK:
            context.pointee.walFrames = max(frames, 0)
            return CheckpointResult(
                frames: Int(max(frames, 0)), checkpointed: Int(max(checkpointed, 0)),
                isBlocked: false)
        case SQLITE_BUSY:
            return CheckpointResult(
                frames: Int(max(frames, 0)), checkpointed: Int(max(checkpointed, 0)),
                isBlocked: true)
        default:
            throw failure(code, "copying the log into the database")
        }
    }
}

extension Connection {
    /// Makes this a connection for people's own SQL: from now on a statement may read and compute
    /// and nothing else, whatever the text says.
    package func allowReadingAlone() throws(SQLiteError) {
        try checkUsable()
        let code = Calls.allowReadingAlone(database)
        guard code == SQLITE_OK else { throw failure(code, "restricting statements to reading") }
    }

    /// Adds a function of one blob that statements from outside may call.
    package func add(_ function: BlobFunction, named name: String) throws(SQLiteError) {
        try checkUsable()
        let code = Calls.addFunction(database, name, function)
        guard code == SQLITE_OK else { throw failure(code, "adding a function") }
    }

    /// Puts a temporary view in front of the one of the file that has its name. It may call functions
    /// that nothing in the file may call.
    ///
    /// - Parameters:
    ///   - view: The name of both.
    ///   - select: What the temporary one answers; `main.` names the file's.
    package func cover(view: String, by select: String) throws(SQLiteError) {
        // Of this connection alone; the file was opened to be read.
        try run(pragma: "PRAGMA query_only = 0")
        try execute(script: "CREATE TEMP VIEW \(view) AS \(select)", named: "a view")
        try run(pragma: "PRAGMA query_only = 1")
    }
}
