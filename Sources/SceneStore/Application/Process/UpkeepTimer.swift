/// The work of idle moments, and its timer (S-20).
///
/// 1. At most one timer is armed, and none while nothing is left to do.
/// 2. A failure is tried again each time, and told once for each cause.
/// 3. While the store refuses what is written, each wait is twice as long as the one before, up to
///    eight minutes: an app on a read-only disk sleeps. An event or a call comes first.
final class UpkeepTimer {
    /// The application; it owns this.
    private unowned let application: SceneApplication
    @exclusivity(unchecked) private var timer: ScheduledWork?
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
    /// How long a piece takes, in milliseconds: it runs where windows are drawn.
    private static let budget = 2

    init(_ application: SceneApplication) {
        self.application = application
    }

    /// Arms one timer after an event. Once there is nothing to be done soon it waits for the log's
    /// sync, if one is due at all (S-20), and no timer runs while nothing happens.
    func schedule(isSoon: Bool = true, within interval: Int64 = UpkeepTimer.interval) {
        let application = application
        guard application.processState == .running, !application.lease.isLetGo,
            let scheduler = application.scheduler,
            !(timer?.isPending ?? false) || isSoon && mayComeSooner
        else {
            return
        }
        let wait = application.store.log.delay(now: application.environment.now())
        guard isSoon || wait != nil else {
            return
        }
        // What is overdue could not be done: not at once again.
        let due = wait.flatMap { $0 > 0 ? $0 : nil } ?? max(interval, Self.interval)
        let delay = isSoon ? min(due, interval) : due
        mayComeSooner = delay > Self.interval
        timer?.cancel()
        timer = scheduler.schedule(after: delay) { [weak application] in
            guard let application else {
                return
            }
            application.upkeep.fire()
        }
    }

    func stop() {
        timer?.cancel()
    }

    private func fire() {
        var hasMore = false
        do throws(SceneStoreError) {
            hasMore = try perform(budgetMilliseconds: Self.budget)
            failure = nil
        } catch {
            if failure != error.code {
                application.report(error)
            }
            failure = error.code
        }
        refusals = application.store.refusal != nil || failure != nil ? refusals + 1 : 0
        schedule(
            isSoon: hasMore || isAwaited,
            within: hasMore ? Self.pause : Self.interval << min(refusals, 4))
    }

    /// Whether something waits that no event may come for: a restoration to settle, a state that
    /// could not be written, a log to be copied.
    private var isAwaited: Bool {
        let store = application.store
        return !application.settling.isDone || application.live.hasUnsaved
            || store.log.awaitsCheckpoint || store.awaitsRest || store.refusal != nil
    }

    /// Does the work that is due, and answers whether more is left.
    func perform(budgetMilliseconds: Int) throws(SceneStoreError) -> Bool {
        guard application.processState == .running, !application.isPerforming,
            !application.lease.isLetGo
        else {
            return false
        }
        let (store, environment) = (application.store, application.environment)
        guard application.settling.isDone else {
            try store.log.sync(now: environment.now())
            return false
        }
        defer {
            application.tellFindings()
        }
        application.settling.settleIfStable()
        application.autosaving.saveIfDue()
        if application.live.hasUnsaved {
            try application.event { [application] () throws(SceneStoreError) in
                application.states.commitStates()
            }
        }
        writeRefusedChanges()
        try store.log.tend(now: environment.now())
        return try store.upkeep.perform(budgetMilliseconds: budgetMilliseconds)
    }

    private func writeRefusedChanges() {
        guard application.store.refusal != nil else {
            return
        }
        do throws(SceneStoreError) {
            try application.store.writeRefused()
        } catch {
            // Its cause is told once, by the store.
        }
        application.tellFindings()
    }
}
