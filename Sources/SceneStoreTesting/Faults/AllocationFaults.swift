internal import SceneStoreCFaults

/// Lets SQLite's allocations fail, for test processes only.
///
/// `sqlite3_config` is process-global and must come before anything uses SQLite, so ``install()``
/// belongs at the start of a process of its own, such as an exit test. A fault then concerns the
/// calling thread alone. Where SQLite is built with lookaside memory, small allocations of a
/// connection do not come this way.
///
/// ```swift
/// let isReady = AllocationFaults.install()  // before the process uses SQLite
/// let store = try? AllocationFaults.failing(at: 50) {
///     try SceneSessionStore.open(at: .memory)
/// }
/// ```
public enum AllocationFaults {
    /// Puts the failing allocator in front of SQLite's own.
    ///
    /// - Returns: false when SQLite was in use already, and nothing was changed.
    public static func install() -> Bool {
        ssf_allocation_install() == 0
    }

    /// Runs `body` while the n-th allocation of this thread fails, from 1; 0 lets none fail and
    /// counts only.
    public static func failing<Result, Failure>(
        at first: UInt64,
        isPermanent: Bool = false,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ssf_allocation_arm(first, isPermanent)
        defer { _ = ssf_allocation_disarm() }
        return try body()
    }

    /// How many allocations failed in the last run on this thread; 0 ends a sweep.
    public static var failures: UInt64 { ssf_allocation_disarm() }

    /// How many allocations this thread has asked for since the last run began.
    public static var allocations: UInt64 { ssf_allocation_count() }
}
