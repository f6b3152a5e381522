import SceneStore
import SceneStoreSQLite

/// Starts a process: as the owner, or as one that hands over what it brings (L-77).
package struct InstanceStarter {
    private let location: SceneSessionStore.Location
    private let payloads: [Payload]
    private let request: StartRequest
    private let handler: StartHandler
    private let options: SceneSessionStore.Options
    private let timeLimit: Int
    private let transport: any InstanceTransport
    private let makeName: () -> String
    private let process: Int32

    package init(
        location: SceneSessionStore.Location, payloads: [Payload],
        request: StartRequest = StartRequest(),
        onRequest: @escaping (StartRequest) -> Void = { _ in },
        options: SceneSessionStore.Options, timeLimit: Int,
        transport: any InstanceTransport = SocketTransport(),
        makeName: @escaping () -> String = SceneEnvironment.system.makeIdentifier,
        process: Int32 = System.processIdentifier
    ) {
        self.location = location
        self.payloads = payloads
        self.request = request
        handler = StartHandler(onRequest)
        self.options = options
        self.timeLimit = timeLimit
        self.transport = transport
        self.makeName = makeName
        self.process = process
    }

    /// A process that owns the container and has not launched.
    package struct Owner {
        package let store: SceneSessionStore
        let payloads: [ForwardedPayload]
        let listener: Listener
    }

    package enum Outcome {
        case owner(Owner)
        case forwarded([PayloadReceipt])
    }

    /// How far a process has come that starts.
    package struct Attempt {
        fileprivate let names: [String]
        /// Of what the process wants beside its payloads.
        fileprivate let name: String
        fileprivate var forwarding: Forwarding
        fileprivate var action = Forwarding.Action.open

        /// Whether it asks again whoever owns the container then, or owns it by itself.
        package var asksAgain: Bool {
            if case .pause = action { true } else { false }
        }
        /// Whether the owner has to do something before it is asked again.
        package var waitsForOwner: Bool {
            if case .pause(1...) = action { true } else { false }
        }
    }

    /// Opens the container or asks its owner, until one of the two succeeds.
    func start() throws(SceneStoreError) -> Outcome {
        var attempt = begin()
        while true {
            if let outcome = try advance(&attempt) {
                return outcome
            }
        }
    }

    package func begin() -> Attempt {
        Attempt(
            names: payloads.map { _ in makeName() },
            name: request == StartRequest() ? "" : makeName(),
            forwarding: Forwarding(now: System.monotonicMilliseconds, milliseconds: timeLimit))
    }

    /// Does the next of what the machine says; answers what came of it all, once that is known.
    package func advance(_ attempt: inout Attempt) throws(SceneStoreError) -> Outcome? {
        let seen = attempt.forwarding.mayHaveBeenSeen
        let named = zip(payloads, attempt.names).map {
            ForwardedPayload($0, name: $1, mayHaveBeenSeen: seen)
        }
        switch attempt.action {
        case .open:
            do throws(SceneStoreError) {
                return .owner(try own(named))
            } catch {
                // A process that asked itself would wait for itself.
                guard error.code == .owned, error.ownerProcess != process else {
                    throw error
                }
                attempt.action = attempt.forwarding.noteOwner(error.ownerProcess)
            }
        case .ask:
            let limit = attempt.forwarding.left(System.monotonicMilliseconds)
            let exchange = try ask(named, attempt.name, milliseconds: limit)
            attempt.action = attempt.forwarding.note(
                exchange, now: System.monotonicMilliseconds)
        case .pause(let milliseconds):
            System.pause(milliseconds: milliseconds)
            attempt.action = .open
        case .finish(let receipts): return .forwarded(receipts)
        case .fail(let error): throw error
        }
        return nil
    }

    private func own(_ payloads: [ForwardedPayload]) throws(SceneStoreError) -> Owner {
        let listener = Listener(transport, handler)
        var options = options
        options.whenOwned = { [weak listener] folder in listener?.listen(in: folder) }
        let store = try SceneSessionStore.open(at: location, options: options)
        return Owner(store: store, payloads: payloads, listener: listener)
    }

    private func ask(
        _ payloads: [ForwardedPayload], _ name: String, milliseconds: Int
    ) throws(SceneStoreError) -> InstanceExchange {
        let request: InstanceRequest =
            if !name.isEmpty {
                .start(self.request, name: name, payloads)
            } else {
                payloads.isEmpty ? .bringForward(nil) : .deliver(payloads)
            }
        return try transport.exchange(
            InstanceMessage.encode(request), at: location, milliseconds: milliseconds)
    }
}
