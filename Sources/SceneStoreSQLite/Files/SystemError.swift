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
    package var isRefused: Bool { code == ECONNREFUSED }
    package var isBusy: Bool { code == EBUSY }
    var exists: Bool { code == EEXIST || code == ENOTEMPTY }
    package var wouldBlock: Bool { code == EAGAIN || code == EWOULDBLOCK }
}
