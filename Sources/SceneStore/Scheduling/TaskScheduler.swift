import Synchronization

/// Timers that call back on an actor, by Swift's own clock (S-27).
///
/// The application lives on that actor. Say which one where SceneStore can't see it:
///
/// ```swift
/// let application = SceneApplication(
///     store: store, delegate: NotesApp(), scheduler: .mainActor)
/// // In an actor's `init`, which has to be `async` for that: .executor(of: self)
/// ```
///
/// Without a `scheduler`, an application uses the one of the actor that makes it. The scheduler
/// keeps its actor weakly: what lives on an actor doesn't keep it alive.
///
/// A timer waits until its actor is free. An app whose main thread blocks, in `readLine()` say, gets no
/// timer meanwhile, and nothing is autosaved. Call ``SceneApplication/flushChanges()`` before such a
/// call, and pass `.manual`. When an actor has not been free for five seconds after a timer was due,
/// ``Diagnostic/handlerWithoutApplication`` gets `timersDelayed`, once for each scheduler.
public final class TaskScheduler: SceneScheduler {
    private weak var actor: (any Actor)?
    /// Whether it ever calls back.
    private let hasTimers: Bool
    private let patience: Duration
    private let alarm = Alarm()

    /// Tells once that the actor is not free.
    private final class Alarm: Sendable {
        private let hasRung = Atomic(false)

        func ring() {
            if !hasRung.exchange(true, ordering: .relaxed) {
                Diagnostic.handlerWithoutApplication(.timersDelayed)
            }
        }
    }

    /// Makes a scheduler for the caller's isolation, or nil where there is none.
    package convenience init?(isolation: isolated (any Actor)? = #isolation) {
        guard let isolation else {
            return nil
        }
        self.init(executorOf: isolation)
    }

    /// Makes a scheduler for an actor, which tells after some time that the actor is not free; nil
    /// makes one that never calls back.
    package init(executorOf actor: (any Actor)?, patience: Duration = .seconds(5)) {
        self.actor = actor
        hasTimers = actor != nil
        self.patience = patience
    }

    /// Calls `work` once after some milliseconds, unless it is cancelled before.
    public func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        guard hasTimers else {
            return scheduled
        }
        // The compiler can't see that this crosses no isolation: the application, and with it this
        // call and the work, lives on the actor on which the work is performed. That is what who names
        // an actor promises.
        nonisolated(unsafe) let sent = scheduled
        Task { [weak actor, alarm, patience] in
            guard (try? await Task.sleep(for: .milliseconds(max(0, milliseconds)))) != nil,
                sent.waits.load(ordering: .relaxed)
            else {
                return
            }
            let watch = Task {
                try await Task.sleep(for: patience)
                if sent.waits.load(ordering: .relaxed) {
                    alarm.ring()
                }
            }
            await actor?.perform(sent)
            watch.cancel()
        }
        return scheduled
    }
}

extension Actor {
    fileprivate func perform(_ work: sending ScheduledWork) {
        work.perform()
    }
}

extension SceneScheduler where Self == TaskScheduler {
    /// Timers on the main actor, for an application that lives there. Any code may name it.
    public static var mainActor: TaskScheduler {
        TaskScheduler(executorOf: MainActor.shared)
    }

    /// Timers on an actor; the application must be used on that actor alone.
    public static func executor(of actor: any Actor) -> TaskScheduler {
        TaskScheduler(executorOf: actor)
    }

    /// No timers, for hosts that do idle work themselves.
    ///
    /// The host calls ``SceneApplication/performIdleWork(budgetMilliseconds:)`` when it is idle, which
    /// also saves changes that are due.
    ///
    /// ```swift
    /// let application = SceneApplication(
    ///     store: store, delegate: NotesApp(), scheduler: .manual)
    /// try application.launch()
    /// while try application.performIdleWork() {}  // where the app's loop is idle
    /// ```
    public static var manual: TaskScheduler { TaskScheduler(executorOf: nil) }
}
