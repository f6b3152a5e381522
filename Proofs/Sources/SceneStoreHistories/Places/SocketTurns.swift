import Foundation
import SceneStore
import SceneStoreInstance
import SceneStoreSQLite
import Synchronization

/// The container's real socket, of which both ends are in this process. A process that asks waits as it
/// always does; meanwhile the one that is asked takes its turns, on the same thread.
///
/// 1. A listener's thread and an asker's thread carry bytes and nothing else. What the app does, it
///    does on the thread of the history, when the request has arrived there.
/// 2. A process that died gives no answer: its replies are buried until its sockets are closed.
final class SocketTurns: InstanceTransport {
    private enum Event: Sendable {
        /// Something for the app to do.
        case work(@Sendable () -> Void)
        /// What came of asking.
        case exchanged(Result<InstanceExchange, SceneStoreError>)
    }

    private struct Box: Sendable {
        var events: [Event] = []
        var buried: [InstanceReply] = []
    }

    private let sockets = SocketTransport()
    private let box = Mutex(Box())
    private let arrivals = DispatchSemaphore(value: 0)
    // Set before the first process starts, and called on the thread of the history alone.
    nonisolated(unsafe) var serve: (@Sendable () -> Void) -> Void = { $0() }
    nonisolated(unsafe) var isGone: () -> Bool = { false }
    /// Whether requests are answered and dropped, for a control.
    nonisolated(unsafe) var dropsRequests = false
    /// Whether each request names its payloads anew, for a control.
    nonisolated(unsafe) var renamesPayloads = false
    nonisolated(unsafe) private var renamedCount = 0

    /// Performs what others ask for when its turn has come.
    var executor: ApplicationExecutor {
        ApplicationExecutor { [self] work in post(.work(work)) }
    }

    private func post(_ event: Event) {
        box.withLock { $0.events.append(event) }
        arrivals.signal()
    }

    private func next() -> Event {
        arrivals.wait()
        return box.withLock { $0.events.removeFirst() }
    }

    /// The sockets of the process that died are closed.
    func forgetBuried() {
        let buried = box.withLock { box in
            defer { box.buried = [] }
            return box.buried
        }
        _ = buried
    }

    func makeListener(
        _ receive: @escaping InstanceListening.Receiver
    ) throws(SceneStoreError) -> any InstanceListening {
        try sockets.makeListener { [self] bytes, reply in
            if dropsRequests {
                reply.answer(.receipts([PayloadReceipt()]))
                return
            }
            receive(
                bytes,
                InstanceReply { [self] answer in
                    guard !isGone() else {
                        box.withLock { $0.buried.append(reply) }
                        return
                    }
                    reply.answer(answer)
                })
        }
    }

    private func renamed(_ request: [UInt8]) throws(SceneStoreError) -> [UInt8] {
        guard case .deliver(let payloads) = try InstanceMessage.decodeRequest(request) else {
            return request
        }
        renamedCount += 1
        return try InstanceMessage.encode(
            .deliver(
                payloads.map {
                    ForwardedPayload(
                        $0.payload, name: "\($0.name).\(renamedCount)",
                        mayHaveBeenSeen: $0.mayHaveBeenSeen)
                }))
    }

    func exchange(
        _ request: [UInt8], in folder: ContainerFolder, milliseconds: Int
    ) throws(SceneStoreError) -> InstanceExchange {
        let request = renamesPayloads ? try renamed(request) : request
        Thread.detachNewThread { [self] in
            do throws(SceneStoreError) {
                post(
                    .exchanged(
                        .success(
                            try sockets.exchange(
                                request, in: folder, milliseconds: milliseconds))))
            } catch {
                post(.exchanged(.failure(error)))
            }
        }
        while true {
            switch next() {
            case .work(let work): serve(work)
            case .exchanged(let result): return try result.get()
            }
        }
    }
}
