import Synchronization

/// Stops a connection's running statement from another thread.
package final class Interrupter: Sendable {
    /// The handle's address, or zero once the connection is closing: an interrupt after that
    /// would read freed memory.
    private let address: Mutex<UInt>

    init(_ database: OpaquePointer) {
        address = Mutex(UInt(bitPattern: database))
    }

    /// Makes the statements that run now fail with `interrupted`; without effect on later ones.
    package func interrupt() {
        address.withLock { address in
            guard let database = OpaquePointer(bitPattern: address) else { return }
            Calls.interrupt(database)
        }
    }

    func disarm() {
        address.withLock { $0 = 0 }
    }
}
