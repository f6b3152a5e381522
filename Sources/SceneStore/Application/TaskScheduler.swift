/// The default scheduler: timers that run on the isolation where the application lives.
///
/// Made on an actor, the main actor included, it calls back on that actor, by Swift's own clock.
/// Outside of one there is nowhere to call back to, and there is no such scheduler.
public final class TaskScheduler: SceneScheduler {
    /// Begins to wait; isolated like the initializer's caller.
    private let begin: (Int64, ScheduledWork) -> Void

    /// Makes a scheduler for the caller's isolation, or nil where there is none.
    public init?(isolation: isolated (any Actor)? = #isolation) {
        guard isolation != nil else {
            return nil
        }
        begin = { milliseconds, scheduled in
            Task {
                // Naming the actor makes the task run on it (SE-0420).
                _ = isolation
                do {
                    try await Task.sleep(for: .milliseconds(milliseconds))
                } catch {
                    return
                }
                scheduled.perform()
            }
        }
    }

    /// Calls `work` once after some milliseconds, unless it is cancelled before.
    public func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        begin(max(0, milliseconds), scheduled)
        return scheduled
    }
}
