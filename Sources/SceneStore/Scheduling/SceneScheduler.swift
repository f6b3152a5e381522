import SceneStoreSQLite
import Synchronization

/// Calls back later, on the isolation where the application lives (S-27).
///
/// `.mainActor` and `.executor(of:)` are timers on an actor; `.manual` never calls back; a main loop of
/// your own conforms. Correctness needs no timer: without one nothing is lost, but autosaves and upkeep
/// wait for the next event or for the host's own
/// ``SceneApplication/performIdleWork(budgetMilliseconds:)``, and crash counts are not cleared by the
/// stable period.
///
/// ```swift
/// final class LoopScheduler: SceneScheduler {
///     var timers: [(after: Int64, work: ScheduledWork)] = []
///     func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork {
///         timers.append((milliseconds, ScheduledWork(work)))
///         return timers[timers.count - 1].work
///     }
/// }
/// ```
public protocol SceneScheduler: AnyObject {
    /// Calls `work` once after some milliseconds, unless it is cancelled before.
    func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork
}

/// Work that waits for its time.
///
/// ```swift
/// let work = ScheduledWork { saves += 1 }
/// work.perform()
/// work.perform()  // does nothing: it was done
/// ```
public final class ScheduledWork {
    private var work: (() -> Void)?
    /// Whether it is pending, for those who may not touch the work itself.
    let waits = Atomic(true)

    /// Makes work that waits.
    public init(_ work: @escaping () -> Void) {
        self.work = work
    }

    /// Whether the work is still to be done: it was not cancelled and has not run.
    public var isPending: Bool { work != nil }

    /// Cancels the work.
    public func cancel() {
        waits.store(false, ordering: .relaxed)
        work = nil
    }

    /// Does it now, once.
    public func perform() {
        let pending = work
        cancel()
        pending?()
    }
}
