import SceneStoreSQLite
import SceneStoreValues

/// The write-ahead log: when it is synced and when it is copied into the file (S-20).
extension Database {
    /// Syncs the log: by a commit, so that the owner's note can say what must not be lost.
    func syncLog() throws(SceneStoreError) {
        try write(.full) { transaction throws(SceneStoreError) in transaction.commitAnyway() }
    }

    /// Notes that a save was committed as durable as this.
    func noteSave(_ durability: Durability) {
        if durability == .normal {
            log.lastUnsyncedSave = counters.transactions
        }
    }

    /// Whether this database owns a log that it may copy.
    var hasLog: Bool { !isReader && connection.role == .owner }

    /// After a commit: copies a log that the next one would make too long.
    ///
    /// What was committed stays so if that fails. Throws only what ends the writing.
    func boundLog(before: Int) throws(SceneStoreError) {
        let frames = connection.walFrames
        guard log.isFull(before: before, after: frames, room: { room }), hasLog else {
            return
        }
        do throws(SceneStoreError) {
            try checkpoint()
        } catch {
            // What does not end the writing is met again, and reported, in the next idle moment.
            if let failure = fence.failure {
                throw failure
            }
        }
        log.allowMore(than: frames)
    }

    /// The bytes that the container's disk has left; nil where that isn't known.
    private var room: UInt64? { options.room?() ?? container.folder?.freeBytes }

    /// A full disk that takes no more frames may still take the log's copy, after which the log begins
    /// anew. Where it doesn't, nothing is changed.
    func makeRoom() {
        if hasLog, log.hasFrames(connection.walFrames, counters.transactions) {
            // Where it fails, the write that follows says what is the matter.
            try? checkpoint()
        }
    }

    /// Copies the log into the file. The next write begins it anew, unless a reader uses it.
    package func checkpoint() throws(SceneStoreError) {
        try container.checkUnmoved()
        do throws(SceneStoreError) {
            try container.checkIndex()
        } catch {
            // The log stays as it is: readers see by it what was committed.
            fence.failure = error
            throw error
        }
        do throws(SceneStoreError) {
            _ = try copyLog(.passive)
        } catch {
            if connection.isPoisoned {
                fence.failure = SceneStoreError(
                    .poisoned,
                    "a checkpoint did not reach the disk; close the store and open it again")
            }
            throw error
        }
    }

    /// The checkpoint itself.
    package func copyLog(
        _ mode: CheckpointMode, waits: Bool = true
    ) throws(SceneStoreError) -> CheckpointResult {
        defer {
            container.watch?.noteContent()
        }
        return try translating {
            let result = try waits ? connection.checkpoint(mode) : connection.checkpointAtOnce(mode)
            counters.checkpoints += 1
            log.noteCheckpoint(result, counters.transactions)
            return result
        }
    }

    fileprivate func logDelay(now: Int64) -> Int64? {
        isLogOpen ? log.delay(now: now) : nil
    }

    fileprivate var isLogOpen: Bool {
        !isClosed && fence.failure == nil && hasLog
    }
}

/// The write-ahead log: when it is synced and when it is copied into the file (S-20).
package struct StoredLog: Sendable {
    package let store: SceneSessionStore

    /// Does what is due for the write-ahead log in an idle moment, never within a save chain and
    /// never before the launch has settled: copies it into the file from 256 frames, if nobody saves
    /// just now, and syncs it 10 minutes after a save in mode normal. Answers whether it did
    /// anything. Who knows that nobody saves says so by `isIdle`; else it is idle if nothing was
    /// written since the last call.
    @discardableResult
    package func tend(now: Int64, isIdle: Bool = false) throws(SceneStoreError) -> Bool {
        try store.usingOpen { db throws(SceneStoreError) in
            try db.checkUsable()
            guard db.hasLog else {
                return false
            }
            let (frames, transactions) = (db.connection.walFrames, db.counters.transactions)
            switch db.log.step(frames, transactions, now: now, isIdle: isIdle) {
            case .nothing: return false
            case .sync: try db.syncLog()
            case .checkpoint: try db.checkpoint()
            }
            return true
        } ?? false
    }

    /// Syncs the log if that is due; also before the launch has settled.
    package func sync(now: Int64) throws(SceneStoreError) {
        try store.usingOpen { db throws(SceneStoreError) in
            if db.logDelay(now: now) == 0 {
                try db.syncLog()
            }
        }
    }

    /// Makes saves in mode normal durable, with one sync; nothing is written when none waits for it.
    package func syncSaves() throws(SceneStoreError) {
        try store.usingOpen { db throws(SceneStoreError) in
            try db.checkUsable()
            if db.hasLog, db.log.hasUnsyncedSaves {
                try db.syncLog()
            }
        }
    }

    /// Whether the log waits for an idle moment to be copied.
    package var awaitsCheckpoint: Bool {
        store.database.withLock { db in
            let frames = db.connection.walFrames
            return db.isLogOpen && frames >= WALUpkeep.idleFrames
                && db.log.hasFrames(frames, db.counters.transactions)
        }
    }

    /// Milliseconds until the log has to be synced; nil when nothing waits for that.
    package func delay(now: Int64) -> Int64? {
        store.database.withLock { $0.logDelay(now: now) }
    }
}
