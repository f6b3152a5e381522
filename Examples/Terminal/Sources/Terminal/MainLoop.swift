import SceneStore
import SceneStoreInstance
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A main loop on `poll`: keys, timers, and what other threads want performed here.
final class MainLoop: SceneScheduler {
    private final class Mailbox: Sendable {
        let work = Mutex<[@Sendable () -> Void]>([])
    }

    private var timers: [(due: Int64, work: ScheduledWork)] = []
    private let mailbox = Mailbox()
    private let waking: (read: Int32, write: Int32)
    private(set) var isRunning = true

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe(&ends)
        waking = (ends[0], ends[1])
        _ = fcntl(waking.read, F_SETFL, O_NONBLOCK)
    }

    /// Performs work of other threads on this loop.
    var executor: ApplicationExecutor {
        ApplicationExecutor { [mailbox, write = waking.write] work in
            mailbox.work.withLock { $0.append(work) }
            var byte: UInt8 = 0
            _ = Self.write(write, &byte)
        }
    }

    func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork {
        let scheduled = ScheduledWork(work)
        timers.append((Self.now + milliseconds, scheduled))
        return scheduled
    }

    func stop() { isRunning = false }

    /// Runs until it is stopped, or nobody types any more.
    func run(key: (UInt8) -> Void, idle: () -> Void) {
        while isRunning {
            idle()
            var entries = [STDIN_FILENO, waking.read].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            timers.removeAll { !$0.work.isPending }
            let next = timers.map(\.due).min().map { Int32(clamping: max($0 - Self.now, 0)) }
            _ = poll(&entries, 2, next ?? -1)
            let due = timers.filter { $0.due <= Self.now }
            timers.removeAll { $0.due <= Self.now }
            due.forEach { $0.work.perform() }
            var byte: UInt8 = 0
            while read(waking.read, &byte, 1) == 1 {}
            let work = mailbox.work.withLock { work in
                defer { work.removeAll() }
                return work
            }
            work.forEach { $0() }
            if isRunning, entries[0].revents != 0 {
                guard read(STDIN_FILENO, &byte, 1) == 1 else { return }
                key(byte)
            }
        }
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func write(_ file: Int32, _ byte: inout UInt8) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, &byte, 1)
        #else
            Darwin.write(file, &byte, 1)
        #endif
    }
}
