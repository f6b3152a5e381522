import SceneStore
import SceneStoreSQLite

/// Starts a process: as the owner, or as one that hands over what it brings (L-77).
struct InstanceStarter {
    var location: SceneSessionStore.Location
    var payloads: [Payload]
    var options: SceneSessionStore.Options
    var timeLimit: Int
    var transport: any InstanceTransport = SocketTransport()
    var makeName: () -> String = SceneEnvironment.system.makeIdentifier

    /// A process that owns the container and has not launched.
    struct Owner {
        let store: SceneSessionStore
        let payloads: [ForwardedPayload]
        let listener: Listener
    }

    enum Outcome {
        case owner(Owner)
        case forwarded([PayloadReceipt])
    }

    /// Opens the container or asks its owner, until one of the two succeeds.
    func start() throws(SceneStoreError) -> Outcome {
        var forwarding = Forwarding(
            now: System.monotonicMilliseconds, milliseconds: timeLimit)
        let names = payloads.map { _ in makeName() }
        var action = Forwarding.Action.open
        while true {
            let named = zip(payloads, names).map { [forwarding] in
                ForwardedPayload($0, name: $1, mayHaveBeenSeen: forwarding.mayHaveBeenSeen)
            }
            switch action {
            case .open:
                do throws(SceneStoreError) {
                    return .owner(try own(named))
                } catch {
                    // A process that asked itself would wait for itself.
                    guard error.code == .owned, error.ownerProcess != System.processIdentifier
                    else {
                        throw error
                    }
                    action = forwarding.noteOwner(error.ownerProcess)
                }
            case .ask:
                let limit = forwarding.left(System.monotonicMilliseconds)
                let exchange = try ask(named, milliseconds: limit)
                action = forwarding.note(exchange, now: System.monotonicMilliseconds)
            case .pause(let milliseconds):
                System.pause(milliseconds: milliseconds)
                action = .open
            case .finish(let receipts): return .forwarded(receipts)
            case .fail(let error): throw error
            }
        }
    }

    private func own(_ payloads: [ForwardedPayload]) throws(SceneStoreError) -> Owner {
        let listener = Listener(transport)
        var options = options
        options.whenOwned = { [weak listener] folder in listener?.listen(in: folder) }
        let store = try SceneSessionStore.open(at: location, options: options)
        return Owner(store: store, payloads: payloads, listener: listener)
    }

    private func ask(
        _ payloads: [ForwardedPayload], milliseconds: Int
    ) throws(SceneStoreError) -> InstanceExchange {
        let request: InstanceRequest =
            payloads.isEmpty ? .bringForward(nil) : .deliver(payloads)
        return try transport.exchange(
            InstanceMessage.encode(request), at: location, milliseconds: milliseconds)
    }
}
