import SceneStoreSQLite
import SceneStoreValues
import Synchronization

/// The lock around a store's database, and what an app asks after every call, readable without it.
package final class DatabaseLock: Sendable {
    private let lock: ThreadLock<Database>
    private let lastGeneration: Atomic<Int64>
    private let hasNothingToTell: Atomic<Bool>

    init(_ db: sending Database) {
        lastGeneration = Atomic(db.store.generation)
        hasNothingToTell = Atomic(false)
        lock = ThreadLock(db)
    }

    /// The generation of the store when the lock was left last.
    var generation: Int64 { lastGeneration.load(ordering: .acquiring) }

    /// Whether nothing was found, and no write held, when the lock was left last.
    var isQuiet: Bool { hasNothingToTell.load(ordering: .acquiring) }

    /// Runs a body while no other thread does.
    package func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Database) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try lock.withLock { db throws(Failure) in
            defer {
                lastGeneration.store(db.store.generation, ordering: .releasing)
                hasNothingToTell.store(
                    db.refused == nil && db.hasNothingToTell, ordering: .releasing)
            }
            return try body(&db)
        }
    }
}
