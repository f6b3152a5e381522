import SceneStore
import Synchronization

/// Takes what other processes ask for to the application, and brings them its answers (L-77).
///
/// The listener's thread comes with requests from the moment on when the container is owned. They
/// wait until the application has launched, and are then performed where it lives, one after the
/// other.
final class ForwardingDesk: Sendable {
    private enum Counter {
        /// The application is not there yet.
        case waiting([(InstanceRequest, InstanceReply)])
        /// It could not launch, and may try again.
        case refusing(SceneStoreError)
        case open(ApplicationExecutor, ApplicationReference)
        case closed
    }

    private struct Books: ~Copyable {
        var counter = Counter.waiting([])
        /// What became of payloads by their names: a sender that asks again gets the same answer.
        var receipts: [String: PayloadReceipt] = [:]
        var names: [String] = []
    }

    private let books = Mutex(Books())
    /// Who hears what a process that starts wants.
    private let handler: StartHandler

    init(_ handler: StartHandler = StartHandler()) {
        self.handler = handler
    }

    /// How many answers are remembered.
    private static let memory = 256

    /// Takes a request of another process; on the listener's thread.
    func take(_ bytes: [UInt8], _ reply: InstanceReply) {
        let request: InstanceRequest
        do throws(SceneStoreError) {
            request = try InstanceMessage.decodeRequest(bytes)
        } catch {
            reply.answer(.refused(error))
            return
        }
        let counter = books.withLock { books in
            if case .waiting(let requests) = books.counter {
                books.counter = .waiting(requests + [(request, reply)])
            }
            return books.counter
        }
        switch counter {
        case .waiting, .closed: break
        case .refusing(let error): reply.answer(.refused(error))
        case .open(let executor, let application):
            hand(request, to: application, on: executor, reply)
        }
    }

    /// The application could not launch: whoever waits for it gets the reason, until it has launched.
    func refuse(_ error: SceneStoreError) {
        let waiting = books.withLock { books in
            let counter = books.counter
            books.counter = .refusing(error)
            if case .waiting(let requests) = counter { return requests }
            return []
        }
        for (_, reply) in waiting {
            reply.answer(.refused(error))
        }
    }

    /// The application has launched: what waited is performed.
    func open(_ application: SceneApplication, on executor: ApplicationExecutor) {
        let reference = ApplicationReference(application)
        let waiting = books.withLock { books in
            let counter = books.counter
            books.counter = .open(executor, reference)
            if case .waiting(let requests) = counter { return requests }
            return []
        }
        for (request, reply) in waiting {
            hand(request, to: reference, on: executor, reply)
        }
    }

    /// There will be no application; whoever waits asks again.
    func close() {
        books.withLock { $0.counter = .closed }
    }

    private func hand(
        _ request: InstanceRequest, to application: ApplicationReference,
        on executor: ApplicationExecutor, _ reply: InstanceReply
    ) {
        executor.perform { [self] in
            guard let application = application.value, !application.hasEnded else {
                reply.answer(.later)
                return
            }
            perform(request, on: application, reply)
        }
    }

    // MARK: Where the application lives

    private func perform(
        _ request: InstanceRequest, on application: SceneApplication, _ reply: InstanceReply
    ) {
        switch request {
        case .bringForward(let session):
            ForwardedReception(application).bringForward(session) { delivery in
                Self.answer([PayloadReceipt(delivery)], reply)
            }
        case .deliver(let payloads):
            deliver(payloads[...], [], on: application, reply)
        case .start(let start, let name, let payloads):
            self.start(start, name, payloads, on: application, reply)
        }
    }

    /// Tells the app what a process wants, makes its window, and hands its payloads over. The receipt of
    /// the window comes first; without a window and payloads the one in front comes forward.
    private func start(
        _ start: StartRequest, _ name: String, _ payloads: [ForwardedPayload],
        on application: SceneApplication, _ reply: InstanceReply
    ) {
        let known = books.withLock { $0.receipts[name] }
        if known == nil {
            handler.hear(start)
        }
        guard let window = start.window else {
            if known == nil {
                remember(PayloadReceipt(), of: name)
            }
            return perform(
                payloads.isEmpty ? .bringForward(nil) : .deliver(payloads), on: application, reply)
        }
        if let known {
            return deliver(payloads[...], [known], on: application, reply)
        }
        var request = SceneSessionActivationRequest(role: window.role)
        (request.configurationName, request.privacy) = (window.configurationName, window.privacy)
        ForwardedReception(application).open(request) { [self] delivery in
            let receipt = PayloadReceipt(delivery)
            if receipt.error.map(Self.isPassing) != true {
                remember(receipt, of: name)
            }
            deliver(payloads[...], [receipt], on: application, reply)
        }
    }

    /// Hands payloads over one after the other, so that each has its receipt.
    private func deliver(
        _ payloads: ArraySlice<ForwardedPayload>, _ receipts: [PayloadReceipt],
        on application: SceneApplication, _ reply: InstanceReply
    ) {
        guard let payload = payloads.first else {
            Self.answer(receipts, reply)
            return
        }
        let rest = payloads.dropFirst()
        if let known = books.withLock({ $0.receipts[payload.name] }) {
            deliver(rest, receipts + [known], on: application, reply)
            return
        }
        ForwardedReception(application).receive(payload) { [self] delivery in
            let receipt = PayloadReceipt(delivery)
            if receipt.error.map(Self.isPassing) != true {
                remember(receipt, of: payload.name)
            }
            deliver(rest, receipts + [receipt], on: application, reply)
        }
    }

    private func remember(_ receipt: PayloadReceipt, of name: String) {
        books.withLock { books in
            books.receipts[name] = receipt
            books.names.append(name)
            if books.names.count > Self.memory {
                books.receipts[books.names.removeFirst()] = nil
            }
        }
    }

    private static func answer(_ receipts: [PayloadReceipt], _ reply: InstanceReply) {
        let isPassing = receipts.contains { $0.error.map(Self.isPassing) == true }
        reply.answer(isPassing ? .later : .receipts(receipts))
    }

    /// Whether whoever owns the container next takes what this application refused: it is ending.
    private static func isPassing(_ error: SceneStoreError) -> Bool {
        error.code == .invalidState || error.code.rawValue == "tearingDown"
    }
}

/// Who hears what other processes want when they start; used where the application lives.
final class StartHandler: Sendable {
    // As the application itself: called by the executor of `start` alone.
    nonisolated(unsafe) let hear: (StartRequest) -> Void

    init(_ hear: @escaping (StartRequest) -> Void = { _ in }) {
        self.hear = hear
    }
}

/// The application, for work that is performed where it lives.
struct ApplicationReference: Sendable {
    private final class Weak {
        weak var value: SceneApplication?

        init(_ value: SceneApplication) {
            self.value = value
        }
    }

    // Made and asked on the application's isolation alone: what the executor of `start` performs is
    // performed there. That is what who names an executor promises, and the compiler can't see it.
    private nonisolated(unsafe) let reference: Weak

    init(_ application: SceneApplication) {
        reference = Weak(application)
    }

    var value: SceneApplication? { reference.value }
}
