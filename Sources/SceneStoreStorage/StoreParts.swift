import SceneStoreSQLite
import SceneStoreValues

/// All that an open store knows; used by one thread at a time, under the store's lock.
///
/// It is made of parts that each own their state and say what holds for it. Whoever has this reads
/// by it and cannot begin a transaction: that is ``StoreCore``'s.
package final class StoreParts {
    package let connection: Connection
    package let container: OpenContainer
    package let options: SceneSessionStore.Options
    package let limits: Limits
    package let sealer: RowSealer
    package let encoder: StoreEncoder
    /// Whom long work tells how far it is.
    package let work: WorkTeller
    /// Whether a write is only looked for, never done (readers).
    package let isReader: Bool
    // The compiler would guard each access to these against a second one; the store's lock has
    // seen to that, and they are touched fifty times in a save.
    @exclusivity(unchecked) package var fence: StoreFence
    @exclusivity(unchecked) package var caches = StoreCaches()
    @exclusivity(unchecked) package var counters = StoreCounters()
    @exclusivity(unchecked) package var journal = StoreJournal()
    @exclusivity(unchecked) package var log = LogUpkeep()
    package var damage = DamageNotes()
    package var life = StoreLifetime()
    package var upkeep: UpkeepMarks
    /// Whether a write that the file refuses is held in memory instead of being thrown (L-17).
    @exclusivity(unchecked) var holdsRefusedWrites = false
    /// What the file refused; nil while this is the file's own core.
    @exclusivity(unchecked) var held: HeldWrites?
    /// What was found out about the file after a commit had succeeded.
    @exclusivity(unchecked) var lateRefusal: SceneStoreError?

    package init(
        connection: Connection, container: OpenContainer, store: StoreRow, sealer: RowSealer,
        options: SceneSessionStore.Options
    ) {
        self.connection = connection
        self.container = container
        self.sealer = sealer
        self.options = options
        limits = options.limits.clamped
        encoder = StoreEncoder(
            ephemeralKeys: options.ephemeralKeys, redactedKeys: options.redactedKeys,
            revealsRedactedValues: options.revealsRedactedValues,
            limits: limits)
        work = WorkTeller(observer: options.workObserver)
        isReader = options.access == .reader
        fence = StoreFence(row: store)
        upkeep = UpkeepMarks(hasOldRows: store.containerEpoch > 1)
    }

    deinit {
        journal.finish()
    }
}

/// The store's own row, and what keeps a second owner out.
///
/// Invariants:
/// 1. `row` is what the last commit of this store object left in the file. A reader's is the one
///    that its running transaction sees.
/// 2. Every transaction that writes ends by exchanging the row, which succeeds only while it is
///    still the one of invariant 1: a second owner, let in by a lock that lies, is noticed in the
///    statement that would have overwritten its work.
/// 3. After such a loss, and after a sync that failed, nothing is written or acknowledged again.
package struct StoreFence {
    package var row: StoreRow
    /// Why nothing is written any more.
    package var failure: SceneStoreError?
    /// Whether `row` has to be read anew, after a rollback.
    package var isStale = false
    /// Whether the running transaction has changed a row.
    var hasChanged = false
}

