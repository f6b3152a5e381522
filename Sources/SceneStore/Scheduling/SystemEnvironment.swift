#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreSQLite

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
