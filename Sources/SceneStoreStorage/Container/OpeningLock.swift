import SceneStoreSQLite
import SceneStoreValues

/// The owner's lock, and what the last owner wrote down beside it.
package final class OpeningLock {
    /// nil once it was let go. Looked at by each commit and each window that connects, under the store's
    /// lock.
    @exclusivity(unchecked) package var lock: OwnerLock?
    package let predecessor: OwnerLock.State
    /// The generation that a dead owner had made durable, 0 when it did not say.
    package let owedGeneration: Int64
    /// What a dead owner wrote down; nil when the last one released the lock.
    package let debt: OwnerLock.Debt?
    /// What the last owner left in the store, if it let go properly and said so.
    package let closing: OwnerLock.Closing?
    /// The session that the last owner wrote down as being restored.
    package let restoring: OwnerLock.Restoring?
    /// The database file whose pages an earlier owner found damaged; it may be gone by now.
    let damagedFile: FileIdentity?
    /// Whether something stood in the lock file that no owner wrote.
    package let isJunk: Bool
    /// Why nothing of the container can be written.
    let refusal: SceneStoreError?

    package init(_ lock: consuming OwnerLock) {
        predecessor = lock.found.state
        owedGeneration = lock.found.durable ?? 0
        debt = lock.found.debt
        closing = lock.found.closing
        restoring = lock.found.restoring
        damagedFile = lock.found.damaged
        isJunk = lock.found.isJunk
        refusal = lock.refusal.map { SceneStoreError($0) }
        self.lock = consume lock
    }

    /// What the last owner wrote down when it let go properly; nil when it didn't.
    package var farewell: OwnerLock.Farewell? { OwnerLock.Farewell(predecessor, closing) }

    /// Whether it was not let go yet.
    var isHeld: Bool { lock != nil }

    /// Gives the lock away.
    package func take() -> OwnerLock? {
        lock.take()
    }

    /// Lets go of the container properly; `closing` is what the store holds, where that is known.
    package func release(at closing: OwnerLock.Closing? = nil) throws(SceneStoreError) {
        guard let owned = lock.take() else {
            return
        }
        do {
            try owned.release(at: closing)
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// The epoch under which the last owner wrote.
    package var epoch: Int64 {
        switch predecessor {
        case .none: 0
        case .released(let epoch), .owned(_, let epoch): epoch
        }
    }

    /// Takes the lock, waiting for another owner for some milliseconds.
    package static func acquire(
        _ folder: ContainerFolder, timeout: Int
    ) throws(SceneStoreError) -> OpeningLock {
        var waited = 0
        while true {
            do {
                return OpeningLock(try OwnerLock.acquire(folder))
            } catch {
                guard error.kind == .owned, waited < timeout else {
                    throw SceneStoreError(error)
                }
                let step = min(20, timeout - waited)
                System.pause(milliseconds: step)
                waited += step
            }
        }
    }
}
