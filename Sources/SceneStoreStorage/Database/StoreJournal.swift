import SceneStoreSQLite
import SceneStoreValues

/// What the running transaction does, what waits for the next one, and who is told of commits.
package struct StoreJournal {
    /// What this transaction did, so far.
    package var events: [StoreEvent] = []
    /// Decisions that wait for the next transaction.
    package var decisions: [DecisionRecord] = []
    package var subscribers = ChangeSubscribers()

    /// Keeps a decision until the next transaction; of very many the latest.
    package mutating func append(_ decision: DecisionRecord, capacity: Int) {
        decisions.append(decision)
        let capacity = min(max(capacity, 1), 1_000)
        if decisions.count > capacity {
            decisions.removeFirst(decisions.count - capacity)
        }
    }

    /// Takes back decisions that wait, because what was decided of these sessions was refused.
    mutating func withdraw(_ kind: DecisionRecord.Kind, of sessions: [SceneSession.ID]) {
        decisions.removeAll { decision in
            decision.kind == kind && decision.sessionIdentifier.map(sessions.contains) ?? false
        }
    }

    /// Tells the subscribers of a commit.
    mutating func publish(generation: Int64) {
        decisions.removeAll()
        guard !events.isEmpty else {
            return
        }
        if !subscribers.isEmpty {
            subscribers.tell(StoreChange(generation: generation, events: events))
        }
        events.removeAll(keepingCapacity: true)
    }
}

/// The streams that are told of commits.
///
/// They have a lock of their own: a stream may end on any thread at any time, also while another
/// thread is in the store.
package final class ChangeSubscribers: Sendable {
    private struct Streams {
        var byNumber: [Int: AsyncStream<StoreChange>.Continuation] = [:]
        var last = 0
    }

    private let streams = ThreadLock(Streams())

    package var count: Int {
        streams.withLock { $0.byNumber.count }
    }

    package var isEmpty: Bool {
        streams.withLock { $0.byNumber.isEmpty }
    }

    /// Tells a stream of commits until it ends.
    func add(_ stream: AsyncStream<StoreChange>.Continuation) {
        let number = streams.withLock { streams in
            streams.last += 1
            streams.byNumber[streams.last] = stream
            return streams.last
        }
        stream.onTermination = { [weak self] _ in
            self?.streams.withLock { $0.byNumber[number] = nil }
        }
    }

    func tell(_ change: StoreChange) {
        streams.withLock { streams in
            for stream in streams.byNumber.values {
                stream.yield(change)
            }
        }
    }

    /// Ends all streams.
    func finish() {
        let ended = streams.withLock { streams in
            defer { streams.byNumber.removeAll() }
            return Array(streams.byNumber.values)
        }
        // Outside the lock: each end asks for its own removal.
        for stream in ended {
            stream.finish()
        }
    }
}
