import SceneStoreSQLite
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The clock, the identifiers and the machine, which SceneStore takes as parameters.
///
/// ```swift
/// var environment = SceneEnvironment.system
/// environment.now = { clock.now }  // a test turns it
/// ```
public struct SceneEnvironment: Sendable {
    /// Milliseconds since 1970, UTC.
    public var now: @Sendable () -> Int64
    /// A new persistent identifier; never the same twice.
    public var makeIdentifier: @Sendable () -> String
    /// Another value after each restart of the system.
    public var bootIdentifier: String
    /// This process.
    public var processIdentifier: Int32

    /// Makes an environment.
    public init(
        now: @escaping @Sendable () -> Int64, makeIdentifier: @escaping @Sendable () -> String,
        bootIdentifier: String, processIdentifier: Int32
    ) {
        self.now = now
        self.makeIdentifier = makeIdentifier
        self.bootIdentifier = bootIdentifier
        self.processIdentifier = processIdentifier
    }
}

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

extension SceneEnvironment {
    /// The system's clock and machine, and random UUIDs (RFC 9562, version 4).
    public static var system: SceneEnvironment {
        SceneEnvironment(
            now: { Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)) },
            makeIdentifier: { UUID().uuidString },
            bootIdentifier: System.bootIdentifier ?? "unknown",
            processIdentifier: System.processIdentifier)
    }
}
