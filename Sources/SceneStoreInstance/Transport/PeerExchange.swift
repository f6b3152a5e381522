import SceneStore

/// One peer of the owner, from its first byte to the last of its answer: a machine that reads no
/// clock and calls nobody (L-77).
///
///     reading --message--> deciding --answer--> writing --> over
///        └── no message, or not in time ──────────────────────^
package struct PeerExchange: Sendable {
    /// What the owner of the machine does next.
    package enum Action: Equatable, Sendable {
        case wait
        /// Somebody decides about this request.
        case decide([UInt8])
        case close
    }

    /// What bounds a peer.
    package struct Limits: Sendable {
        /// Bytes of a request.
        package var bytes = MessageFrame.maximumBytes
        /// Milliseconds for a request to arrive, and for an answer to be fetched.
        package var patience: Int64 = 5_000
        /// Milliseconds for a request to arrive while another peer waits for the place.
        package var grace: Int64 = 1_000
        /// Milliseconds for a decision.
        package var decision: Int64 = 60_000
        /// Peers at once; others wait in the system's queue.
        package var peers = 32
        /// Bytes of all requests that are being read.
        package var bytesOfAll = 64 << 20

        package init() {}
    }

    private enum State {
        case reading(FrameReader)
        case deciding
        case writing([UInt8], sent: Int)
        case over
    }

    private var state: State
    private let limits: Limits
    /// When its patience ends, by a clock that nobody sets.
    package private(set) var deadline: Int64

    package init(_ limits: Limits, now: Int64) {
        self.limits = limits
        state = .reading(FrameReader(limit: limits.bytes))
        deadline = now + limits.patience
    }

    package var isReading: Bool { if case .reading = state { true } else { false } }
    package var isWriting: Bool { if case .writing = state { true } else { false } }
    /// The bytes that are kept for it.
    package var count: Int { if case .reading(let reader) = state { reader.count } else { 0 } }

    /// A piece of the request has arrived.
    package mutating func receive(_ piece: UnsafeRawBufferPointer, now: Int64) -> Action {
        guard case .reading(var reader) = state else {
            return .wait
        }
        state = .over
        do throws(SceneStoreError) {
            guard let message = try reader.append(piece) else {
                state = .reading(reader)
                return .wait
            }
            state = .deciding
            deadline = now + limits.decision
            return .decide(message)
        } catch {
            return .close
        }
    }

    /// The answer is there.
    package mutating func answer(_ bytes: [UInt8], now: Int64) {
        guard case .deciding = state else {
            return
        }
        state = .writing(bytes, sent: 0)
        deadline = now + limits.patience
    }

    /// What is still to be sent.
    package var unsent: ArraySlice<UInt8> {
        if case .writing(let bytes, let sent) = state { bytes[sent...] } else { [] }
    }

    /// So many bytes were sent.
    package mutating func noteSent(_ count: Int) -> Action {
        guard case .writing(let bytes, let sent) = state else {
            return .wait
        }
        guard sent + count < bytes.count else {
            state = .over
            return .close
        }
        state = .writing(bytes, sent: sent + count)
        return .wait
    }

    /// The peer is gone. One whose request is being decided has sent all of it: it is handed over,
    /// and nobody fetches the answer.
    package mutating func end() -> Action {
        state = .over
        return .close
    }

    /// From when on it gives its place to a peer that waits; nil once its request has arrived.
    package var givesWay: Int64? { isReading ? deadline - limits.patience + limits.grace : nil }

    /// Whether its time is over.
    package func isLate(_ now: Int64) -> Bool { now >= deadline }
}
