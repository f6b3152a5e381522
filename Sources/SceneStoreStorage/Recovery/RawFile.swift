import SceneStoreSQLite
import SceneStoreValues

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that is read as bytes, for damaged stores that SQLite does not open.
///
/// Only while no connection of this process has the file open: closing any descriptor of it would
/// drop SQLite's locks.
package final class RawFile {
    /// How long it was when it was opened.
    package private(set) var size: Int64 = 0
    /// How much of what was asked for the disk could not read, twice: zeros stand for it.
    private(set) var unreadableBytes: Int64 = 0
    package let descriptor: Int32
    private let name: String

    /// Opens a regular file; neither a link at its end is followed nor a FIFO waited for.
    package init(path: String, followsLink: Bool = false) throws(SceneStoreError) {
        name = Self.name(path)
        let link = followsLink ? 0 : O_NOFOLLOW
        // From here on a throw ends in deinit, which closes the file.
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | link)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            throw Self.failure(errno, name)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw SceneStoreError(.notAStore, "not a regular file", path: name)
        }
        size = Int64(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// The last component of a path.
    static func name(_ path: String) -> String {
        path.utf8.lastIndex(of: 0x2F).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Reads until the buffer is full or the file ends; answers how much there was. A stretch that
    /// the disk cannot read counts as zeros: what lies around it is still wanted.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        var done = 0
        var refusedAt = -1
        while done < buffer.count {
            guard let base = buffer.baseAddress else {
                break
            }
            let count = pread(
                descriptor, base + done, buffer.count - done, off_t(offset + Int64(done)))
            if count == 0 {
                break
            }
            if count < 0 {
                if errno == EINTR {
                    continue
                }
                if refusedAt != done {
                    refusedAt = done
                    continue
                }
                let sector = min(4_096, buffer.count - done)
                (base + done).initializeMemory(as: UInt8.self, repeating: 0, count: sector)
                done += sector
                unreadableBytes += Int64(sector)
                continue
            }
            done += count
        }
        return done
    }

    /// Throws when something of it could not be read: what was read instead proves nothing.
    package func checkReadable() throws(SceneStoreError) {
        guard unreadableBytes == 0 else {
            throw SceneStoreError(.ioError, "the disk cannot read a part of the file", path: name)
        }
    }

    /// Up to `count` bytes.
    package func bytes(_ count: Int, at offset: Int64) -> [UInt8] {
        guard count > 0, offset >= 0, offset < size else {
            return []
        }
        let wanted = Int(min(Int64(count), size - offset))
        return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            filled = read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
    }

    /// Removes a file, if there is one.
    package static func remove(path: String) {
        _ = unlink(path)
    }

    /// What opening a file failed with.
    package static func failure(_ code: Int32, _ name: String) -> SceneStoreError {
        let text = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        let kind: SceneStoreError.Code =
            switch code {
            case ENOENT, ENOTDIR: .missing
            case EACCES, EPERM: .permission
            case ELOOP: .notAStore
            case EMFILE, ENFILE: .tooManyFiles
            default: .ioError
            }
        return SceneStoreError(kind, "opening a file: \(text.lowercased())", path: name)
    }
}
