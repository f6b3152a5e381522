import SceneStore
import SceneStoreSQLite
import SceneStoreTesting
import Synchronization
import Testing

@testable import SceneStoreInstance

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A wire without a socket: what the sender and the owner see of each other is decided by a test.
private final class FakeWire: InstanceTransport {
    /// What becomes of one exchange.
    enum Fate: Sendable {
        /// Everything arrives, in pieces of random size.
        case whole
        /// The sender's end breaks after so many bytes.
        case torn(Int)
        /// A byte arrives each so many milliseconds.
        case slow(Int64)
        /// The owner is gone once it has decided, and before anybody has the answer.
        case diesBeforeAnswer
        /// Something else happens, and this comes of it.
        case other(@Sendable () -> InstanceExchange)
    }

    private struct Book {
        var receive: InstanceListening.Receiver?
        var fates: [Fate]
        var random: SeededRandom
        var requests: [[UInt8]] = []
    }

    private let book: Mutex<Book>

    init(_ fates: [Fate], seed: UInt64 = 1) {
        book = Mutex(Book(fates: fates, random: SeededRandom(seed)))
    }

    /// The requests as they were sent.
    var requests: [InstanceRequest] {
        get throws {
            try book.withLock { $0.requests }.map { bytes throws(SceneStoreError) in
                try InstanceMessage.decodeRequest(bytes)
            }
        }
    }

    /// A listener that hears what the wire carries.
    private final class End: InstanceListening {
        let wire: FakeWire
        let receive: InstanceListening.Receiver

        init(_ wire: FakeWire, _ receive: @escaping InstanceListening.Receiver) {
            self.wire = wire
            self.receive = receive
        }

        func listen(in folder: ContainerFolder) { wire.book.withLock { $0.receive = receive } }
        func close() { wire.book.withLock { $0.receive = nil } }
    }

    func makeListener(
        _ receive: @escaping InstanceListening.Receiver
    ) -> any InstanceListening { End(self, receive) }

    func exchange(
        _ request: [UInt8], in folder: ContainerFolder, milliseconds: Int
    ) throws(SceneStoreError) -> InstanceExchange {
        let (fate, receive) = book.withLock { book in
            book.requests.append(request)
            let fate = book.fates.isEmpty ? nil : book.fates.removeFirst()
            return (fate, book.receive)
        }
        switch fate {
        case .other(let what): return what()
        case nil: return .notListening
        case .whole: return try carry(request, receive)
        case .torn(let count): return try carry(request, receive, breakingAfter: count)
        case .slow(let pace): return try carry(request, receive, pace: pace)
        case .diesBeforeAnswer:
            _ = try carry(request, receive)
            book.withLock { $0.receive = nil }
            return .ended(afterSending: true)
        }
    }

    /// Pieces of random size.
    private func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var rest = bytes[...]
        var result: [[UInt8]] = []
        while !rest.isEmpty {
            let size = book.withLock { Int($0.random.next() % 7) + 1 }
            result.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return result
    }

    private func carry(
        _ request: [UInt8], _ receive: InstanceListening.Receiver?, breakingAfter limit: Int = .max,
        pace: Int64 = 0
    ) throws(SceneStoreError) -> InstanceExchange {
        guard let receive else {
            return .notListening
        }
        let framed = try MessageFrame.framed(request)
        var peer = PeerExchange(PeerExchange.Limits(), now: 0)
        var now: Int64 = 0
        let sent = Array(framed.prefix(limit))
        for piece in pace > 0 ? sent.map({ [$0] }) : pieces(sent) {
            now += pace
            guard !peer.isLate(now) else {
                return .ended(afterSending: false)
            }
            switch piece.withUnsafeBytes({ peer.receive($0, now: now) }) {
            case .wait: continue
            case .close: return .ended(afterSending: true)
            case .decide(let message): return try answer(message, receive)
            }
        }
        _ = peer.end()
        return .ended(afterSending: false)
    }

    private func answer(
        _ message: [UInt8], _ receive: InstanceListening.Receiver
    ) throws(SceneStoreError) -> InstanceExchange {
        let answer = Mutex<InstanceAnswer?>(nil)
        receive(message, InstanceReply { given in answer.withLock { $0 = given } })
        guard let given = answer.withLock({ $0 }) else {
            return .timedOut(afterSending: true)
        }
        var reader = FrameReader(limit: MessageFrame.maximumBytes)
        for piece in pieces(try MessageFrame.framed(try InstanceMessage.encode(given))) {
            let message = try piece.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
                try reader.append(UnsafeRawBufferPointer(bytes))
            }
            if let message {
                return .answered(message)
            }
        }
        return .ended(afterSending: true)
    }
}

@Suite("The protocol on a wire without sockets")
struct FakeTransportTests {
    private let scratch: Scratch
    private var location: SceneSessionStore.Location { .directory(scratch.file("container")) }

    init() throws {
        scratch = try Scratch()
    }

