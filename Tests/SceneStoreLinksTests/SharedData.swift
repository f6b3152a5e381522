#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folder of recorded real-world input, when there is one.
enum SharedData {
    static let folder = ProcessInfo.processInfo.environment["SCENESTORE_TEST_DATA"]
    static var isPresent: Bool { folder != nil }

    /// The bytes of a file of `aasa/`.
    static func association(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder ?? "")/aasa/\(name)")))
    }
}
