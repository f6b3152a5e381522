import SceneStoreSQLite
import SceneStoreValues

/// All that an open store knows; used by one thread at a time, under the store's lock.
///
/// Invariants:
/// 1. `store` is the row that the last commit of this core left in the file. A reader's is the one
///    that its running transaction sees.
/// 2. The caches hold committed rows only, except while a transaction runs; a rollback empties
///    them.
/// 3. Every transaction that writes ends by exchanging the store's row, which succeeds only while
///    it is still the one of invariant 1: a second owner, let in by a lock that lies, is noticed
///    in the statement that would have overwritten its work.
/// 4. After such a loss, and after a sync that failed, nothing is written or acknowledged again.
package final class StoreCore {
    package let connection: Connection
    package let container: OpenContainer
    package let options: SceneSessionStore.Options
    /// What a damaged store is handed to when it is opened again.
    package let recovery: any StoreRecovering
    package let limits: Limits
    package let sealer: RowSealer
    // The compiler would guard each access to these against a second one; the store's lock has
    // seen to that, and they are touched fifty times in a save.
    @exclusivity(unchecked) package var store: StoreRow
    @exclusivity(unchecked) package var caches = StoreCaches()
    @exclusivity(unchecked) package var counters = StoreCounters()
    /// What this transaction did, so far.
    @exclusivity(unchecked) var pendingEvents: [StoreEvent] = []
    /// Whether counts of open sessions wait for the end of the transaction.
    @exclusivity(unchecked) var hasChangedConfigurations = false
    /// Decisions that wait for the next transaction.
    @exclusivity(unchecked) var pendingDecisions: [DecisionRecord] = []
    @exclusivity(unchecked) package var subscribers: [Int: AsyncStream<StoreChange>.Continuation] =
        [:]
    /// Why nothing is written any more.
    @exclusivity(unchecked) package var failure: SceneStoreError?
    package var openingDiagnostics: [Diagnostic] = []
    /// What was noticed since it was asked for last.
    package var diagnostics: [Diagnostic] = []
    package var damagedRows: Set<DamagedRow> = []
    /// Those of them that were dealt with.
    package var setAsideRows: Set<DamagedRow> = []
    var nextSubscriber = 0
    /// Whether `store` has to be read anew, after a rollback.
    package var isStale = false
    /// Whether the skeleton was found to be smaller than recorded.
    package var isShrunk = false
    package var isClosed = false
    /// What the store was when the container was let go; then the core is closed (S-33).
    var suspension: Suspension?
    /// Whether somebody else owned the container since that was asked last.
    var resumption = SceneSessionStore.Resumption.unchanged
    /// Whom long work tells how far it is.
    package let work: WorkTeller
    /// Whether a write is only looked for, never done (readers).
    package let isReader: Bool
    /// The last transaction that left a state to the next sync, and the last one that was synced.
    var lastUnsyncedSave = 0
    var lastSync = 0
    /// When the last checkpoint ran, or the store was opened.
    var lastCheckpoint: Int64
    /// The last time that other readings of the clock agreed to.
    var agreedTime: Int64?
    package var verification = VerificationState()
    var pageCheck = PageCheck()
    /// Whether the next owner was told that pages are damaged.
    private var isDamageNoted = false
    /// Whether rows of an earlier epoch may be left; found out in idle time.
    var hasOldRows: Bool
    /// How many transactions there were when the log was last copied whole; -1 when it was not.
    var checkpointedTransactions = -1

    package init(
        connection: Connection, container: OpenContainer, store: StoreRow, sealer: RowSealer,
        options: SceneSessionStore.Options, recovery: any StoreRecovering
    ) {
        self.connection = connection
        self.container = container
        self.store = store
        self.sealer = sealer
        self.options = options
        self.recovery = recovery
        limits = options.limits.clamped
        work = WorkTeller(observer: options.workObserver)
        isReader = options.access == .reader
        lastCheckpoint = options.clock()
        hasOldRows = store.containerEpoch > 1
    }

    /// Tells the next owner that pages are damaged: it salvages the store instead of opening it.
    func noteDamagedPages() {
        guard !isDamageNoted, !isReader else {
            return
        }
        isDamageNoted = true
        container.noteDamage()
    }

    /// The same, if that is what an error means.
    func noteDamagedPages(_ error: SceneStoreError) {
        // SQLITE_CORRUPT and its kinds.
        if error.code == .corrupt, let code = error.sqliteCode, code & 0xff == 11 {
            noteDamagedPages()
        }
    }

    /// The time, in milliseconds since 1970.
    package var now: Int64 { options.clock() }

    deinit {
        for subscriber in subscribers.values {
            subscriber.finish()
        }
    }
}
