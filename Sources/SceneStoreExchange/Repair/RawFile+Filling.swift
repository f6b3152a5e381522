import SceneStoreStorage
import SceneStoreValues

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension RawFile {
    /// Fills a file that is there with other bytes.
    package static func fill(path: String, _ bytes: [UInt8]) throws(SceneStoreError) {
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw failure(errno, "a new store")
        }
        defer { close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                offset += count
            } else if count == 0 || errno != EINTR {
                throw SceneStoreError(
                    errno == ENOSPC ? .diskFull : .ioError, "writing a new store")
            }
        }
    }
}
