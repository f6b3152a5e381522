import SceneStoreValues

/// The write-ahead log: when it is synced and when it is copied into the file (S-20).
package struct StoredLog: Sendable {
    let store: SceneSessionStore

    /// Does what is due for the write-ahead log in an idle moment, never within a save chain and
    /// never before the launch has settled: copies it into the file from 256 frames, if nobody saves
    /// just now, and syncs it 10 minutes after a save in mode normal. Answers whether it did
    /// anything. Who knows that nobody saves says so by `isIdle`; else it is idle if nothing was
    /// written since the last call.
    @discardableResult
    package func tend(now: Int64, isIdle: Bool = false) throws(SceneStoreError) -> Bool {
        guard !store.isAtRest else {
            return false
        }
        return try store.using { core throws(SceneStoreError) in
            try core.checkUsable()
            guard core.hasLog else {
                return false
            }
            let (frames, transactions) = (core.connection.walFrames, core.counters.transactions)
            switch core.log.step(frames, transactions, now: now, isIdle: isIdle) {
            case .nothing: return false
            case .sync: try core.syncLog()
            case .checkpoint: try core.checkpoint()
            }
            return true
        }
    }

    /// Copies the write-ahead log into the file now, however little it holds; a reader in the way
    /// makes it copy less.
    package func checkpoint() throws(SceneStoreError) {
        try store.using { core throws(SceneStoreError) in
            try core.checkUsable()
            try core.checkpoint()
        }
    }

    /// Syncs the log if that is due; also before the launch has settled.
    package func sync(now: Int64) throws(SceneStoreError) {
        guard !store.isAtRest else {
            return
        }
        try store.using { core throws(SceneStoreError) in
            if core.logDelay(now: now) == 0 {
                try core.syncLog()
            }
        }
    }

    /// Makes saves in mode normal durable, with one sync; nothing is written when none waits for it.
    package func syncSaves() throws(SceneStoreError) {
        guard !store.isAtRest else {
            return
        }
        try store.using { core throws(SceneStoreError) in
            try core.checkUsable()
            if core.hasLog, core.log.hasUnsyncedSaves {
                try core.syncLog()
            }
        }
    }

    /// Whether the log waits for an idle moment to be copied.
    package var awaitsCheckpoint: Bool {
        store.core.withLock { core in
            let frames = core.connection.walFrames
            return core.isLogOpen && frames >= LogUpkeep.idleFrames
                && core.log.hasFrames(frames, core.counters.transactions)
        }
    }

    /// Milliseconds until the log has to be synced; nil when nothing waits for that.
    package func delay(now: Int64) -> Int64? {
        store.core.withLock { $0.logDelay(now: now) }
    }
}

extension SceneSessionStore {
    package var log: StoredLog { StoredLog(store: self) }
}

extension StoreCore {
    fileprivate func logDelay(now: Int64) -> Int64? {
        isLogOpen ? log.delay(now: now) : nil
    }

    fileprivate var isLogOpen: Bool {
        !life.isClosed && fence.failure == nil && hasLog
    }
}
