import SceneStoreSQLite
import SceneStoreValues

/// Exchanging a damaged store for another one (S-11), and what that leaves in memory (L-17).
extension StoreOpening {
    /// Puts another store in the place of a damaged one; nil when the error is no reason for that.
    mutating func recovered(
        _ folder: ContainerFolder, _ opening: OpeningLock, _ container: OpenContainer?,
        from error: SceneStoreError
    ) throws(SceneStoreError) -> [Diagnostic]? {
        let damaged = Self.file(folder)
        do throws(SceneStoreError) {
            if error.code != .rolledBack, error.code != .orphanedWAL || container == nil {
                try prepareMemory(opening)
            }
            return try recovery.recover(
                folder, opening: opening, options: options, from: error, memory: memory)
        } catch let failure {
            // The damaged store is looked at in its place.
            _ = try? recovery.finishInterrupted(folder)
            // What fails after the exchange leaves the new store in its place.
            isRecoveryRefused = error.code != .rolledBack
            // A journal or a log that stays beside a store says nothing about the store.
            isLeftDamaged =
                isRecoveryRefused && Self.file(folder) == damaged
                && (error.code != .orphanedWAL || container == nil)
            keep(container ?? OpenContainer(folder: folder, opening), opening, failure)
            throw failure
        }
    }

    /// Which file stands in the store's place.
    static func file(_ folder: ContainerFolder) -> FileIdentity? {
        (try? folder.status(of: ContainerName.store))?.identity
    }

    /// What is in memory is about to be put in the store's place, and has to outrank what the last owner
    /// wrote there.
    mutating func prepareMemory(_ lock: OpeningLock) throws(SceneStoreError) {
        try memory?.write(.full) { transaction throws(SceneStoreError) in
            transaction.store.ownerEpoch = max(transaction.store.ownerEpoch, lock.epoch)
            transaction.store.generation = max(transaction.store.generation, lock.owedGeneration)
        }
        mayHaveBegunAnew = holdsAll
    }

    /// Keeps the container for who goes on in memory.
    mutating func keep(
        _ container: OpenContainer, _ opening: OpeningLock, _ error: SceneStoreError
    ) {
        if mayHold && !mustExist || holdsAll, container.isOwned,
            RefusedWrites.isRefusedOpening(error)
        {
            owned = (container, opening.found.debt)
        }
    }
}
