import SceneStoreCSQLite
import Synchronization

import enum SceneStoreSQLite.SQLiteOperation

/// Makes one of SQLite's calls fail.
final class FaultSwitch: Sendable {
    typealias Operation = SQLiteOperation

    static let full = SQLITE_FULL
    static let noMemory = SQLITE_NOMEM
    static let ioError = SQLITE_IOERR
    static let syncFailed = SQLITE_IOERR | 4 << 8
    static let busy = SQLITE_BUSY

    private struct State {
        var operation: Operation?
        var remaining = 0
        var code: Int32 = 0
        var hasFired = false
    }

    private let state = Mutex(State())

    /// Fails the `count`th call of a kind from now on.
    func arm(_ operation: Operation, after count: Int, code: Int32) {
        state.withLock {
            $0 = State(operation: operation, remaining: count, code: code, hasFired: false)
        }
    }

    /// Whether it failed.
    @discardableResult
    func disarm() -> Bool {
        state.withLock {
            $0.operation = nil
            return $0.hasFired
        }
    }

    var seam: @Sendable (Operation) -> Int32? {
        { [self] operation in
            state.withLock { state in
                guard state.operation == operation, !state.hasFired else {
                    return nil
                }
                state.remaining -= 1
                guard state.remaining <= 0 else {
                    return nil
                }
                state.hasFired = true
                return state.code
            }
        }
    }
}
