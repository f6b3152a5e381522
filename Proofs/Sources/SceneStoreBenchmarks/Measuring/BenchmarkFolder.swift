#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import enum SceneStoreSQLite.ContainerName
import enum SceneStoreSQLite.System

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder that the stores of a run lie in; it goes with the run.
final class BenchmarkFolder {
    let path: String
    private var count = 0
    private var isRemoved = false

    /// Makes a folder in another one, or in the temporary folder.
    init(in directory: String?) throws {
        let parent =
            directory.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? FileManager.default.temporaryDirectory
        let folder = parent.appending(
            path: "scenestore-benchmark-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        path = folder.path(percentEncoded: false).droppingLastSlash
    }

    deinit {
        guard !isRemoved else {
            return
        }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Terminal.complain("\(path) could not be removed")
        }
    }

    /// A new private folder in it.
    func makeFolder() throws -> String {
        let folder = "\(path)/\(nextNumber())"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        return folder
    }

    private func nextNumber() -> Int {
        count += 1
        return count
    }

    /// Removes all that is in it; files that are open stay usable.
    func removeAll() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try remove("\(path)/\(name)")
        }
        try FileManager.default.removeItem(atPath: path)
        isRemoved = true
    }

    /// Removes one of its folders before the end.
    func remove(_ folder: String) throws {
        try FileManager.default.removeItem(atPath: folder)
    }

    /// A closed store of another container, byte by byte, in a container of its own.
    func copyStore(of container: String) throws -> String {
        try copyStore(of: container, to: "\(path)/\(nextNumber())")
    }

    /// The same, in a folder that is named.
    func copyStore(of container: String, to folder: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            atPath: "\(container)/\(ContainerName.store)",
            toPath: "\(folder)/\(ContainerName.store)")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(ContainerName.store)")
        try writeOut("\(folder)/\(ContainerName.store)")
        return folder
    }

    /// Lets the disk take a copy now. A later sync is measured, and would wait for all of it.
    private func writeOut(_ path: String) throws {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else {
            throw BenchmarkFailure("a copy can't be opened")
        }
        defer {
            close(descriptor)
        }
        guard fsync(descriptor) == 0 else {
            throw BenchmarkFailure("a copy can't be written out")
        }
    }

    /// All files of another container, whose process died.
    func copyContainer(_ container: String) throws -> String {
        let folder = try makeFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: container) {
            try FileManager.default.copyItem(
                atPath: "\(container)/\(name)", toPath: "\(folder)/\(name)")
            try writeOut("\(folder)/\(name)")
        }
        return folder
    }

    /// The bytes of a store and its log, if it has one.
    func size(of container: String) throws -> Int64 {
        let log = "\(container)/\(ContainerName.log)"
        return try System.status(at: "\(container)/\(ContainerName.store)").size
            + (FileManager.default.fileExists(atPath: log) ? System.status(at: log).size : 0)
    }
}

extension String {
    fileprivate var droppingLastSlash: String {
        hasSuffix("/") ? String(dropLast()) : self
    }
}
