#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStoreCSockets
import SceneStoreSQLite

/// The system calls of sockets and threads, and only calls.
extension System {
    private static func checked(_ result: Int) throws(SystemError) -> Int {
        if result < 0 { throw SystemError(code: Int32(clamping: -result)) }
        return result
    }

    static func listen(
        _ name: String, in folder: ContainerFolder, _ way: scenestore_socket_way?
    ) throws(SystemError) -> Int32 {
        let way = way ?? scenestore_socket_best_way(folder.path, name)
        return Int32(
            try checked(
                Int(scenestore_socket_listen(folder.descriptor, folder.path, name, way))))
    }

    static func connect(
        _ name: String, in folder: ContainerFolder, _ way: scenestore_socket_way?,
        milliseconds: Int
    ) throws(SystemError) -> Int32 {
        let way = way ?? scenestore_socket_best_way(folder.path, name)
        return Int32(
            try checked(
                Int(
                    scenestore_socket_connect(
                        folder.descriptor, folder.path, name, way, Int32(clamping: milliseconds)))))
    }

    static func accept(_ listener: Int32) throws(SystemError) -> Int32 {
        Int32(try checked(Int(scenestore_socket_accept(listener))))
    }

    static func checkPeer(_ socket: Int32) throws(SystemError) {
        _ = try checked(Int(scenestore_socket_check_peer(socket)))
    }

    static func send(
        _ bytes: UnsafeRawBufferPointer, to socket: Int32
    ) throws(SystemError) -> Int {
        try checked(scenestore_socket_send(socket, bytes.baseAddress, bytes.count))
    }

    static func receive(
        into bytes: UnsafeMutableRawBufferPointer, from socket: Int32
    ) throws(SystemError) -> Int {
        try checked(scenestore_socket_receive(socket, bytes.baseAddress, bytes.count))
    }

    static func socketPair() throws(SystemError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        _ = try checked(Int(scenestore_socket_pair(&ends)))
        return (ends[0], ends[1])
    }

    static func closeSocket(_ socket: Int32) {
        scenestore_socket_close(socket)
    }

    /// Waits until one of the sockets is ready, or some milliseconds are over; nil waits for ever.
    static func poll(_ sockets: inout [pollfd], milliseconds: Int?) throws(SystemError) {
        let count = sockets.count
        let limit = milliseconds.map { Int32(clamping: max($0, 0)) } ?? -1
        let ready = sockets.withUnsafeMutableBufferPointer {
            waitForSockets($0.baseAddress, count, limit)
        }
        if ready < 0, errno != EINTR { throw SystemError(code: errno) }
    }

    /// Milliseconds of a clock that nobody sets.
    package static var monotonicMilliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// Lets other processes go on for some milliseconds.
    package static func pause(milliseconds: Int) {
        _ = usleep(UInt32(clamping: max(milliseconds, 0) * 1_000))
    }

    /// Runs work on a thread of its own, which takes no signals.
    package static func startThread(
        _ work: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let context = Unmanaged.passRetained(ThreadWork(work))
        let result = scenestore_thread_start(
            { context in
                guard let context else { return }
                Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().work()
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            throw SystemError(code: -result)
        }
    }
}

private final class ThreadWork {
    let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }
}

/// The call that a method of the same name hides.
private func waitForSockets(
    _ sockets: UnsafeMutablePointer<pollfd>?, _ count: Int, _ milliseconds: Int32
) -> Int32 {
    poll(sockets, nfds_t(count), milliseconds)
}

extension SystemError {
    var isRefused: Bool { code == ECONNREFUSED }
    var isBusy: Bool { code == EBUSY }
    var isInvalid: Bool { code == EINVAL }
}
