import SceneStore
import Synchronization

/// A clock that advances only when a test moves it, and the timers that wait for it.
///
/// It starts at 2026-01-01T00:00:00Z. Timers fire in the order of their times while the clock
/// moves, each at its own time.
///
/// ```swift
/// let clock = VirtualClock()
/// clock.now += 90_000  // a minute and a half
/// ```
public final class VirtualClock: Sendable {
    /// 2026-01-01T00:00:00Z, in milliseconds since 1970.
    public static let start: Int64 = 1_767_225_600_000

    private let time: Mutex<Int64>

    /// Makes a clock that shows a time, in milliseconds since 1970.
    public init(now: Int64 = VirtualClock.start) {
        time = Mutex(now)
    }

    /// The time that it shows, in milliseconds since 1970.
    public var now: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

/// A scheduler whose timers fire as it moves a ``VirtualClock``. Timers count the time that passes,
/// so setting the clock forward or back makes none fire sooner or later.
///
/// ```swift
/// let scheduler = VirtualScheduler(clock: clock)
/// let work = scheduler.schedule(after: 500) { saves += 1 }
/// scheduler.advance(by: 500)  // does it
/// ```
public final class VirtualScheduler: SceneScheduler {
    private let clock: VirtualClock
    private var timers: [(due: Int64, order: Int, work: ScheduledWork)] = []
    private var count = 0
    /// Milliseconds that have passed.
    private var uptime: Int64 = 0

    /// Makes a scheduler without timers.
    public init(clock: VirtualClock) {
        self.clock = clock
    }

    /// Calls `work` once when the clock has moved that far, unless it is cancelled before.
    public func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        count += 1
        timers.append((uptime.saturatingPlus(max(0, milliseconds)), count, scheduled))
        return scheduled
    }

    /// Moves the clock; what falls due is done in order, each at its own time.
    public func advance(by milliseconds: Int64) {
        let end = uptime.saturatingPlus(max(0, milliseconds))
        while true {
            timers.removeAll { !$0.work.isPending }
            guard
                let next = timers.min(by: { ($0.due, $0.order) < ($1.due, $1.order) }),
                next.due <= end
            else {
                break
            }
            timers.removeAll { $0.work === next.work }
            pass(until: next.due)
            next.work.perform()
        }
        pass(until: end)
    }

    private func pass(until time: Int64) {
        guard time > uptime else {
            return
        }
        clock.now = clock.now.saturatingPlus(time - uptime)
        uptime = time
    }

    /// Forgets all timers, as the end of a process does.
    public func removeAll() {
        timers.removeAll()
    }
}
