import SceneStore
import SceneStoreSQLite
import Synchronization

/// Listens on the container's socket, on one thread that sleeps until somebody comes (L-77).
///
/// No peer can block it: it waits for all of them at once, each has little time and room, and none
/// is waited for alone.
final class SocketListener: InstanceListening {
    private let mail: ListenerMail

    init(
        limits: PeerExchange.Limits, receive: @escaping InstanceListening.Receiver
    ) throws(SceneStoreError) {
        do throws(ContainerError) {
            let (waking, woken) = try StreamSocket.pair()
            mail = ListenerMail(waking)
            let mail = mail
            do throws(SystemError) {
                // The thread keeps the mail, not the listener: it ends with that.
                try System.startThread {
                    var loop = ListenerLoop(mail, woken, limits, receive)
                    loop.run()
                }
            } catch {
                throw ContainerError(error, "starting a thread")
            }
        } catch {
            throw SceneStoreError(error)
        }
    }

    deinit {
        mail.post(.stop)
    }

    func listen(in folder: ContainerFolder) throws(SceneStoreError) {
        try translating {
            guard try !mail.isListening(in: folder) else {
                return
            }
            let socket = try folder.listen()
            mail.note(try folder.status(of: ContainerName.socket)?.identity)
            mail.post(.listen(socket))
        }
    }

    func close() {
        mail.post(.stop)
    }
}

/// What other threads tell the one that listens.
final class ListenerMail: Sendable {
    enum Letter: Sendable {
        case listen(StreamSocket)
        /// What was not sent yet of an answer; nothing is left to do without.
        case answer(peer: Int, [UInt8])
        case stop
    }

    private struct Box: Sendable {
        var letters: [Letter] = []
        var socket: FileIdentity?
    }

    private let box = Mutex(Box())
    private let waking: StreamSocket

    init(_ waking: StreamSocket) {
        self.waking = waking
    }

    func post(_ letter: Letter) {
        box.withLock { $0.letters.append(letter) }
        // One byte is enough, however many wait: a full queue wakes as well.
        _ = [UInt8(0)].withUnsafeBytes { waking.send($0) }
    }

    func take() -> [Letter] {
        box.withLock { box in
            defer { box.letters.removeAll() }
            return box.letters
        }
    }

    func note(_ socket: FileIdentity?) {
        box.withLock { $0.socket = socket }
    }

    /// Whether the socket in the folder is the one that was made here.
    func isListening(in folder: ContainerFolder) throws(ContainerError) -> Bool {
        guard let made = box.withLock({ $0.socket }) else {
            return false
        }
        return try folder.status(of: ContainerName.socket)?.identity == made
    }
}

/// The thread's own: nobody else sees it.
struct ListenerLoop {
    private let mail: ListenerMail
    private let woken: StreamSocket
    private let limits: PeerExchange.Limits
    private let receive: InstanceListening.Receiver
    private let clock: () -> Int64
    private var listening: StreamSocket?
    private var peers: [Int: (socket: StreamSocket, exchange: PeerExchange)] = [:]
    private var lastPeer = 0
    private var isStopped = false

    init(
        _ mail: ListenerMail, _ woken: StreamSocket, _ limits: PeerExchange.Limits,
        _ receive: @escaping InstanceListening.Receiver,
        clock: @escaping () -> Int64 = { System.monotonicMilliseconds }
    ) {
        self.mail = mail
        self.woken = woken
        self.limits = limits
        self.receive = receive
        self.clock = clock
    }

    mutating func run() {
        while !isStopped {
            turn()
        }
    }

    /// Waits until something can be done, and does it.
    mutating func turn() {
        var waits: [(socket: StreamSocket, interest: StreamSocket.Interest)] = [(woken, .reading)]
        let order = peers.keys.sorted()
        for number in order {
            guard let peer = peers[number] else {
                continue
            }
            let interest: StreamSocket.Interest =
                peer.exchange.isReading ? .reading : peer.exchange.isWriting ? .writing : .nothing
            waits.append((peer.socket, interest))
        }
        let now = clock()
        var next = peers.values.map(\.exchange.deadline).min()
        if let listening {
            if hasRoom(now) {
                waits.append((listening, .reading))
            } else {
                next = peers.values.compactMap(\.exchange.givesWay).reduce(next ?? .max, min)
            }
        }
        guard
            let ready = try? StreamSocket.wait(
                for: waits, milliseconds: next.map { Int(clamping: max($0 - now, 0)) })
        else {
            // The system has no memory for the wait: others are given the processor.
            System.pause(milliseconds: 10)
            return
        }
        for place in ready {
            if place == 0 {
                drainWaking()
            } else if place <= order.count {
                advance(order[place - 1])
            } else {
                accept()
            }
        }
        readMail()
        dropLate()
    }

