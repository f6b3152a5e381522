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
    @exclusivity(unchecked) package var damage = DamageNotes()
    @exclusivity(unchecked) package var life = StoreLifetime()
    @exclusivity(unchecked) package var upkeep: UpkeepMarks
    /// Whether a write that the file refuses is held in memory instead of being thrown (L-17).
    @exclusivity(unchecked) var holdsRefusedWrites = false
    /// Whether a launch has begun, so that what its process does later must not wait for the next
    /// opening to salvage a damaged file.
    @exclusivity(unchecked) var hasBegunLaunch = false
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
        journal.subscribers.finish()
    }
}

/// Whether the store is open, was let go (S-33) or closed.
package struct StoreLifetime {
    package var isClosed = false
    /// What the store was when the container was let go; then it is closed, too.
    var suspension: StoreCore.Suspension?
    /// Whether somebody else owned the container since that was asked last.
    var resumption = SceneSessionStore.Resumption.unchanged
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
