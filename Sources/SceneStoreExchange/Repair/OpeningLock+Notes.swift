import SceneStoreFormats
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// What commands do with what an owner wrote down beside the lock.
extension OpeningLock {
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
        if let debt = found.debt, !debt.isUnknown {
            notes["epoch"] = .integer(debt.epoch)
            notes["durable"] = debt.generation.map { .integer($0) }
        }
        if let restoring = found.restoring {
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
}