/// What is known of the write-ahead log, and what is due for it (S-20).
///
///     commit ──> log ── 10 minutes ─────────────────> one sync of the log
///                 ├──── idle, from 256 frames ──────> checkpoint
///                 ├──── any idle moment, 3 600 ─────> checkpoint
///                 └──── the next save would exceed ─> checkpoint after the commit
///                       4 000 frames
///
/// A checkpoint makes two syncs and the first save after it a third; a sync of the log is one. So
/// checkpoints are for moments in which nobody saves, and for a log that is nearly full.
package struct LogUpkeep {
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

    /// Whether a commit has filled the log so far that another one like it would exceed the bound.
    mutating func isFull(before: Int, after frames: Int) -> Bool {
        guard frames > before else {
            // It was begun anew.
            frameLimit = Self.mostFrames
            return frames + frames > frameLimit
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
    mutating func step(
        _ frames: Int, _ transactions: Int, now: Int64, isIdle: Bool
    ) -> Step {
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

/// What the running transaction does, what waits for the next one, and who is told of commits.
package struct StoreJournal {
    /// What this transaction did, so far.
    package var events: [StoreEvent] = []
    /// Decisions that wait for the next transaction.
    package var decisions: [DecisionRecord] = []
    package var subscribers: [Int: AsyncStream<StoreChange>.Continuation] = [:]
    var nextSubscriber = 0

    /// Keeps decisions until the next transaction; of very many the latest.
    package mutating func append(_ new: [DecisionRecord], capacity: Int) {
        decisions += new
        let capacity = min(max(capacity, 1), 1_000)
        if decisions.count > capacity {
            decisions.removeFirst(decisions.count - capacity)
        }
    }

    /// Decisions that were stored since the store was opened.
    private var storedDecisions = 0

    /// Whether a launch stores the decisions that wait: when they are as many as those that it has
    /// stored. One that dies lacks the later half at most, never the first, and one of many windows
    /// makes few commits.
    var hasManyDecisions: Bool {
        !decisions.isEmpty && decisions.count >= min(storedDecisions, 512)
    }

    /// Tells the subscribers of a commit.
    mutating func publish(generation: Int64) {
        storedDecisions += decisions.count
        decisions.removeAll()
        guard !events.isEmpty else {
            return
        }
        if !subscribers.isEmpty {
            let change = StoreChange(generation: generation, events: events)
            for (number, subscriber) in subscribers {
                if case .terminated = subscriber.yield(change) {
                    subscribers[number] = nil
                }
            }
        }
        events.removeAll(keepingCapacity: true)
    }

    /// Tells a stream of commits from now on; answers its number.
    mutating func subscribe(_ subscriber: AsyncStream<StoreChange>.Continuation) -> Int {
        nextSubscriber += 1
        subscribers[nextSubscriber] = subscriber
        return nextSubscriber
    }

    /// Ends all streams.
    package mutating func finish() {
        for subscriber in subscribers.values {
            subscriber.finish()
        }
        subscribers.removeAll()
    }
}

/// What was noticed about the store, and how far the looking for damage has come.
package struct DamageNotes {
    package var openingDiagnostics: [Diagnostic] = []
    /// What was put in the place of a newer store.
    package var rollback: StoreRollback?
    /// What was noticed since it was asked for last.
    package var diagnostics: [Diagnostic] = []
    /// Rows that failed their checksum.
    package var rows: Set<DamagedRow> = []
    /// Those of them that were dealt with.
    package var setAside: Set<DamagedRow> = []
    /// Whether the skeleton was found to be smaller than recorded.
    package var isShrunk = false
    /// Whether that stays recorded, because the evidence could not be copied.
    var isLossKept = false
    /// Sessions whose state was read, and those whose last state is not there, or may not be.
    var shown: Set<Int64> = []
    var lostStates: Set<Int64> = []
    /// Sessions that do not bind their state yet.
    var unbound: [Int64] = []
    package var verification = VerificationState()
    var pageCheck = PageCheck()
    /// Whether the next owner was told that pages are damaged.
    var isNoted = false
}

/// Whether the store is open, was let go (S-33) or closed.
package struct StoreLifetime {
    package var isClosed = false
    /// What the store was when the container was let go; then it is closed, too.
    var suspension: StoreCore.Suspension?
    /// Whether somebody else owned the container since that was asked last.
    var resumption = SceneSessionStore.Resumption.unchanged
}

/// What upkeep remembers between two idle moments.
package struct UpkeepMarks {
    /// Whether rows of an earlier epoch may be left; found out in idle time.
    package internal(set) var hasOldRows: Bool
    /// The last time that other readings of the clock agreed to.
    var agreedTime: Int64?
    /// What was found to be pruned and is there still.
    var pruning = WaitingPruning()
}

/// What was found to be pruned, taken away piece by piece: finding it reads every discarded session.
struct WaitingPruning {
    /// The first one last.
    var candidates: [PruneCandidate] = []
    /// The transaction after which they were found. What was changed since is pruned no more.
    var generation: Int64 = 0
    /// The container that they are of.
    var epoch: Int64 = 0
}
