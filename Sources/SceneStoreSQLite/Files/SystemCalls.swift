#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStoreCSupport

/// All system calls of the container rules, and only calls; below, what they answer.
///
/// Another platform needs its own version of this file and of the C file behind it, and no other.
package enum System {
    package static var processIdentifier: Int32 { getpid() }
    static var effectiveUser: UInt32 { UInt32(geteuid()) }

    /// Whether a process of that number lives, whosever it is.
    static func isAlive(_ process: Int32) -> Bool {
        process > 0 && (kill(process, 0) == 0 || errno == EPERM)
    }

    /// Waits for another process, which nobody announces.
    package static func pause(milliseconds: Int) {
        _ = usleep(UInt32(clamping: max(milliseconds, 0) * 1_000))
    }

    /// Whether the same bytes lie in two places.
    package static func areSame(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int
    ) -> Bool {
        memcmp(left, right, count) == 0
    }

    /// Writes a line to standard error. Where that is closed, nobody reads.
    package static func printError(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        bytes.withUnsafeBytes { writeOut($0, to: STDERR_FILENO) }
    }

    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Where private copies are made; a variable without a value counts as none.
    static var temporaryFolder: String {
        environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }

    /// The user's home by the account database.
    static var home: String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: 16_384)
        return text.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                getpwuid_r(geteuid(), &entry, base, buffer.count, &found) == 0,
                found != nil, let home = entry.pw_dir
            else { return nil }
            return String(cString: home)
        }
    }

    private static func check(_ result: Int32) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(code: errno) }
        return result
    }

    /// For the C functions, which answer a negated `errno`.
    private static func checkNegated(_ result: Int32) throws(SystemError) -> Int32 {
        if result < 0 { throw SystemError(code: -result) }
        return result
    }

    // MARK: - Looking

    /// The status of what stands at a path, links not followed unless asked.
    package static func status(
        at path: String, following: Bool = false
    ) throws(SystemError) -> FileStatus {
        var raw = stat()
        _ = try check(following ? stat(path, &raw) : lstat(path, &raw))
        return FileStatus(raw)
    }

    /// Whether this process may write a file, and the volume lets it.
    package static func canWrite(_ path: String) -> Bool {
        access(path, W_OK) == 0
    }

    static func status(
        _ name: String, in folder: Int32, following: Bool = false
    ) throws(SystemError) -> FileStatus {
        var raw = stat()
        _ = try check(fstatat(folder, name, &raw, following ? 0 : AT_SYMLINK_NOFOLLOW))
        return FileStatus(raw)
    }

    static func status(of descriptor: Int32) throws(SystemError) -> FileStatus {
        var raw = stat()
        _ = try check(fstat(descriptor, &raw))
        return FileStatus(raw)
    }

    /// The path without links, dots and doubled slashes.
    package static func resolve(_ path: String) throws(SystemError) -> String {
        guard let resolved = realpath(path, nil) else { throw SystemError(code: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    // MARK: - Opening

    static func openFolder(
        _ path: String, in folder: Int32 = AT_FDCWD
    ) throws(SystemError) -> Int32 {
        try checkNegated(
            scenestore_openat(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0))
    }

    /// Opens for reading; neither a link nor the far end of a FIFO is waited for or followed.
    static func openForReading(_ name: String, in folder: Int32) throws(SystemError) -> Int32 {
        try checkNegated(
            scenestore_openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0))
    }

    /// Makes a file that did not exist, readable by its owner alone under any umask.
    static func createFile(_ name: String, in folder: Int32) throws(SystemError) -> Int32 {
        let descriptor = try checkNegated(
            scenestore_openat(folder, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600))
        do {
            _ = try check(fchmod(descriptor, 0o600))
        } catch {
            close(descriptor)
            unlinkat(folder, name, 0)
            throw error
        }
        return descriptor
    }

    /// Sets a file's length without opening it: a close would give up the process's locks on it.
    static func truncate(_ path: String, to size: Int64) throws(SystemError) {
        _ = try check(truncateFile(path, off_t(size)))
    }

    static func truncate(_ descriptor: Int32, to size: Int64) throws(SystemError) {
        _ = try check(ftruncate(descriptor, off_t(size)))
    }

    /// Maps the beginning of a file, to be read alone.
    static func map(_ descriptor: Int32, count: Int) throws(SystemError) -> UInt {
        let base = mmap(nil, max(count, 1), PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let base, Int(bitPattern: base) != -1 else { throw SystemError(code: errno) }
        return UInt(bitPattern: base)
    }

    static func unmap(_ address: UInt, count: Int) {
        _ = munmap(UnsafeMutableRawPointer(bitPattern: address), max(count, 1))
    }

    static func closeFile(_ descriptor: Int32) {
        // Never repeated, not even after EINTR: the number may be another file's by then.
        _ = close(descriptor)
    }

    // MARK: - Folders and names

    static func makeFolder(_ name: String, in folder: Int32) throws(SystemError) {
        _ = try check(mkdirat(folder, name, 0o700))
    }

    static func setPermissions(_ bits: UInt32, of descriptor: Int32) throws(SystemError) {
        _ = try check(fchmod(descriptor, mode_t(bits)))
    }

    /// By name, because a descriptor of a database's file may not be closed.
    static func setPermissions(
        _ bits: UInt32, of name: String, in folder: Int32
    ) throws(SystemError) {
        _ = try check(fchmodat(folder, name, mode_t(bits), 0))
    }

    static func remove(_ name: String, in folder: Int32) throws(SystemError) {
        _ = try check(unlinkat(folder, name, 0))
    }

    static func rename(
        _ name: String, in folder: Int32, to target: String, in targetFolder: Int32,
        replacing: Bool
    ) throws(SystemError) {
        if replacing {
            _ = try check(renameat(folder, name, targetFolder, target))
        } else {
            _ = try checkNegated(
                scenestore_rename_exclusive(folder, name, targetFolder, target))
        }
    }

    /// The names in a folder but `.` and `..`, in no order.
    static func names(in folder: Int32) throws(SystemError) -> [String] {
        // A descriptor of its own: the position in a folder belongs to the description.
        let descriptor = try openFolder(".", in: folder)
        guard let stream = fdopendir(descriptor) else {
            let error = SystemError(code: errno)
            closeFile(descriptor)
            throw error
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(
                    to: CChar.self, capacity: MemoryLayout.size(ofValue: field.pointee)
                ) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw SystemError(code: errno) }
        return names
    }

    // MARK: - Bytes

    /// Up to `count` bytes; fewer where the file ends.
    package static func read(
        _ descriptor: Int32, count: Int, at offset: Int64
    ) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(count, 0))
        let done = try read(descriptor, into: &bytes, at: offset)
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    /// Reads until the array is full or the file ends; answers how much there was.
    static func read(
        _ descriptor: Int32, into bytes: inout [UInt8], at offset: Int64
    ) throws(SystemError) -> Int {
        try bytes.withUnsafeMutableBufferPointer { buffer throws(SystemError) in
            try read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        }
    }

    package static func write(
        _ bytes: [UInt8], to descriptor: Int32, at offset: Int64
    ) throws(SystemError) {
        try bytes.withUnsafeBufferPointer { buffer throws(SystemError) in
            try write(UnsafeRawBufferPointer(buffer), to: descriptor, at: offset)
        }
    }

    /// Reads until the buffer is full or the file ends; answers how much there was.
    static func read(
        _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            guard let base = buffer.baseAddress else { break }
            let count = pread(
                descriptor, base + done, buffer.count - done, off_t(offset + Int64(done)))
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(code: errno)
            }
            done += count
        }
        return done
    }

    static func write(
        _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64
    ) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            guard let base = bytes.baseAddress else { break }
            let count = pwrite(
                descriptor, base + done, bytes.count - done, off_t(offset + Int64(done)))
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemError(code: errno)
            }
            // Only a full device takes nothing without an error.
            guard count > 0 else { throw SystemError(code: ENOSPC) }
            done += count
        }
    }

    static func sync(_ descriptor: Int32) throws(SystemError) {
        _ = try checkNegated(scenestore_sync(descriptor))
    }

    static func dropCache(_ descriptor: Int32) throws(SystemError) {
        _ = try checkNegated(scenestore_drop_cache(descriptor))
    }

    // MARK: - Locks

    /// Opens for reading alone on a volume that can't be written.
    static func openLock(
        _ name: String, in folder: Int32, isRead: Bool = false, creates: Bool = false
    ) throws(SystemError) -> Int32 {
        let flags = isRead ? O_RDONLY : O_RDWR
        return try checkNegated(
            scenestore_lock_open(folder, name, creates ? flags | O_CREAT : flags))
    }

    static func closeLock(_ descriptor: Int32) {
        scenestore_lock_close(descriptor)
    }

    static func takeLock(_ descriptor: Int32, isRead: Bool) throws(SystemError) {
        _ = try checkNegated(scenestore_lock_take(descriptor, isRead))
    }

    static func isLocked(_ descriptor: Int32) throws(SystemError) -> Bool {
        try checkNegated(scenestore_lock_probe(descriptor)) == 1
    }

    // MARK: - The machine

    /// The bytes that an unprivileged process may still write on the volume of a folder.
    static func freeBytes(_ folder: Int32) -> UInt64? {
        var volume = statvfs()
        guard fstatvfs(folder, &volume) == 0 else { return nil }
        return UInt64(volume.f_bavail).multipliedReportingOverflow(by: UInt64(volume.f_frsize))
            .partialValue
    }

    /// Another value after each start of the system, or nil where it has none.
    package static var bootIdentifier: String? {
        #if canImport(Darwin)
            var size = 0
            guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 1 else {
                return nil
            }
            var bytes = [UInt8](repeating: 0, count: size)
            guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else {
                return nil
            }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #else
            let path = "/proc/sys/kernel/random/boot_id"
            guard let file = try? openForReading(path, in: AT_FDCWD) else { return nil }
            defer { closeFile(file) }
            guard let bytes = try? read(file, count: 64, at: 0) else { return nil }
            let text = bytes.prefix { $0 > 0x20 && $0 < 0x7f }
            return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        #endif
    }
}

