import SceneStoreValues

/// Lends the database to a body, under the store's lock. When the body throws, another database may
/// take its place, of the salvaged file or in memory (L-17).
extension SceneSessionStore {
    /// Runs a body that only reads; it sees one state of the store. If the disk fails, it is asked once
    /// more: a window that is not read comes back only with the next launch.
    package func read<Result: Sendable>(
        _ body: @Sendable (Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try database.withLock { db throws(SceneStoreError) in
            try Database.wake(&db, at: location)
            db.caches.trim()
            do throws(SceneStoreError) {
                return try db.read(body)
            } catch {
                db.noteDamagedPages(error)
                if error.code == .ioError, let result = try? db.read(body) {
                    return result
                }
                return try Database.again(&db, after: error, at: location) {
                    db throws(SceneStoreError) in try db.read(body)
                }
            }
        }
    }

    /// Runs a body that decides whether it writes. While the file refuses what is written it may
    /// run twice: the second time on what is held in memory.
    package func using<Result: Sendable>(
        _ body: @Sendable (Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try database.withLock { db throws(SceneStoreError) in
            try Database.wake(&db, at: location)
            db.caches.trim()
            do throws(SceneStoreError) {
                // Who was not told that nothing reaches the disk.
                if let refused = db.refused, !db.holdsRefusedWrites {
                    throw refused.cause
                }
                let result = try body(db)
                try Database.afterRefused(&db)
                return result
            } catch {
                db.noteDamagedPages(error)
                return try Database.hold(&db, error, at: location, body)
            }
        }
    }

    /// The same while the connection is open; at rest nothing is due, and the answer is nil.
    @discardableResult
    func usingOpen<Result: Sendable>(
        _ body: @Sendable (Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result? {
        isAtRest ? nil : try using(body)
    }

    /// Runs a body that is never held in memory: it changes the file, or throws and changes nothing.
    /// If nothing is written any more after it, the store goes on in memory without it.
    package func usingFile<Result: Sendable>(
        _ body: @Sendable (Database) throws(SceneStoreError) -> Result
    ) throws(SceneStoreError) -> Result {
        try database.withLock { db throws(SceneStoreError) in
            try Database.wake(&db, at: location)
            db.caches.trim()
            try Database.writeRefused(&db)
            do throws(SceneStoreError) {
                return try db.withoutHolding(body)
            } catch {
                db.noteDamagedPages(error)
                if db.holdsRefusedWrites, db.refused == nil, db.fence.failure != nil {
                    try Database.goOnInMemory(&db, error)
                    db.refused?.undoesLate = true
                    throw error
                }
                return try Database.again(&db, after: error, at: location, inFile: true) {
                    db throws(SceneStoreError) in try db.withoutHolding(body)
                }
            }
        }
    }
}
