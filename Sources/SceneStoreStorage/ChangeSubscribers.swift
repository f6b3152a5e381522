import SceneStoreSQLite
import SceneStoreValues

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