/// An `errno`.
package struct SystemError: Error, Hashable, Sendable {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    var text: String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }

    /// What a caller acts on, or nil where only the place of the call can tell.
    var kind: ContainerError.Kind? {
        switch code {
        case EACCES: return .permission
        case EPERM:
            #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
                // What an open of a protected file answers before the first unlock.
                return .protected
            #else
                return .permission
            #endif
        case EROFS: return .readOnlyVolume
        // The last one is beyond the process's limit for files.
        case ENOSPC, EDQUOT, EFBIG: return .diskFull
        case ENOMEM: return .outOfMemory
        case EMFILE, ENFILE: return .tooManyFiles
        case ENOENT: return .missing
        case ENOTDIR: return .notAFolder
        case EEXIST: return .exists
        case ENOLCK, ENOTSUP, ENOSYS: return .locksUnsupported
        case ENAMETOOLONG: return .invalidName
        default: return nil
        }
    }

    /// What SQLite takes for a damaged file: the disk does not give its bytes back.
    var isUnreadable: Bool {
        #if canImport(Darwin)
            if code == EDEVERR { return true }
        #endif
        return code == EIO || code == ERANGE || code == ENXIO
    }

    static let missing = SystemError(code: ENOENT)
    package var isMissing: Bool { self == .missing }
    var exists: Bool { code == EEXIST || code == ENOTEMPTY }
    package var wouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }
}

