internal import SceneStoreCFaults

/// Faults that make SQLite's allocations fail, for test processes only.
///
/// `sqlite3_config` is process-global and must be called before anything uses SQLite. Call
/// ``install()`` at the start of a separate process, such as an exit test. A fault then concerns
/// only the calling thread. If SQLite is built with lookaside memory, small allocations of a
/// connection are not covered.
package enum AllocationFaults {
    /// Puts the failing allocator in front of SQLite's own.
    ///
    /// - Returns: false when SQLite was in use already, and nothing was changed.
    package static func install() -> Bool {
        ssf_allocation_install() == 0
    }

    /// Runs `body` while the n-th allocation of this thread fails.
    ///
    /// The count begins at 1; 0 lets no allocation fail and only counts.
    package static func failing<Result, Failure>(
        at first: UInt64,
        isPermanent: Bool = false,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ssf_allocation_arm(first, isPermanent)
        defer { _ = ssf_allocation_disarm() }
        return try body()
    }

    /// The number of allocations that failed in the last run on this thread; 0 ends a sweep.
    package static var failures: UInt64 { ssf_allocation_disarm() }

    /// The number of allocations that this thread requested since the last run began.
    package static var allocations: UInt64 { ssf_allocation_count() }
}
