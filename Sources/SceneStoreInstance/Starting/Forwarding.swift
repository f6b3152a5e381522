import SceneStore

/// How a process that starts becomes the owner or hands over what it brings: a machine that reads no
/// clock, opens nothing and sends nothing.
///
///     open ──owned──> ask ──answer──> handed over
///      │ ^             │
///      │ └─ later, gone, nobody listens (yet)
///      └──> owner
package struct Forwarding: Sendable {
    /// What is to be done next.
    package enum Action: Equatable, Sendable {
        /// Try to own the container.
        case open
        /// Ask the owner.
        case ask
        /// Let the owner go on for some milliseconds, and try to own the container then.
        case pause(Int)
        case finish([PayloadReceipt])
        case fail(SceneStoreError)
    }

    /// Whether an owner that did not answer may have shown the payloads.
    package private(set) var mayHaveBeenSeen = false
    /// When the owner was last heard, or this began.
    private var begin: Int64
    private let end: Int64
    private var owner: Int32?
    private var pauses = 0
    private var endings = 0
    /// How long an owner may be silent before it counts as one that does not listen.
    private static let patience: Int64 = 5_000

    package init(now: Int64, milliseconds: Int) {
        begin = now
        end = now.saturatingPlus(Int64(max(milliseconds, 0)))
    }

    /// Milliseconds that are left.
    package func left(_ now: Int64) -> Int { Int(clamping: max(end - now, 0)) }

    /// The container has an owner.
    package mutating func noteOwner(_ process: Int32?) -> Action {
        owner = process
        return .ask
    }

    /// The owner was asked.
    package mutating func note(_ exchange: InstanceExchange, now: Int64) -> Action {
        switch exchange {
        case .answered(let bytes):
            do throws(SceneStoreError) {
                switch try InstanceMessage.decodeAnswer(bytes) {
                case .receipts(let receipts): return .finish(receipts)
                case .later:
                    begin = now
                    return pause(now, limit: end, silent)
                case .refused(let error): return .fail(error)
                }
            } catch {
                return .fail(error)
            }
        case .notListening:
            return pause(
                now, limit: min(end, begin + Self.patience),
                SceneStoreError(
                    .owned, "another process owns the container and doesn't listen",
                    ownerProcess: owner))
        case .ended(let afterSending):
            mayHaveBeenSeen = mayHaveBeenSeen || afterSending
            guard now < end else {
                return .fail(silent)
            }
            // One that died leaves the container at once; one that lives is not asked without end.
            endings += 1
            return .pause(endings == 1 ? 0 : Self.wait(endings - 1))
        case .timedOut: return .fail(silent)
        }
    }

    private mutating func pause(_ now: Int64, limit: Int64, _ failure: SceneStoreError) -> Action {
        guard now < limit else {
            return .fail(failure)
        }
        // Short at first: an owner listens as soon as it has the lock.
        pauses += 1
        return .pause(Self.wait(pauses))
    }

    /// How many milliseconds the n-th pause takes.
    private static func wait(_ number: Int) -> Int { min(2 << min(number, 5), 50) }

    private var silent: SceneStoreError {
        SceneStoreError(
            .notAnswered,
            "the process that owns the container did not answer in time; it may still hand the "
                + "payloads over", ownerProcess: owner)
    }
}

extension SceneStoreError.Code {
    /// The running app got a payload and did not answer in time.
    public static let notAnswered = Self("notAnswered")
}
