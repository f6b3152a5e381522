import SceneStoreValues

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waiting for another process, which nobody announces.
enum Pause {
    static func milliseconds(_ milliseconds: Int) {
        _ = usleep(UInt32(clamping: max(milliseconds, 0) * 1_000))
    }
}
