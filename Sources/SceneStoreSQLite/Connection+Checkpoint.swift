import SceneStoreCSQLite

/// What is on the disk when a commit returns (S-20).
package enum Synchronous: Int64, Hashable, Sendable {
    /// Safe from the end of the process; a power cut may take the last commits.
    case normal = 1
    /// Safe from a power cut.
    case full = 2
}

/// What a checkpoint did: whether a reader or writer kept it from finishing, and whether all frames
/// are in the main file.
package typealias CheckpointResult = (isBlocked: Bool, isComplete: Bool)

/// By SQLite's number.
package enum CheckpointMode: Int32, Hashable, Sendable {
    /// As much as goes without waiting for anybody.
    case passive = 0
    /// All of it, and the log is cut to nothing.
    case truncate = 3
}

extension Connection {
    /// Makes later commits as durable as asked; nothing happens when they are already.
    ///
    /// SQLite acts on this pragma while *preparing* it, so it is never taken from the cache. Inside a
    /// transaction it refuses it.
    package func setSynchronous(_ wanted: Synchronous) throws(SQLiteError) {
        guard durability != wanted else { return }
        try checkUsable()
        guard !isInTransaction else {
            throw SQLiteError(.misuse, "durability can't change inside a transaction")
        }
        durability = nil
        try run(wanted == .full ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
        durability = wanted
    }

    /// Chooses whether the bytes of deleted rows are overwritten with zeros, or stay until their page is
    /// used again.
    package func setSecureDelete(_ isOn: Bool) throws(SQLiteError) {
        guard secureDelete != isOn else { return }
        secureDelete = nil
        try apply(
            isOn ? "PRAGMA secure_delete = 1" : "PRAGMA secure_delete = 0",
            read: "PRAGMA secure_delete", isOn ? 1 : 0)
        secureDelete = isOn
    }

    /// Copies the log into the main file without waiting for a reader.
    ///
    /// The result tells whether a reader prevented it.
    package func checkpointAtOnce(_ mode: CheckpointMode) throws(SQLiteError) -> CheckpointResult {
        try setBusyTimeout(0)
        let result = Result { () throws(SQLiteError) in try checkpoint(mode) }
        try setBusyTimeout(options.busyMilliseconds)
        return try result.get()
    }

    func setBusyTimeout(_ milliseconds: Int32) throws(SQLiteError) {
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
        let (code, frames, checkpointed) = Calls.checkpoint(database, mode.rawValue, fault: fault)
        guard code == SQLITE_OK || code == SQLITE_BUSY else {
            throw failure(code, "copying the log into the database")
        }
        if code == SQLITE_OK { context.pointee.walFrames = max(frames, 0) }
        return (code == SQLITE_BUSY, code == SQLITE_OK && max(frames, 0) == max(checkpointed, 0))
    }
}
