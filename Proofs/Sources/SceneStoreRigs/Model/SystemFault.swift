import SceneStoreCSystemFaults

/// A call of this process to the system that fails, whoever makes it: the library or SQLite.
struct SystemFault {
    /// What is asked of the system.
    enum Call: Int32, CaseIterable {
        case look, open, read, write, truncate, sync, rename, remove, makeFolder, list, permissions
        case lock, map
    }

    /// What becomes of the call that is hit.
    enum Effect: Int32 {
        case refused, doneButReported, short
    }

    var calls: Set<Call>
    /// Which of them is hit, from 1.
    var first: UInt64
    /// Whether every later one is hit as well.
    var isPermanent: Bool
    var effect: Effect
    /// The `errno` that is told.
    var error: Int32

    /// Whether calls can be made to fail on this system.
    static var isAvailable: Bool { ssf_system_is_available() }

    /// The C function of the first call that was hit last time.
    static var lastHit: String { String(cString: ssf_system_name()) }

    /// Does something while the calls of this thread fail; answers how many were hit, too.
    func whileFailing<Result>(_ body: () throws -> Result) -> (
        result: Swift.Result<Result, any Error>, hits: UInt64
    ) {
        let mask = calls.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) }
        ssf_system_arm(mask, first, isPermanent, effect.rawValue, error)
        let result = Swift.Result { try body() }
        return (result, ssf_system_disarm())
    }
}
