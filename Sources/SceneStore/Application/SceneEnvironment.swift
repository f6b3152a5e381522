import SceneStoreSQLite

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
