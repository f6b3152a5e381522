import SceneStore
import SceneStoreSQLite
import Synchronization

/// The socket of an owner and the desk behind it; listens as long as it lives.
final class Listener: Sendable {
    let desk: ForwardingDesk
    private let transport: any InstanceTransport
    private let hearing = Mutex(Hearing.nothing)

    private enum Hearing {
        case nothing
        case others(any InstanceListening)
        case failed(SceneStoreError)
    }

    init(_ transport: any InstanceTransport, _ handler: StartHandler = StartHandler()) {
        self.transport = transport
        desk = ForwardingDesk(handler)
    }

    deinit {
        close()
    }

    /// A container that can't be listened in takes no window away: the failure is kept.
    func listen(in folder: ContainerFolder) {
        hearing.withLock { hearing in
            do throws(SceneStoreError) {
                let listening: any InstanceListening
                if case .others(let known) = hearing {
                    listening = known
                } else {
                    listening = try transport.makeListener { [desk] in desk.take($0, $1) }
                }
                try listening.listen(in: folder)
                hearing = .others(listening)
            } catch {
                hearing = .failed(error)
            }
        }
    }

    /// What is to be told where nobody can be heard.
    var silence: Diagnostic? {
        let reason: String
        switch hearing.withLock({ $0 }) {
        case .others: return nil
        case .nothing: reason = "the container can't be written"
        case .failed(let error): reason = error.message
        }
        return Diagnostic(
            .notListening, .warning, "the app can't listen for other processes: \(reason)")
    }

    func close() {
        desk.close()
        if case .others(let listening) = hearing.withLock({ $0 }) {
            listening.close()
        }
    }
}

extension Diagnostic.Code {
    /// The app runs, and other processes can't hand anything over to it.
    public static let notListening = Self("notListening")
}