    private func drainWaking() {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { buffer in
            while case .bytes = woken.receive(into: buffer) {}
        }
    }

    private mutating func readMail() {
        for letter in mail.take() {
            switch letter {
            case .listen(let socket): listening = socket
            case .answer(let number, []): peers[number] = nil
            case .answer(let number, let unsent):
                peers[number]?.exchange.answer(unsent, now: clock())
                advance(number)
            case .stop: isStopped = true
            }
        }
    }

    private mutating func dropLate() {
        let now = clock()
        peers = peers.filter { !$0.value.exchange.isLate(now) }
    }

    /// Whether a peer that waits can have a place, perhaps that of one which sent no request in time.
    private func hasRoom(_ now: Int64) -> Bool {
        peers.count < limits.peers || firstIdle(now) != nil
    }

    private func firstIdle(_ now: Int64) -> Int? {
        peers.filter { $0.value.exchange.givesWay.map { $0 <= now } ?? false }.keys.min()
    }

    private mutating func accept() {
        guard let listening else {
            return
        }
        let now = clock()
        while hasRoom(now) {
            let accepted: StreamSocket?
            do throws(ContainerError) {
                accepted = try listening.accept()
            } catch {
                // No descriptor is left; who waits in the queue is told again at once.
                System.pause(milliseconds: 10)
                return
            }
            guard let socket = accepted else {
                return
            }
            if peers.count >= limits.peers, let idle = firstIdle(now) {
                peers[idle] = nil
            }
            lastPeer += 1
            peers[lastPeer] = (socket, PeerExchange(limits, now: now))
        }
    }

    private mutating func advance(_ number: Int) {
        guard let peer = peers[number] else {
            return
        }
        let action =
            peer.exchange.isReading ? read(number, peer.socket) : write(number, peer.socket)
        switch action {
        case .wait: break
        case .close: peers[number] = nil
        case .decide(let message):
            let answering = PeerReply(mail, number, peer.socket)
            receive(message, InstanceReply { answering.send($0) })
        }
    }

    private mutating func read(_ number: Int, _ socket: StreamSocket) -> PeerExchange.Action {
        guard peers.values.reduce(0, { $0 + $1.exchange.count }) < limits.bytesOfAll else {
            return .close
        }
        return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            switch socket.receive(into: buffer) {
            case .later: return .wait
            case .ended: return peers[number]?.exchange.end() ?? .close
            case .bytes(let count):
                let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                return peers[number]?.exchange.receive(
                    piece, now: clock()) ?? .close
            }
        }
    }

    private mutating func write(_ number: Int, _ socket: StreamSocket) -> PeerExchange.Action {
        let unsent = peers[number]?.exchange.unsent ?? []
        guard !unsent.isEmpty else {
            return .wait
        }
        switch unsent.withUnsafeBytes({ socket.send($0) }) {
        case .later: return .wait
        case .ended: return peers[number]?.exchange.end() ?? .close
        case .bytes(let count): return peers[number]?.exchange.noteSent(count) ?? .close
        }
    }
}

/// The way back to one peer. The thread that decides sends what fits: an app that ends right after
/// it has dealt with a link leaves its answer behind.
private struct PeerReply: Sendable {
    private weak let socket: StreamSocket?
    private let mail: ListenerMail
    private let number: Int

    init(_ mail: ListenerMail, _ number: Int, _ socket: StreamSocket) {
        self.mail = mail
        self.number = number
        self.socket = socket
    }

    func send(_ answer: InstanceAnswer) {
        var unsent = Self.framed(answer)[...]
        switch unsent.withUnsafeBytes({ socket?.send($0) }) {
        case .bytes(let count): unsent = unsent.dropFirst(count)
        case .later: break
        case .ended, nil: unsent = []
        }
        mail.post(.answer(peer: number, Array(unsent)))
    }

    private static func framed(_ answer: InstanceAnswer) -> [UInt8] {
        do throws(SceneStoreError) {
            return try MessageFrame.framed(InstanceMessage.encode(answer))
        } catch {
            // No message at all: who waits sees that it is none.
            return [0]
        }
    }
}