/// Which file it is, whatever it is called.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
}

/// What stands at a name.
package enum FileKind: Hashable, Sendable {
    case regular
    case folder
    case symbolicLink
    case fifo
    case socket
    case device
}

/// What `stat` says, as far as the rules ask.
package struct FileStatus: Hashable, Sendable {
    package var identity: FileIdentity
    package var kind: FileKind
    /// The twelve permission bits.
    package var permissions: UInt32
    package var owner: UInt32
    package var links: UInt64
    package var size: Int64
    package var modifiedSeconds: Int64
    package var modifiedNanoseconds: Int64

    /// Whether it belongs to the user that this process acts for.
    package var isOwnUsers: Bool { owner == System.effectiveUser }

    /// Whether a file is as long, and was changed last at the same time, as before.
    func isUnwritten(since before: FileStatus) -> Bool {
        size == before.size && modifiedSeconds == before.modifiedSeconds
            && modifiedNanoseconds == before.modifiedNanoseconds
    }

    init(_ raw: stat) {
        identity = FileIdentity(
            device: UInt64(truncatingIfNeeded: raw.st_dev),
            inode: UInt64(truncatingIfNeeded: raw.st_ino))
        let mode = UInt32(truncatingIfNeeded: raw.st_mode)
        kind =
            switch mode & UInt32(S_IFMT) {
            case UInt32(S_IFREG): .regular
            case UInt32(S_IFDIR): .folder
            case UInt32(S_IFLNK): .symbolicLink
            case UInt32(S_IFIFO): .fifo
            case UInt32(S_IFSOCK): .socket
            default: .device
            }
        permissions = mode & 0o7777
        owner = UInt32(truncatingIfNeeded: raw.st_uid)
        links = UInt64(truncatingIfNeeded: raw.st_nlink)
        size = Int64(truncatingIfNeeded: raw.st_size)
        #if canImport(Darwin)
            let time = raw.st_mtimespec
        #else
            let time = raw.st_mtim
        #endif
        modifiedSeconds = Int64(time.tv_sec)
        modifiedNanoseconds = Int64(time.tv_nsec)
    }
}

/// The call that methods of the same name hide.
private func writeOut(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
    _ = write(descriptor, bytes.baseAddress, bytes.count)
}

/// The call that methods of the same name hide.
private func truncateFile(_ path: String, _ size: off_t) -> Int32 {
    truncate(path, size)
}
