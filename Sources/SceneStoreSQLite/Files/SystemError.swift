#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An `errno`.
package struct SystemError: Error, Hashable, Sendable {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    var text: String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
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

    package var isMissing: Bool { code == ENOENT }
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
