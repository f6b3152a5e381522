#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
