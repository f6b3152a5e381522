import SceneStore
import SceneStoreSQLite

/// Stream sockets in the container: the file is its owner's alone, and both ends check whose
/// process the other one is.
package struct SocketTransport: InstanceTransport {
    private let limits: PeerExchange.Limits

    package init(limits: PeerExchange.Limits = PeerExchange.Limits()) {
        self.limits = limits
    }

    package func makeListener(
        _ receive: @escaping InstanceListening.Receiver
    ) throws(SceneStoreError) -> any InstanceListening {
        try SocketListener(limits: limits, receive: receive)
    }

    package func exchange(
        _ request: [UInt8], in folder: ContainerFolder, milliseconds: Int
    ) throws(SceneStoreError) -> InstanceExchange {
        let framed = try MessageFrame.framed(request, limit: limits.bytes)
        let end = System.monotonicMilliseconds.saturatingPlus(Int64(max(milliseconds, 0)))
        return try translating {
            guard let socket = try folder.connect(milliseconds: milliseconds) else {
                return .notListening
            }
            if let failure = try send(framed, to: socket, until: end) {
                return failure
            }
            return try receive(from: socket, until: end)
        }
    }

    private func send(
        _ bytes: [UInt8], to socket: StreamSocket, until end: Int64
    ) throws(ContainerError) -> InstanceExchange? {
        var unsent = bytes[...]
        while !unsent.isEmpty {
            switch unsent.withUnsafeBytes({ socket.send($0) }) {
            case .bytes(let count): unsent = unsent.dropFirst(count)
            case .ended: return .ended(afterSending: false)
            case .later:
                guard try wait(for: socket, .writing, until: end) else {
                    return .timedOut(afterSending: false)
                }
            }
        }
        return nil
    }

    private func receive(
        from socket: StreamSocket, until end: Int64
    ) throws(ContainerError) -> InstanceExchange {
        var reader = FrameReader(limit: limits.bytes)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
            case .ended: return .ended(afterSending: true)
            case .later:
                guard try wait(for: socket, .reading, until: end) else {
                    return .timedOut(afterSending: true)
                }
            case .bytes(let count):
                do throws(SceneStoreError) {
                    let answer = try buffer.withUnsafeBufferPointer {
                        bytes throws(SceneStoreError) in
                        try reader.append(
                            UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<count])))
                    }
                    if let answer {
                        return .answered(answer)
                    }
                } catch {
                    return .ended(afterSending: true)
                }
            }
        }
    }

    /// False when the time is over.
    private func wait(
        for socket: StreamSocket, _ interest: StreamSocket.Interest, until end: Int64
    ) throws(ContainerError) -> Bool {
        let left = end - System.monotonicMilliseconds
        guard left > 0 else {
            return false
        }
        _ = try StreamSocket.wait(for: [(socket, interest)], milliseconds: Int(left))
        return true
    }
}
