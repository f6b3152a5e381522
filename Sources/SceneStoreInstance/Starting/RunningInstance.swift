import SceneStore
import SceneStoreSQLite

/// The app that runs on a container, for tools that own nothing themselves.
package struct RunningInstance {
    private let location: SceneSessionStore.Location
    private let transport: any InstanceTransport
    private let timeLimit: Int

    package init(
        at location: SceneSessionStore.Location, timeLimit: Int = 30_000,
        transport: any InstanceTransport = SocketTransport()
    ) {
        self.location = location
        self.timeLimit = timeLimit
        self.transport = transport
    }

    /// Asks the app for something, once; nil when no process owns the container, or none is left that
    /// could answer.
    ///
    /// Throws as ``SceneApplication``'s `start` does when an owner is there.
    package func ask(_ request: InstanceRequest) throws(SceneStoreError) -> [PayloadReceipt]? {
        var forwarding = Forwarding(
            now: System.monotonicMilliseconds, milliseconds: timeLimit)
        var action = Forwarding.Action.open
        while true {
            switch action {
            case .open:
                guard let owner = try owner() else {
                    return nil
                }
                action = forwarding.noteOwner(owner.process)
            case .ask:
                let bytes = try InstanceMessage.encode(
                    request.seen(if: forwarding.mayHaveBeenSeen))
                let limit = forwarding.left(System.monotonicMilliseconds)
                let exchange = try transport.exchange(bytes, at: location, milliseconds: limit)
                action = forwarding.note(exchange, now: System.monotonicMilliseconds)
            case .pause(let milliseconds):
                System.pause(milliseconds: milliseconds)
                action = .open
            case .finish(let receipts): return receipts
            case .fail(let error): throw error
            }
        }
    }

    private func owner() throws(SceneStoreError) -> OwnerLock.Owner? {
        guard case .directory(let path) = location else {
            return nil
        }
        return try translating {
            try OwnerLock.owner(of: ContainerFolder.open(path, access: .reader))
        }
    }
}

extension InstanceRequest {
    /// The same, of payloads that an owner which died may have shown.
    fileprivate func seen(if mayHaveBeenSeen: Bool) -> InstanceRequest {
        func seen(_ payloads: [ForwardedPayload]) -> [ForwardedPayload] {
            payloads.map { ForwardedPayload($0.payload, name: $0.name, mayHaveBeenSeen: true) }
        }
        guard mayHaveBeenSeen else {
            return self
        }
        return switch self {
        case .deliver(let payloads): .deliver(seen(payloads))
        case .start(let start, let name, let payloads): .start(start, name: name, seen(payloads))
        case .bringForward: self
        }
    }
}
