import SceneStoreSQLite
import SceneStoreValues

/// The owner's lock while it is not known yet whether the store opens.
package final class HeldLock {
    private var lock: OwnerLock?
    package let predecessor: OwnerLock.Predecessor
    /// The generation that a dead owner had made durable, 0 when it did not say.
    package let owedGeneration: Int64
    /// What a dead owner wrote down; nil when the last one released the lock.
    package let debt: OwnerLock.Debt?
    /// What the last owner left in the store, if it let go properly and said so.
    package let closing: OwnerLock.Closing?
    /// The session that the last owner wrote down as being restored.
    package let restoring: OwnerLock.Restoring?
    /// Whether something stood in the lock file that no owner wrote.
    package let isJunk: Bool
    /// Why nothing of the container can be written.
    let refusal: SceneStoreError?

    package init(_ lock: consuming OwnerLock) {
        predecessor = lock.predecessor
        owedGeneration = lock.owedGeneration ?? 0
        debt = lock.debt
        closing = lock.closing
        restoring = lock.restoring
        isJunk = lock.isJunk
        refusal = lock.refusal.map { SceneStoreError($0) }
        self.lock = consume lock
    }

    /// What the last owner wrote down when it let go properly; nil when it didn't.
    package var farewell: OwnerLock.Farewell? { OwnerLock.Farewell(predecessor, closing) }

    /// Gives the lock away.
    package func take() -> OwnerLock? {
        lock.take()
    }

    /// Forgets the owners of before and what they owe: the store that is put there knows nothing of
    /// them. On the disk when this returns, or a power cut would hold that store to their commits.
    package func forgetOwners() throws(SceneStoreError) {
        try translating {
            try lock?.record(epoch: 0)
            _ = try lock?.note(restoring: nil)
        }
        try forgetStore()
    }

    /// Forgets which store was opened last: another one is about to be put there. On the disk when this
    /// returns, or a power cut would leave that one called another store's.
    package func forgetStore() throws(SceneStoreError) {
        try translating {
            try lock?.note(store: nil)
            try lock?.sync()
        }
    }

    /// What the last owner wrote down about the store, for whoever sets that store aside: it belongs
    /// to the store, and is not in its files.
    package var notes: CanonicalJSON {
        var notes = CanonicalJSON.Object()
        if let debt, !debt.isUnknown {
            notes["epoch"] = .integer(debt.epoch)
            notes["durable"] = debt.generation.map { .integer($0) }
        }
        if let restoring {
            notes["session"] = .integer(restoring.session)
            notes["generation"] = .integer(restoring.generation)
            notes["sum"] = .string(String(restoring.sum))
        }
        return .object(notes)
    }

    /// Writes down again what was known of a store that is back in its place. Its owner counts as
    /// one that died if it did: then this lets go of the container as it did.
    package func recall(_ notes: CanonicalJSON?) throws(SceneStoreError) {
        let notes = notes?.objectValue ?? CanonicalJSON.Object()
        try translating {
            if let session = notes["session"]?.integerValue,
                let generation = notes["generation"]?.integerValue,
                let sum = notes["sum"]?.stringValue.flatMap({ UInt64($0) })
            {
                _ = try lock?.note(
                    restoring: OwnerLock.Restoring(
                        session: session, generation: generation, sum: sum))
            }
            guard let epoch = notes["epoch"]?.integerValue, epoch >= 0 else {
                return
            }
            try lock?.record(epoch: epoch, durable: notes["durable"]?.integerValue)
            try lock?.sync()
            _ = lock.take()
        }
    }

    /// Forgets which session the last owner was restoring: the store that is in place now has that
    /// in its own row.
    package func forgetRestoring() throws(SceneStoreError) {
        try translating { _ = try lock?.note(restoring: nil) }
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
