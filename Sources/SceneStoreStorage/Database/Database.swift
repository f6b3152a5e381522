import SceneStoreSQLite
import SceneStoreValues
import Synchronization

/// An open store: its one connection, and all that is known of what lies in it.
///
/// It is used by one thread at a time, under the store's lock. Its topics are files: sessions, saving,
/// launches, the journal. Whoever is lent it reads rows; only a ``Transaction`` writes any, and
/// `Commit.swift` has the one way to a transaction. A read that comes upon damage notes it: in memory,
/// and beside the owner's lock for the next opening.
///
/// Invariants:
/// 1. The caches hold committed rows only, except while a transaction runs; a rollback empties them.
/// 2. One transaction runs at a time, and app code never runs inside one.
package final class Database: Skeleton {
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
    /// What a damaged store is handed to when it is opened again.
    package let recovery: any StoreRecovering
    // The compiler would guard each access to these against a second one; the store's lock has
    // seen to that, and they are touched fifty times in a save.
    @exclusivity(unchecked) package var fence: StoreFence
    @exclusivity(unchecked) package var caches = StoreCaches()
    @exclusivity(unchecked) package var counters = StoreCounters()
    @exclusivity(unchecked) package var journal = StoreJournal()
    @exclusivity(unchecked) package var log = WALUpkeep()
    @exclusivity(unchecked) package var damage = DamageNotes()
    /// Where it lies now.
    @exclusivity(unchecked) var backing = Backing.connection
    /// Whether somebody else owned the container since that was asked last.
    @exclusivity(unchecked) var hadOtherOwner = false
    @exclusivity(unchecked) package var upkeep: UpkeepMarks
    /// Whether a write that the file refuses is held in memory instead of being thrown (L-17).
    @exclusivity(unchecked) var holdsRefusedWrites = false
    /// Whether a launch has begun, so that what its process does later must not wait for the next
    /// opening to salvage a damaged file.
    @exclusivity(unchecked) var hasBegunLaunch = false
    /// The sessions of which something was held in memory when this was closed.
    var lostIdentifiers: [String] = []
    /// What was found out about the file after a commit had succeeded.
    @exclusivity(unchecked) var lateRefusal: SceneStoreError?

    package init(
        connection: Connection, container: OpenContainer = OpenContainer(), store: StoreRow,
        sealer: RowSealer? = nil, options: SceneSessionStore.Options,
        recovery: any StoreRecovering = FileRecovery()
    ) {
        self.connection = connection
        self.container = container
        self.sealer = sealer ?? RowSealer(uuid: store.uuid)
        self.options = options
        self.recovery = recovery
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

    /// The store's own row.
    package var store: StoreRow { fence.row }

    /// The time, in milliseconds since 1970.
    package var now: Int64 { options.clock() }
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
    /// The generation of the last commit, while a transaction writes the next one.
    var committed: Int64?
    /// Whether the running transaction has changed a row.
    var hasChanged = false
}

/// What upkeep remembers between two idle moments.
package struct UpkeepMarks {
    /// Whether rows of an earlier epoch may be left; found out in idle time.
    package internal(set) var hasOldRows: Bool
    /// The last time that other readings of the clock agreed to.
    var agreedTime: Int64?
    /// The generation of this owner's first commit.
    var openedGeneration: Int64 = 0
    /// What was found to be pruned and is there still, the first one last: finding it reads every discarded
    /// session. With the transaction after which it was found, for what was changed since is pruned no more,
    /// and the container.
    var pruning: (candidates: [PruneCandidate], generation: Int64, epoch: Int64) = ([], 0, 0)
}

/// The counts of what a store did since it was opened.
package struct StoreCounters: Sendable, Hashable {
    /// Transactions that committed.
    package var transactions = 0
    /// The transactions that are safe against a power cut, with one sync each.
    package var durableTransactions = 0
    /// States that were written.
    package var statesWritten = 0
    /// States that were equal to the stored one and cost nothing.
    package var statesUnchanged = 0
    /// Frames in the write-ahead log since the last checkpoint.
    package var frames = 0
    /// Checkpoints that were run.
    package var checkpoints = 0
}

/// Something that pruning would remove, and why (S-52).
package struct PruneCandidate: Sendable, Hashable {
    /// What it is.
    package enum Subject: String, Sendable, Hashable {
        /// A discarded session that can no longer be reopened.
        case closedSession
        /// A tombstone of a discard that was delivered.
        case discard
        /// An old launch.
        case launch
    }

    /// What it is.
    package var subject: Subject
    /// The session, or the launch's number.
    package var name: String
    /// Why it goes.
    package var reason: String
    /// The row.
    package var id: Int64

    package init(
        subject: Subject, name: String, reason: String, id: Int64
    ) {
        self.subject = subject
        self.name = name
        self.reason = reason
        self.id = id
    }
}

/// One entry of the journal (S-42).
package struct StoreEvent: Sendable, Hashable {
    /// The kind of an event, in one word; an open set.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        /// The word itself.
        package let rawValue: String

        /// Makes a kind from its word.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The transaction that it belongs to.
    package var generation: Int64
    /// The launch in which it happened; 0 outside of any.
    package var launch: Int64
    /// Milliseconds since 1970.
    package var happenedAt: Int64
    /// The kind of the event.
    package var kind: Kind
    /// The session that it happened to.
    package var sessionIdentifier: SceneSession.ID?
    /// More, for people.
    package var detail: String?
}

extension StoreEvent.Kind {
    /// A state was saved.
    package static let save = Self(rawValue: "save")
    /// A state was forgotten because the app answered nil.
    package static let clear = Self(rawValue: "clear")
    /// A session was created.
    package static let create = Self(rawValue: "create")
    /// A session came to the front, left it, or became active.
    package static let mark = Self(rawValue: "mark")
    /// A session's userInfo, title, placement, conditions, storage or flags changed.
    package static let change = Self(rawValue: "change")
    /// A session was discarded.
    package static let discard = Self(rawValue: "discard")
    /// The app got the callback for a discard.
    package static let discardDelivered = Self(rawValue: "discard-delivered")
    /// A discarded session was reopened.
    package static let reopen = Self(rawValue: "reopen")
    /// A session was removed without a discard.
    package static let forget = Self(rawValue: "forget")
    /// An earlier state was made the current one.
    package static let checkout = Self(rawValue: "checkout")
    /// The container was reset.
    package static let reset = Self(rawValue: "reset")
    /// A process began or ended.
    package static let launch = Self(rawValue: "launch")
    /// A process ended.
    package static let end = Self(rawValue: "end")
    /// A session was blamed for the death of a process.
    package static let blame = Self(rawValue: "blame")
    /// A payload came in, was offered or acknowledged.
    package static let inbox = Self(rawValue: "inbox")
    /// An activity was saved or deleted.
    package static let activity = Self(rawValue: "activity")
    /// A row was set aside.
    package static let quarantine = Self(rawValue: "quarantine")
    /// Fewer sessions were found than recorded.
    package static let lost = Self(rawValue: "lost")
    /// Something was pruned.
    package static let prune = Self(rawValue: "prune")
    /// A process opened the store as its owner. The detail is the store's identity.
    ///
    /// The identity proves that the entry belongs to this store. So a file can be salvaged even if
    /// its row with the identity is lost.
    package static let open = Self(rawValue: "open")
    /// Sessions got the state that was saved last, in one launch. The detail has their numbers, as
    /// ``SessionRanges``; who reads the journal gets an entry for each of them.
    package static let restored = Self(rawValue: "restored")
    /// The store's identity once more, now and then among many entries, for the same purpose.
    package static let identity = Self(rawValue: "identity")
}

/// What the running transaction does, and what waits for the next one.
package struct StoreJournal {
    /// What this transaction did, so far.
    package var events: [StoreEvent] = []
    /// Decisions that wait for the next transaction.
    package var decisions: [DecisionRecord] = []
}

/// The lock around a store's database, and what an app asks after every call, readable without it.
package final class DatabaseLock: Sendable {
    private let lock: ThreadLock<Database>
    private let lastGeneration: Atomic<Int64>
    private let hasNothingToTell: Atomic<Bool>

    init(_ db: sending Database) {
        lastGeneration = Atomic(db.store.generation)
        hasNothingToTell = Atomic(false)
        lock = ThreadLock(db)
    }

    /// The generation of the store when the lock was left last.
    var generation: Int64 { lastGeneration.load(ordering: .acquiring) }

    /// Whether nothing was found, and no write held, when the lock was left last.
    var isQuiet: Bool { hasNothingToTell.load(ordering: .acquiring) }

    /// Runs a body while no other thread does.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Database) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try lock.withLock { db throws(Failure) in
            defer {
                lastGeneration.store(db.store.generation, ordering: .releasing)
                hasNothingToTell.store(
                    db.refused == nil && db.hasNothingToTell, ordering: .releasing)
            }
            return try body(&db)
        }
    }
}

