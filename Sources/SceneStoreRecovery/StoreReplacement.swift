import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Putting other bytes into the place of a container's store.
package enum StoreReplacement {
    /// Puts a closed store that is given as bytes into the place of a container's store, which is
    /// set aside whole in `quarantine/`. No app may own it. Answers the name of the old store.
    ///
    /// - Parameters:
    ///   - store: The database.
    ///   - log: Its write-ahead log, if there is one.
    ///   - location: The container.
    ///   - options: How long an owner is waited for, and the clock.
    ///   - keepsOld: Whether the old store stays in `quarantine/`.
    @discardableResult
    package static func replace(
        at location: SceneSessionStore.Location, by store: [UInt8], log: [UInt8]?,
        options: SceneSessionStore.Options,
        keepsOld: Bool = true
    ) throws(SceneStoreError) -> String? {
        guard case .directory(let directory) = location else {
            throw SceneStoreError(.invalidLocation, "only a store in a directory is replaced")
        }
        do {
            let folder = try ContainerFolder.open(directory, access: .owner)
            let lock = try HeldLock.acquire(folder, timeout: options.ownerTimeout)
            try SetAside.finishInterrupted(folder)
            let name = try SetAside(folder: folder, time: options.clock()).replace(
                reason: "replaced", keepsOld: keepsOld
            ) { path throws(SceneStoreError) in
                try RawFile.fill(path: path, store)
                return ["cause": "replace", "time": .integer(options.clock())]
            } prepare: { () throws(SceneStoreError) in
                try put(log, in: folder)
                try lock.forgetOwners()
            }
            try lock.release()
            return name
        } catch {
            throw SceneStoreError(error, "replacing the store")
        }
    }

    private static func put(
        _ log: [UInt8]?, in folder: ContainerFolder
    ) throws(SceneStoreError) {
        guard let log else {
            return
        }
        do {
            var file = try AtomicFile(in: folder, name: ContainerName.log)
            try file.write(log)
            try file.commit()
        } catch {
            throw SceneStoreError(error)
        }
    }
}
