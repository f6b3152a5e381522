import Foundation

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

        package init(description: String) {
            self.description = description
        }
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

    /// All files below a folder, and its folders.
    package static func image(of folder: String) throws -> Image {
        var image: Image = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0 else {
                continue
            }
            if status.st_mode & S_IFMT == S_IFDIR {
                image[name + "/"] = []
            } else if status.st_mode & S_IFMT == S_IFREG {
                image[name] = bytes(path)
            }
        }
        return image
    }

    /// Makes the files below a folder those of an image. A file that stays keeps its inode.
    package static func replace(_ folder: String, with image: Image) throws {
        let there = try FileManager.default.subpathsOfDirectory(atPath: folder)
        for name in there.sorted(by: >) where image[name] == nil && image[name + "/"] == nil {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        for (name, bytes) in image.sorted(by: { $0.key < $1.key }) {
            try put(bytes, name, in: folder)
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
