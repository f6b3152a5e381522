#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
import SceneStoreSQLite

/// One end of a stream between two processes of one user. It never blocks, and a forked child does
/// not keep it.
package final class StreamSocket: Sendable {
    fileprivate let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        System.closeSocket(descriptor)
    }

    /// What came of a try to read or write.
    package enum Transfer: Hashable, Sendable {
        /// So many bytes, at least one.
        case bytes(Int)
        /// Nothing now.
        case later
        /// The other end is gone, or the stream has failed.
        case ended
    }

    /// Reads what is there into a buffer.
    package func receive(into bytes: UnsafeMutableRawBufferPointer) -> Transfer {
        transfer { () throws(SystemError) in
            try System.receive(into: bytes, from: descriptor)
        }
    }

    /// Writes what fits now.
    package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        transfer { () throws(SystemError) in try System.send(bytes, to: descriptor) }
    }

    private func transfer(_ call: () throws(SystemError) -> Int) -> Transfer {
        do throws(SystemError) {
            let count = try call()
            return count > 0 ? .bytes(count) : .ended
        } catch {
            return error.wouldBlock ? .later : .ended
        }
    }

    /// The next one who connected to a socket that listens; nil when there is none. One who acts for
    /// another user is sent away.
    package func accept() throws(ContainerError) -> StreamSocket? {
        do throws(SystemError) {
            while true {
                let peer = StreamSocket(try System.accept(descriptor))
                if peer.isOwnUsers { return peer }
            }
        } catch {
            if error.wouldBlock { return nil }
            throw ContainerError(error, "accepting a peer", file: ContainerName.socket)
        }
    }

    /// Whether the process at the other end acts for this one's user.
    var isOwnUsers: Bool {
        do throws(SystemError) {
            try System.checkPeer(descriptor)
            return true
        } catch {
            return false
        }
    }

    /// What a socket is waited for.
    package enum Interest: Hashable, Sendable {
        case nothing
        case reading
        case writing
    }

    /// Waits until something can be done, or some milliseconds are over (nil: for ever); answers the
    /// places of those that are ready, their ends among them.
    package static func wait(
        for sockets: [(socket: StreamSocket, interest: Interest)], milliseconds: Int?
    ) throws(ContainerError) -> [Int] {
        var entries = sockets.map { socket, interest in
            // A socket of no interest is left out: its end would be told again and again.
            pollfd(
                fd: interest == .nothing ? -1 : socket.descriptor,
                events: Int16(interest == .writing ? POLLOUT : POLLIN), revents: 0)
        }
        do throws(SystemError) {
            try System.poll(&entries, milliseconds: milliseconds)
        } catch {
            throw ContainerError(error, "waiting for a peer", file: ContainerName.socket)
        }
        return entries.indices.filter { entries[$0].revents != 0 }
    }

    /// Two sockets that are connected with each other.
    package static func pair() throws(ContainerError) -> (StreamSocket, StreamSocket) {
        do throws(SystemError) {
            let (first, second) = try System.socketPair()
            return (StreamSocket(first), StreamSocket(second))
        } catch {
            throw ContainerError(error, "making a pair of sockets")
        }
    }
}
