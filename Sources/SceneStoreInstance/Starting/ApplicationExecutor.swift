/// An executor that performs work on the application's thread or actor (L-77).
///
/// A thread of SceneStore listens to other processes; only the executor uses the application.
/// `.mainActor` and `.executor(of:)` are for apps whose main loop runs Swift's actors. A toolkit
/// with another main loop passes a closure:
///
/// ```swift
/// let executor = ApplicationExecutor { work in
///     addIdleSource(work)  // g_idle_add, wl_event_loop_add_idle, …
/// }
/// ```
public struct ApplicationExecutor: Sendable {
    /// Performs work soon, on the application's isolation. Called from any thread.
    let perform: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Makes an executor from a closure that may be called from any thread. It performs each piece
    /// of work once, later, on the thread or actor that uses the application. Work that it drops
    /// counts as refused, and whoever waits for that work asks again.
    public init(_ perform: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.perform = perform
    }

    /// Performs work on the main actor, for an application that lives there.
    public static var mainActor: ApplicationExecutor {
        executor(of: MainActor.shared)
    }

    /// Performs work on an actor, for an application that lives there. The actor is kept weakly.
    public static func executor(of actor: any Actor) -> ApplicationExecutor {
        ApplicationExecutor { [weak actor] work in
            Task { [weak actor] in await actor?.performForwarded(work) }
        }
    }
}

extension Actor {
    fileprivate func performForwarded(_ work: @Sendable () -> Void) {
        work()
    }
}
