import SceneStore
import SceneStoreSQLite
import Synchronization

/// How processes of one app reach the one that owns the container. Sockets, unless a test or
/// another platform puts something else in its place.
package protocol InstanceTransport: Sendable {
    /// Makes what listens, once for a process; nothing listens before
    /// ``InstanceListening/listen(in:)``.
    func makeListener(
        _ receive: @escaping InstanceListening.Receiver
    ) throws(SceneStoreError) -> any InstanceListening

    /// Sends a request to the owner and waits for its answer, some milliseconds at most. Blocks the
    /// calling thread.
    func exchange(
        _ request: [UInt8], in folder: ContainerFolder, milliseconds: Int
    ) throws(SceneStoreError) -> InstanceExchange
}

/// What came of asking the owner.
package enum InstanceExchange: Equatable, Sendable {
    case answered([UInt8])
    /// Nobody listens: there is no owner any more, it has not begun to, or never will.
    case notListening
    /// The owner was gone before it answered; it may have seen the request if all of it was sent.
    case ended(afterSending: Bool)
    /// Nothing came in time.
    case timedOut(afterSending: Bool)
}

/// What listens for other processes; ends with the object.
package protocol InstanceListening: AnyObject, Sendable {
    /// Takes one request, on a thread of the listener's. The reply may be kept and answered later.
    typealias Receiver = @Sendable (_ request: [UInt8], _ reply: InstanceReply) -> Void

    /// Begins to listen in a container that this process owns, or begins anew there.
    func listen(in folder: ContainerFolder) throws(SceneStoreError)
    /// Ends listening; whoever waits for an answer is told to ask again.
    func close()
}

/// The answer that somebody waits for: given once; whoever drops it answers ``InstanceAnswer/later``.
package final class InstanceReply: Sendable {
    private let send: Mutex<(@Sendable (InstanceAnswer) -> Void)?>

    package init(_ send: @escaping @Sendable (InstanceAnswer) -> Void) {
        self.send = Mutex(send)
    }

    deinit {
        answer(.later)
    }

    package func answer(_ answer: InstanceAnswer) {
        let send = send.withLock { send in
            defer { send = nil }
            return send
        }
        send?(answer)
    }
}

extension InstanceTransport {
    /// Asks the owner of a container; one without files has nobody to ask.
    func exchange(
        _ request: [UInt8], at location: SceneSessionStore.Location, milliseconds: Int
    ) throws(SceneStoreError) -> InstanceExchange {
        guard case .directory(let path) = location else {
            return .notListening
        }
        let folder = try translating { try ContainerFolder.open(path, access: .reader) }
        return try exchange(request, in: folder, milliseconds: milliseconds)
    }
}
