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