/// Where a database lies. `Backing.swift` has every transition.
enum Backing {
    /// Its connection's file, or the memory that it was opened in.
    case connection
    /// Memory, in the place of a file that takes nothing; the file's own database is in there.
    case memory(RefusedWrites)
    /// The connection is closed and the container still owned: the file must hold this very row.
    case resting(StoreRow)
    /// The container was let go, and held this row then; nil where its pages are damaged.
    case suspended(StoreRow?)
    /// Closed for good.
    case closed
}

/// What a file refuses to take, while the store goes on in memory (L-17).
///
///     file's database ── a write is refused ──> database in memory: it is read and written instead
///          ^                                      │
///          └─── the rows that differ, in one ─────┘  at each write, in idle time, on reopening
///               transaction
///
/// Invariants:
/// 1. The database in memory holds all that the file held, and every decision since.
/// 2. What differs from the file is among the rows that the connection in memory has noted.
/// 3. The file is written only while nobody but this owner has written it since `base`.
package final class RefusedWrites {
    /// The database of the file; nil when the file has to be opened anew.
    package internal(set) var file: Database?
    /// The container, which stays owned while its file has to be opened anew.
    var owned: OpenContainer?
    /// The store's own row in the file; nil when there was none.
    var base: StoreRow?
    /// The store's own row in a file of all that is held, which may stand in its place although that
    /// was reported as failed.
    var placed: StoreRow?
    /// Whether the file holds nothing yet, and takes every row.
    var isWhole: Bool
    /// Why the file refuses.
    package internal(set) var cause: SceneStoreError
    /// The generation in memory at the last attempt.
    var attempted: Int64
    /// The damage of one file, whatever has taken its place since: it is set aside when it is opened
    /// anew; nil when it has none.
    var damage: (cause: SceneStoreError, file: FileIdentity)?
    /// How many openings failed since: each may have left its owner's mark in the file.
    var failedOpenings: Int64 = 0
    /// How many writes may be in the file although they were reported as failed.
    var lateWrites: Int64 = 1
    /// Whether such a write is to be taken back: who asked for it was told that it changed nothing.
    var undoesLate = false

    init(file: Database? = nil, base: StoreRow? = nil, cause: SceneStoreError, generation: Int64) {
        self.file = file
        self.base = base
        self.cause = cause
        isWhole = base == nil
        attempted = generation
    }

    /// Lets go of the file and of the container.
    func abandonFile() {
        file?.abandon()
        file = nil
        owned?.abandon()
        owned = nil
    }

    /// Whether an error of a write says that the file doesn't take what is written, so that the
    /// store goes on without it.
    static func isRefusal(_ error: SceneStoreError) -> Bool {
        isRefusedOpening(error)
            || [.moved, .replaced, .missing, .poisoned, .ownershipLost].contains(error.code)
    }

    /// Whether an error of an opening says that an app has to begin without the file (S-10).
    static func isRefusedOpening(_ error: SceneStoreError) -> Bool {
        [.diskFull, .readOnlyVolume, .ioError, .tooManyFiles].contains(error.code)
    }

    /// Whether an idle moment may open the file anew: nothing else can have taken its place.
    var mayReopen: Bool {
        guard let failure = file?.fence.failure else {
            return file.map(\.connection.isReadingWritableFile) ?? (base != nil) || isWhole
        }
        return failure.code == .poisoned
    }
}
