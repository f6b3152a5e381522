import SceneStoreCFuzz
import Synchronization

/// The loop's side of a target: runs it and holds its time against the line.
final class FuzzRun: Sendable {
    static let current = FuzzRun()

    private let target = Mutex<FuzzTarget?>(nil)

    func start(_ target: FuzzTarget) {
        target.prepare()
        self.target.withLock { $0 = target }
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        guard let target = target.withLock({ $0 }) else {
            return
        }
        let limit = target.line.limit(of: bytes.count)
        var took = Self.time { target.run(bytes) }
        // The first run of a path pays for what Swift makes once; an interrupted one for others.
        var attempts = 0
        while took > limit, attempts < 2 {
            took = min(took, Self.time { target.run(bytes) })
            attempts += 1
        }
        require(
            took <= limit,
            "\(bytes.count) bytes cost \(took / 1_000) µs, and may cost \(limit / 1_000) µs")
    }

    /// What this thread computed meanwhile, in nanoseconds: waiting for a turn doesn't count.
    static func time(_ work: () -> Void) -> UInt64 {
        let start = scenestore_fuzz_thread_time()
        work()
        return scenestore_fuzz_thread_time() &- start
    }
}