    /// An owner on this thread, which hears the wire.
    private func owner(
        _ wire: FakeWire, _ app: LinkApp
    ) throws -> (SceneApplication, Listener) {
        let starter = InstanceStarter(
            location: location, payloads: [], options: .init(), timeLimit: day, transport: wire)
        guard case .owner(let owner) = try starter.start() else {
            throw SceneStoreError(.owned, "another process runs")
        }
        let application = SceneApplication(
            store: owner.store, delegate: app, options: LinkApp.options, scheduler: .manual)
        try application.launch()
        owner.listener.desk.open(application, on: ApplicationExecutor { $0() })
        return (application, owner.listener)
    }

    private func send(_ wire: FakeWire) throws -> [PayloadReceipt]? {
        try RunningInstance(at: location, timeLimit: day, transport: wire).ask(
            .deliver((1...3).map { ForwardedPayload(link("notes://\($0)"), name: "p\($0)") }))
    }

    @Test("L-77 messages torn anywhere are whole or never were", arguments: 1...5)
    func torn(seed: UInt64) throws {
        // The first breaks within the head, the second within the body, the third arrives.
        let wire = FakeWire([.torn(3), .torn(40), .whole], seed: seed)
        let app = LinkApp()
        let (application, listener) = try owner(wire, app)
        let receipts = try #require(try send(wire))
        #expect(receipts.map(\.error) == [nil, nil, nil])
        #expect(
            app.calls.filter { $0.contains("notes://") }
                == (1...3).map { "warm notes://\($0)" })
        // Nothing of the torn ones counts as seen.
        for case .deliver(let payloads) in try wire.requests {
            #expect(payloads.allSatisfy { !$0.mayHaveBeenSeen })
        }
        #expect(try wire.requests.count == 3)
        try application.quit()
        withExtendedLifetime(listener) {}
    }

    @Test("L-77 a slow peer is sent away and asks again; nothing is handed over twice")
    func slow() throws {
        let wire = FakeWire([.slow(1_000), .whole])
        let app = LinkApp()
        let (application, listener) = try owner(wire, app)
        #expect(try send(wire)?.count == 3)
        #expect(app.calls.filter { $0.contains("notes://") }.count == 3)
        #expect(try wire.requests.count == 2)
        try application.quit()
        withExtendedLifetime(listener) {}
    }

    @Test("L-77 an answer that is lost is given once more, and its payload is not")
    func lostAnswer() throws {
        let wire = FakeWire([.diesBeforeAnswer])
        let app = LinkApp()
        let (application, listener) = try owner(wire, app)
        // The wire is repaired: the owner lives, and its answer alone was lost.
        let second = FakeWire([.whole])
        let desk = listener.desk
        let end = second.makeListener { desk.take($0, $1) }
        #expect(throws: SceneStoreError.self) {
            try RunningInstance(at: location, timeLimit: 20, transport: wire).ask(
                .deliver([ForwardedPayload(link("notes://1"), name: "p1")]))
        }
        try end.listen(in: try ContainerFolder.open(scratch.file("container"), access: .reader))
        let receipts = try RunningInstance(at: location, timeLimit: day, transport: second).ask(
            .deliver([ForwardedPayload(link("notes://1"), name: "p1", mayHaveBeenSeen: true)]))
        #expect(receipts?.count == 1)
        #expect(app.calls.filter { $0.contains("notes://1") } == ["warm notes://1"])
        try application.quit()
        withExtendedLifetime((listener, end)) {}
    }

    @Test("L-77 an owner that dies between request and answer leaves the sender to own, marked")
    func deadOwner() async throws {
        let folder = scratch.path
        try #require(NamedPipe.make(folder + "ready"))
        async let killed: Void = expectKilled(in: folder)
        let (isOwner, marks, requests) = try await onThread {
            NamedPipe.read(folder + "ready")
            let owner = try #require(lines(of: folder + "owner").first.flatMap { Int32($0) })
            let wire = FakeWire([
                // It does not listen yet, tears the line, asks to come later, and dies.
                .other { .notListening }, .other { .ended(afterSending: false) },
                .other {
                    kill(owner, SIGKILL)
                    return .ended(afterSending: true)
                },
            ])
            let starter = InstanceStarter(
                location: .directory(folder + "container"), payloads: [link("notes://1")],
                options: .init(), timeLimit: day, transport: wire)
            guard case .owner(let own) = try starter.start() else {
                return (false, [Bool](), [InstanceRequest]())
            }
            let marks = own.payloads.map(\.mayHaveBeenSeen)
            own.listener.close()
            try own.store.close()
            return (true, marks, try wire.requests)
        }
        await killed
        #expect(isOwner)
        #expect(marks == [true], "the dead one had all of it")
        var names: Set<String> = []
        for case .deliver(let payloads) in requests {
            names.formUnion(payloads.map(\.name))
        }
        #expect(names.count == 1, "it is the same payload each time")
        for case .deliver(let payloads) in requests.prefix(3) {
            #expect(payloads.allSatisfy { !$0.mayHaveBeenSeen })
        }
    }
}

private func expectKilled(in folder: String) async {
    await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = folder as String] in
        let store = try SceneSessionStore.open(at: .directory(folder + "container"))
        append("\(getpid())", to: folder + "owner")
        NamedPipe.write(folder + "ready")
        // Until it is killed.
        let (stream, never) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        withExtendedLifetime((store, never)) {}
    }
}
