import SceneStoreSQLite
import SceneStoreValues

/// What is known of the write-ahead log, and what is due for it (S-20).
///
///     commit ──> log ── 10 minutes ─────────────────> one sync of the log
///                 ├──── idle, from 256 frames ──────> checkpoint
///                 ├──── any idle moment, 3 600 ─────> checkpoint
///                 ├──── the next save would exceed ─> checkpoint after the commit
///                 │     4 000 frames
///                 └──── the disk has no room for more ─> checkpoint after the commit
///
/// A checkpoint makes two syncs and the first save after it a third; a sync of the log is one. So
/// checkpoints are for moments in which nobody saves, and for a log that is nearly full.
package struct WALUpkeep {
    /// What an idle moment does.
    enum Step {
        case nothing
        case sync
        case checkpoint
    }

    /// Frames from which the log is copied while nothing is written.
    static let idleFrames = 256
    /// Frames from which it is copied in any idle moment, so that no save has to.
    static let busyFrames = 3_600
    /// Frames that the log has at most when a save returns: 15.7 MB with pages of 4 KB.
    static let mostFrames = 4_000
    /// Frames from which a commit looks whether the disk has room for the log's growth and its copy.
    static let firstLook = 64
    /// The most frames between two looks.
    static let lookFrames = 256
    /// Bytes of a frame: a page and its header.
    static let frameBytes = 4_120
    /// Frames until the next attempt when a reader keeps the log from being begun anew.
    static let blockedFrames = 1_000
    /// The longest time that a commit waits for its sync, in milliseconds.
    static let syncDelay: Int64 = 600_000

    /// The last transaction that left a save to the next sync, and the last one that was synced.
    var lastUnsyncedSave = 0
    var lastSync = 0
    /// When the first transaction was made that no sync has followed.
    private(set) var unsyncedSince: Int64?
    /// How many transactions there were when the log was last copied whole; -1 when it was not.
    private var copiedTransactions = -1
    /// How many there were in the last idle moment.
    private var seenTransactions = -1
    /// The frames that the log may have when a save returns.
    private var frameLimit = Self.mostFrames
    /// The frames from which the disk's room is looked at again.
    private var nextLook = Self.firstLook

    package init() {}

    /// Whether saves wait for the next sync.
    var hasUnsyncedSaves: Bool { lastUnsyncedSave > lastSync }

    /// Notes a commit that was not synced.
    mutating func noteUnsynced(at now: @autoclosure () -> Int64) {
        if unsyncedSince == nil {
            unsyncedSince = now()
        }
    }

    /// Notes that all transactions up to now were synced.
    mutating func noteSynced(_ transactions: Int) {
        lastSync = transactions
        unsyncedSince = nil
    }

    /// Notes a checkpoint, which syncs the log before any of it is copied. One that copied nothing,
    /// because of a reader, synced nothing.
    mutating func noteCheckpoint(_ result: CheckpointResult, _ transactions: Int) {
        copiedTransactions = result.isComplete ? transactions : -1
        if result.isComplete {
            noteSynced(transactions)
        }
    }

    /// Whether a commit has filled the log so far that another one like it would exceed the bound, or
    /// that the disk may soon have no room for its copy: a full disk takes no checkpoint, and without
    /// one no save.
    ///
    /// - Parameter room: The bytes that the disk has left; nil when nobody knows. Asked at most once
    ///   in 64 frames.
    package mutating func isFull(before: Int, after frames: Int, room: () -> UInt64?) -> Bool {
        guard frames > before else {
            // It was begun anew.
            frameLimit = Self.mostFrames
            nextLook = Self.firstLook
            return frames + frames > frameLimit
        }
        if frames >= nextLook {
            let growth = min(frames, Self.lookFrames)
            nextLook = frames + growth
            if let room = room(), room < UInt64((frames + growth) * Self.frameBytes) {
                return true
            }
        }
        return frames + (frames - before) > frameLimit
    }

    /// The log is full and could not be begun anew: it is tried again when it has grown further.
    mutating func allowMore(than frames: Int) {
        frameLimit = max(Self.mostFrames, frames + Self.blockedFrames)
    }

    /// Whether there is anything in the log that the file does not have.
    func hasFrames(_ frames: Int, _ transactions: Int) -> Bool {
        frames > 0 && copiedTransactions != transactions
    }

    /// What an idle moment is to do. Nobody saves when nothing was written since the one before, or
    /// when the caller knows.
    mutating func step(_ frames: Int, _ transactions: Int, now: Int64, isIdle: Bool) -> Step {
        let isIdle = isIdle || seenTransactions == transactions
        seenTransactions = transactions
        guard hasFrames(frames, transactions) else {
            return .nothing
        }
        if frames >= Self.busyFrames || isIdle && frames >= Self.idleFrames {
            return .checkpoint
        }
        return delay(now: now) == 0 ? .sync : .nothing
    }

    /// Milliseconds until the oldest commit has to be synced; nil when all are. A clock that went
    /// back counts as a long time.
    func delay(now: Int64) -> Int64? {
        guard let unsyncedSince else {
            return nil
        }
        let waited = now.subtractingReportingOverflow(unsyncedSince).partialValue
        return waited < 0 ? 0 : max(0, Self.syncDelay - waited)
    }
}

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
    private var room: UInt64? {
        if let room = options.room {
            return room()
        }
        return container.folder?.freeBytes
    }

    /// A full disk that takes no more frames may still take the log's copy, after which the log begins
    /// anew. Where it doesn't, nothing is changed.
    func makeRoom() {
        guard hasLog, log.hasFrames(connection.walFrames, counters.transactions) else {
            return
        }
        do throws(SceneStoreError) {
            try checkpoint()
        } catch {
            // The write that follows says what is the matter.
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
            container.noteContent()
        }
        return try translating {
            let result =
                try waits ? connection.checkpoint(mode) : connection.checkpointAtOnce(mode)
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
