import SceneStore
import SceneStoreSQLite
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

@Suite("The socket in the container")
struct SocketTests {
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private static let receipts = [PayloadReceipt(session: SceneSession.ID("A"))]

    /// An owner that answers every request at once.
    private func listener(
        _ folder: ContainerFolder, _ change: (inout PeerExchange.Limits) -> Void = { _ in }
    ) throws -> any InstanceListening {
        var limits = PeerExchange.Limits()
        change(&limits)
        let listener = try SocketTransport(limits: limits).makeListener { _, reply in
            reply.answer(.receipts(Self.receipts))
        }
        try listener.listen(in: folder)
        return listener
    }

    private func ask(_ folder: ContainerFolder) async throws -> InstanceExchange {
        try await onThread {
            try SocketTransport().exchange([1], in: folder, milliseconds: day)
        }
    }

    private func isAnswered(_ folder: ContainerFolder) async throws -> Bool {
        guard case .answered(let bytes) = try await ask(folder) else {
            return false
        }
        return try InstanceMessage.decodeAnswer(bytes) == .receipts(Self.receipts)
    }

    /// Asks until it is answered: on a busy machine who asks may be sent away as a slow peer, too.
    private func askUntilAnswered(_ folder: ContainerFolder) async throws {
        while try await !isAnswered(folder) {}
    }

    /// Waits until the other end is closed.
    private func isSentAway(_ socket: StreamSocket) async throws -> Bool {
        try await onThread {
            var buffer = [UInt8](repeating: 0, count: 64)
            _ = try StreamSocket.wait(for: [(socket, .reading)], milliseconds: nil)
            return buffer.withUnsafeMutableBytes { socket.receive(into: $0) } == .ended
        }
    }

    private func send(_ bytes: [UInt8], to socket: StreamSocket) {
        #expect(bytes.withUnsafeBytes { socket.send($0) } == .bytes(bytes.count))
    }

    @Test("L-77 the socket is its owner's alone, and both ends find each other")
    func roundTrip() async throws {
        let folder = try scratch.container()
        let listener = try listener(folder)
        let status = try #require(try folder.status(of: ContainerName.socket))
        #expect(status.kind == .socket)
        #expect(status.permissions == 0o600)
        #expect(try await isAnswered(folder))
        #expect(try await isAnswered(folder))
        listener.close()
    }

