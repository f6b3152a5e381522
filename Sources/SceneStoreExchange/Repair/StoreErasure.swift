import SceneStoreMigrations
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Erasing a store that is damaged beyond opening: nobody has to repair first what is to go (L-43).
package enum StoreErasure {
    /// What keeps a store from being opened, if it is damage; nil if it opens, or if the error is
    /// another one.
    ///
    /// A file that is no database counts if an owner has been in the container. A database of
    /// another application never does (S-10).
    package static func damage(
        at location: SceneSessionStore.Location
    ) throws(SceneStoreError) -> SceneStoreError? {
        var options = SceneSessionStore.Options()
        options.access = .reader
        do throws(SceneStoreError) {
            try SceneSessionStore.open(
                at: location, options: options, recovery: FileRecovery()
            ).close()
            return nil
        } catch {
            return try isDamage(error, at: location) ? error : nil
        }
    }

    private static func isDamage(
        _ error: SceneStoreError, at location: SceneSessionStore.Location
    ) throws(SceneStoreError) -> Bool {
        switch error.code {
        case .corrupt, .schemaTampered, .orphanedWAL: return true
        case .notAStore: break
        default: return false
        }
        guard case .directory(let directory) = location else {
            return false
        }
        return try translating("looking at the store") {
            let folder = try ContainerFolder.open(directory, access: .reader)
            guard try folder.status(of: ContainerName.lock) != nil else {
                return false
            }
            switch try OwnerLock.text(of: folder)?.state {
            case .released(let epoch) where epoch > 0, .owned(_, let epoch) where epoch > 0: break
            default: return false
            }
            do throws(ContainerError) {
                _ = try folder.checkStore(applicationID: SchemaMigration.applicationID)
                return false
            } catch {
                return [.notSQLite, .damagedHeader, .empty].contains(error.reason)
            }
        }
    }

    /// Erases a damaged container, unread: an empty store takes the place of the damaged one, and
    /// then no byte of the content is left in any file. No app may own the container.
    ///
    /// The other files go first, because that needs no room, and makes some on a full disk. If there
    /// is none for the empty store after that, what is thrown says what remains.
    ///
    /// If the process is killed in between, the old store or the empty one is there. The empty one
    /// knows that an erasure is pending, and its next owner finishes it in idle time.
    package static func erase(
        at location: SceneSessionStore.Location, options: SceneSessionStore.Options
    ) throws(SceneStoreError) {
        guard case .directory(let directory) = location else {
            throw SceneStoreError(.invalidLocation, "only a store in a directory is erased")
        }
        try translating("erasing the store") {
            let folder = try ContainerFolder.open(directory, access: .owner)
            let lock = try OpeningLock.acquire(folder, timeout: options.ownerTimeout)
            try SetAside.finishInterrupted(folder)
            try eraseOtherFiles(of: folder)
            try lock.forgetStore()
            let maker = StoreMaker(
                options: options, ownerEpoch: lock.epoch, owedGeneration: lock.owedGeneration,
                isErasing: true)
            do {
                try SetAside(folder: folder, time: options.clock()).replace(
                    reason: "erased", keepsOld: false
                ) { (path, _) throws(SceneStoreError) in
                    try maker.buildEmpty(at: path, losing: 0, commits: 0)
                    return ["cause": "erase", "time": .integer(options.clock())]
                }
            } catch {
                var failure = SceneStoreError(error, "erasing the store")
                failure.message +=
                    "; the backups, set-aside files and operations are erased, the sessions remain"
                throw failure
            }
            try lock.release()
        }
        var settings = options
        settings.access = .editor
        let store = try SceneSessionStore.open(
            at: location, options: settings, recovery: FileRecovery())
        do throws(SceneStoreError) {
            try store.erase()
        } catch {
            try? store.close()
            throw error
        }
        try store.close()
    }

    private static func eraseOtherFiles(of folder: ContainerFolder) throws {
        _ = try folder.removeLeftovers()
        for name in ContainerName.folders where try folder.status(of: name) != nil {
            let inner = try folder.folder(name)
            for entry in try inner.entries() where entry.status.kind != .folder {
                try inner.remove(entry.name)
            }
        }
    }
}
