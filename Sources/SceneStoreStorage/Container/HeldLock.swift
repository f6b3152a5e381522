import SceneStoreSQLite
import SceneStoreValues

/// The owner's lock while it is not known yet whether the store opens.
package final class HeldLock {
    private var lock: OwnerLock?
    package let predecessor: OwnerLock.Predecessor
    /// The generation that a dead owner had made durable, 0 when it did not say.
    package let owedGeneration: Int64
    /// What a dead owner wrote down; nil when none died.
    package let debt: OwnerLock.Debt?
    /// What the last owner left in the store, if it let go properly and said so.
    package let closing: OwnerLock.Closing?

    package init(_ lock: consuming OwnerLock) {
        predecessor = lock.predecessor
        owedGeneration = lock.owedGeneration ?? 0
        debt = lock.debt
        closing = lock.closing
        self.lock = consume lock
    }

    /// Gives the lock away.
    package func take() -> OwnerLock? {
        lock.take()
    }

    /// Forgets the owners of before and what they owe: the store that is put there knows nothing of
    /// them. On the disk when this returns, or a power cut would hold that store to their commits.
    package func forgetOwners() throws(SceneStoreError) {
        do {
            try lock?.record(epoch: 0)
            _ = try lock?.note(restoring: nil)
            try lock?.sync()
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// Lets go of the container properly; `closing` is what the store holds, where that is known.
    package func release(at closing: OwnerLock.Closing? = nil) throws(SceneStoreError) {
        guard let held = lock.take() else {
            return
        }
        do {
            try held.release(at: closing)
        } catch {
            throw SceneStoreError(error)
        }
    }

    /// The epoch under which the last owner wrote.
    package var epoch: Int64 {
        switch predecessor {
        case .none: 0
        case .released(let epoch), .died(_, let epoch): epoch
        }
    }

    /// Takes the lock, waiting for another owner for some milliseconds.
    package static func acquire(
        _ folder: ContainerFolder, timeout: Int
    ) throws(SceneStoreError) -> HeldLock {
        var waited = 0
        while true {
            do {
                return HeldLock(try OwnerLock.acquire(folder))
            } catch {
                guard error.kind == .owned, waited < timeout else {
                    throw SceneStoreError(error)
                }
                let step = min(20, timeout - waited)
                Pause.milliseconds(step)
                waited += step
            }
        }
    }
}
