import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

extension SceneSessionStore {
    /// Replaces a container's store with a backup. Durable on return.
    ///
    /// The old store is set aside completely in `quarantine/`, and its name there is returned, or
    /// nil if there was none. A missing container is created; no app may own it. The backup is
    /// checked from end to end before anything is changed. If the process is killed in between, the
    /// next owner puts the old store back, or finds the new one complete.
    ///
    /// Throws ``SceneStoreError/Code/corrupt`` for a backup that is not sound,
    /// ``SceneStoreError/Code/orphanedWAL`` for a store in use, which has a log next to it, and
    /// ``SceneStoreError/Code/owned`` while a process has the container.
    ///
    /// - Parameters:
    ///   - path: The backup.
    ///   - location: The container.
    ///   - options: What the stores are opened with.
    ///   - keepsOld: Whether the old store stays in `quarantine/`.
    @discardableResult
    public static func restore(
        from path: String, to location: Location, options: Options = Options(),
        keepsOld: Bool = true
    ) throws(SceneStoreError) -> String? {
        guard case .directory(let directory) = location else {
            throw SceneStoreError(.invalidLocation, "a backup is restored to a directory")
        }
        let reader = BackupReader(path: path, options: options)
        try reader.check()
        let folder = try translating {
            try ContainerFolder.open(directory, access: .owner, createsMissing: true)
        }
        let lock = try OpeningLock.acquire(folder, timeout: options.ownerTimeout)
        try SetAside.finishInterrupted(folder)
        try options.whenOwned?(folder)
        try lock.forgetStore()
        let name = try SetAside(byCommandIn: folder, at: options.clock()).replace(
            reason: SetAside.CommandReason.replaced.rawValue, keepsOld: keepsOld
        ) { (target, _) throws(SceneStoreError) in
            try reader.copy(to: target)
            try StoreMaker(
                options: options, ownerEpoch: lock.epoch, owedGeneration: lock.owedGeneration
            ).adopt(target, note: "restored from a backup")
            return [
                "cause": "restore", "owner": lock.notes, "time": .integer(options.clock()),
            ]
        }
        try lock.forgetRestoring()
        try lock.release()
        return name
    }
}

extension StoreBackup {
    /// What is in a backup, after every page and row of it was looked at.
    package static func inspect(
        at path: String, options: SceneSessionStore.Options = SceneSessionStore.Options()
    ) throws(SceneStoreError) -> (openSessions: Int, hasChecksum: Bool) {
        let contents = try BackupReader(path: path, options: options).check()
        return (contents.openSessions, contents.hasChecksum)
    }
}
