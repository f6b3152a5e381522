import SceneStoreMigrations
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Deleting a store's own files, and nothing else.
package enum ContainerRemoval {
    /// Deletes a store: its own files, and nothing else. The container's folder stays, empty.
    ///
    /// Does nothing when there is no such folder.
    ///
    /// Throws ``SceneStoreError/Code/invalidLocation`` when anything else is in the folder, and
    /// ``SceneStoreError/Code/owned`` while another process owns the store; nothing is deleted
    /// then.
    ///
    /// - Parameters:
    ///   - location: The container.
    ///   - isOwned: Whether this process owns the store and deletes it under itself.
    ///   - keepsFolders: Whether what is kept for an undo stays: backups, set-aside files, operations.
    package static func delete(
        at location: SceneSessionStore.Location, isOwned: Bool = false, keepsFolders: Bool = false
    ) throws(SceneStoreError) {
        guard case .directory(let path) = location else {
            return
        }
        do {
            let folder = try ContainerFolder.open(path, access: .owner)
            try checkNothingElse(in: folder)
            let lock = isOwned ? nil : try OpeningLock.acquire(folder, timeout: 0)
            for name in ContainerName.folders
            where try !keepsFolders && folder.status(of: name) != nil {
                let inner = try folder.folder(name)
                for entry in try inner.entries() {
                    try inner.remove(entry.name)
                }
            }
            // The lock's file last: who waits for it finds an empty folder.
            for entry in try folder.entries()
            where entry.status.kind != .folder && entry.name != ContainerName.lock {
                try folder.remove(entry.name)
            }
            try folder.remove(ContainerName.lock)
            if keepsFolders {
                // Beside backups, a store that is missing would be one that was lost (L-42).
                try folder.createStore(applicationID: SchemaMigration.applicationID)
            }
            try folder.sync()
            withExtendedLifetime(lock) {}
        } catch let error as ContainerError where error.kind == .missing {
            return
        } catch {
            throw SceneStoreError(error, "deleting the store")
        }
    }

    private static func checkNothingElse(in folder: ContainerFolder) throws {
        var strangers = try folder.entries().filter { entry in
            switch entry.status.kind {
            case .regular:
                !ContainerName.all.contains(entry.name) && !AtomicFile.isTemporary(entry.name)
            case .folder: !ContainerName.folders.contains(entry.name)
            case .socket: entry.name != ContainerName.socket
            default: true
            }
        }
        for name in ContainerName.folders where try folder.status(of: name)?.kind == .folder {
            strangers += try folder.folder(name).entries().filter {
                $0.status.kind != .regular || !isOwn($0.name)
            }
        }
        guard strangers.isEmpty else {
            throw SceneStoreError(
                .invalidLocation,
                "the folder holds \(strangers.count) other files; a store is deleted only from a "
                    + "folder of its own")
        }
    }

    /// Whether the library gives a file in one of its folders such a name.
    private static func isOwn(_ name: String) -> Bool {
        let endings = [
            ".sqlite", ".sqlite-wal", ".sqlite-shm", ".sqlite-journal", ".json", ".unfinished",
            ".untold", StoreBackup.checksumSuffix,
        ]
        return endings.contains { name.hasSuffix($0) } || AtomicFile.isTemporary(name)
    }
}
