import SceneStoreCSupport

/// A value that one thread at a time can touch.
///
/// The standard library's `Mutex` has the same calls. On Linux its waiting threads spin, and the
/// kernel hands it from one thread to the next at each unlock, so that every save of several threads
/// costs a switch between them: four threads saved at half the rate of one. Here a thread goes on
/// while it has the processor, and the others sleep.
package final class ThreadLock<Value>: Sendable {
    // Both are safe because only the functions below touch them. They touch the value only between
    // entering and leaving the lock, and the lock's pointer never changes.
    @exclusivity(unchecked) private nonisolated(unsafe) var value: Value
    private nonisolated(unsafe) let lock: OpaquePointer

    package init(_ value: consuming sending Value) {
        guard let lock = scenestore_lock_make() else {
            fatalError("out of memory")
        }
        self.lock = lock
        self.value = value
    }

    deinit {
        scenestore_lock_free(lock)
    }

    /// Runs a body while no other thread does.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        scenestore_lock_enter(lock)
        defer { scenestore_lock_leave(lock) }
        return try body(&value)
    }
}
