import SceneStoreSQLite
import SceneStoreValues

/// The owner's lock, and what the last owner wrote down beside it.
package final class OpeningLock {
    /// nil once it was let go. Looked at by each commit and each window that connects, under the store's
    /// lock.
    @exclusivity(unchecked) package var lock: OwnerLock?
    /// What the last owner wrote down.
    package let found: LockText
    /// Why nothing of the container can be written.
    let refusal: SceneStoreError?

    package init(_ lock: consuming OwnerLock) {
        found = lock.found
        refusal = lock.refusal.map { SceneStoreError($0) }
        self.lock = consume lock
    }

    /// The epoch under which the last owner wrote.
    package var epoch: Int64 { found.epoch ?? 0 }

    /// The generation that the last owner had made durable, 0 when it did not say.
    package var owedGeneration: Int64 { found.durable ?? 0 }

    /// Whether it was not let go yet.
    var isHeld: Bool { lock != nil }

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
