import SceneStoreCSystemFaults

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A call of this process to the system that fails, whoever makes it: the library or SQLite.
package struct SystemFault: Sendable {
    /// What is asked of the system.
    package enum Call: Int32, CaseIterable, Sendable {
        case look, open, read, write, truncate, sync, rename, remove, makeFolder, list, permissions
        case lock, map
    }

    /// What becomes of the call that is hit.
    package enum Effect: Int32, Sendable {
        case refused, doneButReported, short
    }

    /// The ways in which calls fail that a proof tries.
    package enum Kind: UInt64, CaseIterable, Sendable {
        case refused, doneButReported, full, short, locks
    }

    package var calls: Set<Call>
    /// Which of them is hit, from 1.
    package var first: UInt64
    /// Whether every later one is hit as well.
    package var isPermanent: Bool
    package var effect: Effect
    /// The `errno` that is told.
    package var error: Int32
    /// The folder below which writes are hit; nil: everywhere.
    package var folder: String?

    package init(
        calls: Set<Call>, first: UInt64, isPermanent: Bool, effect: Effect, error: Int32
    ) {
        self.calls = calls
        self.first = first
        self.isPermanent = isPermanent
        self.effect = effect
        self.error = error
    }

    /// Calls that fail in one of the ways that are tried.
    package init(_ kind: Kind, first: UInt64, isPermanent: Bool) {
        let changes: Set<Call> = [.write, .truncate, .sync, .rename, .remove, .makeFolder]
        calls =
            switch kind {
            case .refused: Set(Call.allCases).subtracting([.lock])
            case .locks: [.lock]
            case .doneButReported: changes
            case .full: changes.subtracting([.remove])
            case .short: [.read, .write]
            }
        effect =
            switch kind {
            case .refused, .full, .locks: .refused
            case .doneButReported: .doneButReported
            case .short: .short
            }
        error = kind == .full ? ENOSPC : EIO
        self.first = first
        self.isPermanent = isPermanent
    }

    /// The death of this process at a call: neither that call nor a later one is made.
    package static func death(at call: UInt64) -> SystemFault {
        SystemFault(
            calls: Set(Call.allCases), first: call, isPermanent: true, effect: .refused, error: EIO)
    }

    /// Whether a call was hit since something began to fail.
    package static var hasHit: Bool { !lastHit.isEmpty }

    /// Whether calls can be made to fail on this system.
    package static var isAvailable: Bool { ssf_system_is_available() }

    /// The C function of the first call that was hit last time.
    package static var lastHit: String { String(cString: ssf_system_name()) }

    /// Does something while the calls of this thread fail; answers how many were hit, too.
    package func whileFailing<Result>(_ body: () throws -> Result) -> (
        result: Swift.Result<Result, any Error>, hits: UInt64
    ) {
        let mask = calls.reduce(UInt32(0)) { $0 | 1 << UInt32($1.rawValue) }
        ssf_system_arm(mask, first, isPermanent, effect.rawValue, error)
        folder.map { ssf_system_confine($0) }
        let result = Swift.Result { try body() }
        return (result, ssf_system_disarm())
    }
}