    @Test("L-77 a path may be longer than an address", arguments: SocketWay.allCases)
    func longPath(way: SocketWay) throws {
        let name = String(repeating: "long", count: 40)
        let folder = try scratch.container(name + "/" + name)
        guard way != .path else {
            #expect(throws: ContainerError(.invalidName, "", file: ContainerName.socket)) {
                try folder.listen(by: way)
            }
            return
        }
        #if !os(Linux)
            guard way != .descriptor else { return }
        #endif
        let listening = try folder.listen(by: way)
        let socket = try #require(try folder.connect(by: way, milliseconds: day))
        let peer = try #require(try listening.accept())
        send([1, 2], to: socket)
        var buffer = [UInt8](repeating: 0, count: 8)
        #expect(buffer.withUnsafeMutableBytes { peer.receive(into: $0) } == .bytes(2))
        #expect(try listening.accept() == nil)
    }

    @Test(
        "L-77 a short path is an address by itself, and a long one is reached without being told how"
    )
    func ways() async throws {
        let short = try scratch.container("c")
        let listening = try short.listen(by: .path)
        #expect(try short.connect(by: .path, milliseconds: day) != nil)
        withExtendedLifetime(listening) {}
        let long = try scratch.container(String(repeating: "long", count: 60))
        let listener = try listener(long)
        #expect(try await isAnswered(long))
        listener.close()
    }

    @Test("L-77 what a dead owner left is nobody, and the next owner takes its place")
    func stale() async throws {
        let folder = try scratch.container()
        _ = try folder.listen()
        #expect(try folder.status(of: ContainerName.socket) != nil, "the file outlives the owner")
        #expect(try await ask(folder) == .notListening)
        let listener = try listener(folder)
        #expect(try await isAnswered(folder))
        listener.close()
    }

    @Test("L-77 nobody listens until an owner does")
    func missing() async throws {
        #expect(try await ask(try scratch.container()) == .notListening)
    }

    @Test("L-77 a socket that others can use is not connected to")
    func wrongMode() async throws {
        let folder = try scratch.container()
        let listener = try listener(folder)
        for mode: mode_t in [0o666, 0o620, 0o604] {
            chmod(folder.path + "/socket", mode)
            await #expect(throws: SceneStoreError(.permission, "")) {
                try await ask(folder)
            }
        }
        chmod(folder.path + "/socket", 0o600)
        #expect(try await isAnswered(folder))
        listener.close()
    }

    @Test("L-77 what is no socket is neither removed nor followed")
    func stranger() async throws {
        let folder = try scratch.container()
        let path = folder.path + "/socket"
        append("mine", to: path)
        #expect(throws: ContainerError(.insecure, "", file: ContainerName.socket)) {
            try folder.listen()
        }
        await #expect(throws: SceneStoreError(.permission, "")) { try await ask(folder) }
        #expect(lines(of: path) == ["mine"])
        unlink(path)
        symlink("elsewhere", path)
        #expect(
            throws: ContainerError(
                .insecure, "", reason: .symbolicLink, file: ContainerName.socket)
        ) {
            try folder.listen()
        }
    }

    @Test("L-77 a slow peer keeps nobody waiting, and is sent away when its time is over")
    func slow() async throws {
        let folder = try scratch.container()
        let listener = try listener(folder) { $0.patience = 200 }
        let slow = try #require(try folder.connect(milliseconds: day))
        let silent = try #require(try folder.connect(milliseconds: day))
        // What it is sent away before is as good.
        _ = try MessageFrame.framed([1])[..<5].withUnsafeBytes { slow.send($0) }
        try await askUntilAnswered(folder)
        #expect(try await isSentAway(slow))
        #expect(try await isSentAway(silent))
        try await askUntilAnswered(folder)
        listener.close()
    }

    @Test("L-77 when every place is taken the next one is served after the time of the first")
    func crowd() async throws {
        let folder = try scratch.container()
        let listener = try listener(folder) {
            $0.patience = 200
            $0.peers = 2
        }
        let idle = try (0..<3).map { _ in
            try #require(try folder.connect(milliseconds: day))
        }
        try await askUntilAnswered(folder)
        withExtendedLifetime(idle) {}
        listener.close()
    }

    @Test("L-77 a connection that sends nothing gives its place after a second to one that waits")
    func idleCrowd() throws {
        let folder = try scratch.container()
        let (waking, woken) = try StreamSocket.pair()
        let mail = ListenerMail(waking)
        mail.post(.listen(try folder.listen()))
        var limits = PeerExchange.Limits()
        limits.peers = 2
        let now = Mutex<Int64>(0)
        let received = Mutex<[[UInt8]]>([])
        var loop = ListenerLoop(mail, woken, limits) { request, reply in
            received.withLock { $0.append(request) }
            reply.answer(.receipts(Self.receipts))
        } clock: {
            now.withLock { $0 }
        }
        func connect(_ request: UInt8? = nil) throws -> StreamSocket {
            let socket = try #require(try folder.connect(milliseconds: day))
            if let request {
                send(try MessageFrame.framed([request]), to: socket)
            }
            return socket
        }
        loop.turn()
        let first = try connect()
        let idle = try (0..<4).map { _ in try connect() }
        loop.turn()
        // Each turn waits until the first of them may go, at most a millisecond here.
        let link = try connect(7)
        now.withLock { $0 = 999 }
        loop.turn()
        #expect(received.withLock { $0 }.isEmpty)
        var buffer = [UInt8](repeating: 0, count: 64)
        #expect(buffer.withUnsafeMutableBytes { first.receive(into: $0) } == .later)
        // Two places, and three that came before the link.
        for second in 1...2 {
            now.withLock { $0 = Int64(second) * 1_000 }
            loop.turn()
            #expect(buffer.withUnsafeMutableBytes { first.receive(into: $0) } == .ended)
        }
        loop.turn()
        #expect(received.withLock { $0 } == [[7]])
        withExtendedLifetime((idle, link)) {}
    }

    @Test("L-77 a message that is too large is not read, and the next one is")
    func tooLarge() async throws {
        let folder = try scratch.container()
        let listener = try listener(folder) { $0.bytes = 1_000 }
        let hostile = try #require(try folder.connect(milliseconds: day))
        send(Array(try MessageFrame.framed([UInt8](repeating: 0, count: 1_001))[..<8]), to: hostile)
        #expect(try await isSentAway(hostile))
        let other = try #require(try folder.connect(milliseconds: day))
        send(Array("GET / HTTP/1.1\r\n\r\n".utf8), to: other)
        #expect(try await isSentAway(other))
        #expect(try await isAnswered(folder))
        listener.close()
    }

    @Test("L-77 who is not answered is told to ask again")
    func dropped() async throws {
        let folder = try scratch.container()
        let listener = try SocketTransport().makeListener { _, _ in }
        try listener.listen(in: folder)
        guard case .answered(let bytes) = try await ask(folder) else {
            Issue.record("no answer")
            return
        }
        #expect(try InstanceMessage.decodeAnswer(bytes) == .later)
        listener.close()
    }

    @Test("L-77 an owner that ends while somebody waits is seen to end")
    func ended() async throws {
        let folder = try scratch.container()
        let kept = Kept()
        let listener = try SocketTransport().makeListener { _, reply in
            kept.keep(reply)
        }
        try listener.listen(in: folder)
        async let exchange = ask(folder)
        await kept.isThere()
        listener.close()
        #expect(try await exchange == .ended(afterSending: true))
    }
}

/// Replies that nobody gives.
private final class Kept: Sendable {
    private let replies = AsyncStream.makeStream(of: InstanceReply.self)

    func keep(_ reply: InstanceReply) {
        replies.continuation.yield(reply)
    }

    /// Waits for one, and keeps it as long as this lives.
    func isThere() async {
        for await reply in replies.stream {
            replies.continuation.yield(reply)
            return
        }
    }
}
