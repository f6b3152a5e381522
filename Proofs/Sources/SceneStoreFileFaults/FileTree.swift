#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files below a folder, as bytes.
package enum FileTree {
    /// Files by their paths below the folder; a path that ends in a slash is a folder's.
    package typealias Image = [String: [UInt8]]

    /// What kept a proof from reading or writing files, or from recording calls.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// Makes or replaces a file below a folder, and the folders that it is in.
    package static func put(_ bytes: [UInt8], _ name: String, in folder: String) throws {
        var place = folder
        for part in name.split(separator: "/").dropLast(name.hasSuffix("/") ? 0 : 1) {
            place += "/" + part
            mkdir(place, 0o700)
        }
        guard !name.hasSuffix("/") else {
            return
        }
        let descriptor = open(folder + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "a file can't be made")
        }
        defer { close(descriptor) }
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Failure(description: "a file can't be written")
        }
    }

    /// A file's bytes; nil if there is none.
    package static func bytes(_ path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return nil
        }
        defer { close(descriptor) }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size >= 0 else {
            return nil
        }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, size, 0))
        }
    }
}
