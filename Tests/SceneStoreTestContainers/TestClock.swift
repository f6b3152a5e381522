import Synchronization

/// A clock that stands still until it is moved.
package final class TestClock: Sendable {
    private let time: Mutex<Int64>

    package init(_ time: Int64 = 1_767_225_600_000) {
        self.time = Mutex(time)
    }

    package var now: Int64 {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    package func advance(_ milliseconds: Int64) {
        time.withLock { $0 += milliseconds }
    }
}
