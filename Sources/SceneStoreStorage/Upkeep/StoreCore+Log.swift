import SceneStoreSQLite
import SceneStoreValues

/// The write-ahead log: when it is synced and when it is copied into the file (S-20).
extension StoreCore {
    /// Does in an idle moment what is due for the log; answers whether that was something.
    package func tendLog(now: Int64, isIdle: Bool = false) throws(SceneStoreError) -> Bool {
        try checkUsable()
        guard hasLog else {
            return false
        }
        switch log.step(connection.walFrames, counters.transactions, now: now, isIdle: isIdle) {
        case .nothing: return false
        case .sync: try syncLog()
        case .checkpoint: try checkpoint()
        }
        return true
    }

    /// Syncs the log: by a commit, so that the owner's note can say what must not be lost.
    func syncLog() throws(SceneStoreError) {
        try write(.full) { writer throws(SceneStoreError) in writer.commitAnyway() }
    }

    /// Makes the saves in mode normal durable, if any wait for it.
    func syncSaves() throws(SceneStoreError) {
        if hasLog, log.hasUnsyncedSaves {
            try syncLog()
        }
    }

    /// Notes that a save was committed as durable as this.
    func noteSave(_ durability: Durability) {
        if durability == .normal {
            log.lastUnsyncedSave = counters.transactions
        }
    }

    /// Whether this core owns a log that it may copy.
    private var hasLog: Bool { !isReader && connection.role == .owner }

    /// After a commit: copies a log that the next one would make too long.
    ///
    /// What was committed stays so if that fails. Throws only what ends the writing.
    func boundLog(before: Int) throws(SceneStoreError) {
        let frames = connection.walFrames
        guard log.isFull(before: before, after: frames), hasLog else {
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
                    "a checkpoint did not reach the disk; close the store and open it anew")
            }
            throw error
        }
    }

    /// The checkpoint itself.
    func copyLog(
        _ mode: CheckpointMode, waits: Bool = true
    ) throws(SceneStoreError) -> CheckpointResult {
        defer {
            container.noteContent()
        }
        do {
            let result =
                try waits ? connection.checkpoint(mode) : connection.checkpointAtOnce(mode)
            counters.checkpoints += 1
            log.noteCheckpoint(result, counters.transactions)
            return result
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// Whether the log waits for an idle moment to be copied.
    package var awaitsCheckpoint: Bool {
        isLogOpen && connection.walFrames >= LogUpkeep.idleFrames
            && log.hasFrames(connection.walFrames, counters.transactions)
    }

    /// Milliseconds until the log has to be synced; nil when nothing waits for that.
    package func logDelay(now: Int64) -> Int64? {
        isLogOpen ? log.delay(now: now) : nil
    }

    private var isLogOpen: Bool {
        !life.isClosed && fence.failure == nil && hasLog
    }
}

extension SceneSessionStore {
    /// Does what is due for the write-ahead log in an idle moment, never within a save chain and
    /// never before the launch has settled: copies it into the file from 256 frames, if nobody saves
    /// just now, and syncs it 10 minutes after a save in mode normal. Answers whether it did
    /// anything. Who knows that nobody saves says so by `isIdle`; else it is idle if nothing was
    /// written since the last call.
    @discardableResult
    package func tendLog(now: Int64, isIdle: Bool = false) throws(SceneStoreError) -> Bool {
        guard !isAtRest else {
            return false
        }
        return try using { core throws(SceneStoreError) in
            try core.tendLog(now: now, isIdle: isIdle)
        }
    }

    /// Copies the write-ahead log into the file now, however little it holds; a reader in the way
    /// makes it copy less.
    package func checkpoint() throws(SceneStoreError) {
        try using { core throws(SceneStoreError) in
            try core.checkUsable()
            try core.checkpoint()
        }
    }

    /// Syncs the log if that is due; also before the launch has settled.
    package func syncLog(now: Int64) throws(SceneStoreError) {
        guard !isAtRest else {
            return
        }
        try using { core throws(SceneStoreError) in
            if core.logDelay(now: now) == 0 {
                try core.syncLog()
            }
        }
    }

    /// Makes saves in mode normal durable, with one sync; nothing is written when none waits for it.
    package func syncSaves() throws(SceneStoreError) {
        guard !isAtRest else {
            return
        }
        try using { core throws(SceneStoreError) in
            try core.checkUsable()
            try core.syncSaves()
        }
    }

    /// Whether the log waits for an idle moment to be copied.
    package var awaitsCheckpoint: Bool {
        core.withLock { $0.awaitsCheckpoint }
    }

    /// Milliseconds until the log has to be synced; nil when nothing waits for that.
    package func logDelay(now: Int64) -> Int64? {
        core.withLock { $0.logDelay(now: now) }
    }
}
