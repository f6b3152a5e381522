/// The work of idle moments, and its timer (S-20).
///
/// 1. At most one timer is armed, and none while nothing is left to do.
/// 2. A failure is tried again each time, and told once for each cause.
/// 3. While the store refuses what is written, each wait is twice as long as the one before, up to
///    eight minutes: an app on a read-only disk sleeps. An event or a call comes first.
final class UpkeepTimer {
    private let core: ApplicationCore
    private let settling: Settling
    private let states: StateWriter
    private let autosaving: Autosaving
    private let events: EventTurn
    /// Whether that timer waits for longer than idle work does after an event.
    private var mayComeSooner = false
    /// Why idle work failed last; that was told.
    private var failure: SceneStoreError.Code?
    /// How often in a row idle work could not write what it had to.
    private(set) var refusals = 0

    /// How long after an event idle work is looked for, in milliseconds.
    private static let interval: Int64 = 30_000
    /// How long after one piece of it the next one comes, while more is left.
    private static let pause: Int64 = 1_000

    init(
        _ core: ApplicationCore, _ settling: Settling, _ states: StateWriter,
        _ autosaving: Autosaving, _ events: EventTurn
    ) {
        self.core = core
        self.settling = settling
        self.states = states
        self.autosaving = autosaving
        self.events = events
    }

    /// Arms one timer after an event. Once there is nothing to be done soon it waits for the log's
    /// sync, if one is due at all (S-20), and no timer runs while nothing happens.
    func schedule(isSoon: Bool = true, within interval: Int64 = UpkeepTimer.interval) {
        guard core.processState == .running, !core.isLetGo,
            let scheduler = core.scheduler,
            !(core.upkeepTimer?.isPending ?? false) || isSoon && mayComeSooner
        else {
            return
        }
        let wait = core.store.log.delay(now: core.environment.now())
        guard isSoon || wait != nil else {
            return
        }
        // What is overdue could not be done: not at once again.
        let due = wait.flatMap { $0 > 0 ? $0 : nil } ?? max(interval, Self.interval)
        let delay = isSoon ? min(due, interval) : due
        mayComeSooner = delay > Self.interval
        core.upkeepTimer?.cancel()
        core.upkeepTimer = scheduler.schedule(after: delay) { [weak self] in self?.fire() }
    }

    func stop() {
        core.upkeepTimer?.cancel()
    }

    private func fire() {
        var hasMore = false
        do throws(SceneStoreError) {
            hasMore = try perform(budgetMilliseconds: core.idleBudget)
            failure = nil
        } catch {
            if failure != error.code {
                core.report(error)
            }
            failure = error.code
        }
        refusals = core.store.refusal != nil || failure != nil ? refusals + 1 : 0
        schedule(
            isSoon: hasMore || isAwaited,
            within: hasMore ? Self.pause : Self.interval << min(refusals, 4))
    }

    /// Whether something waits that no event may come for: a restoration to settle, a state that
    /// could not be written, a log to be copied.
    private var isAwaited: Bool {
        let store = core.store
        return !settling.isDone || core.live.hasUnsaved
            || store.log.awaitsCheckpoint || store.awaitsRest || store.refusal != nil
    }

    /// Does the work that is due, and answers whether more is left.
    func perform(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        guard core.processState == .running, !core.isPerforming,
            !core.isLetGo
        else {
            return false
        }
        let (store, environment) = (core.store, core.environment)
        guard settling.isDone else {
            try store.log.sync(now: environment.now())
            return false
        }
        defer {
            core.tellFindings()
        }
        settling.settleIfStable()
        autosaving.saveIfDue()
        if core.live.hasUnsaved {
            try events.perform { [states] () throws(SceneStoreError) in
                states.commitStates()
            }
        }
        if store.refusal != nil {
            // The cause of a refusal is told once, by the store.
            try? store.writeRefused()
            core.tellFindings()
        }
        try store.log.tend(now: environment.now())
        return try store.upkeep.perform(budgetMilliseconds: budgetMilliseconds)
    }
}
