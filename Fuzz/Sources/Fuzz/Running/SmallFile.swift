#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Files of the harness's own.
enum SmallFile {
    /// A file's bytes, or nil.
    static func read(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { Array($0) }
    }

    /// Writes a file; the harness can't go on without it.
    static func write(_ bytes: [UInt8], to path: String) {
        let isWritten = FileManager.default.createFile(atPath: path, contents: Data(bytes))
        require(isWritten, "the harness can write \(path)")
    }

    /// The names in a folder, in order.
    static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    /// Makes a folder that only this user can read.
    static func makeFolder(_ path: String) {
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
    }

    /// Removes a file, or a folder with all that is in it.
    static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
