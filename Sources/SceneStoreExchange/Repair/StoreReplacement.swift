import SceneStoreFormats
import SceneStoreRecovery
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
    ///   - notes: What its last owner had written down beside the lock; see ``OpeningLock/notes``.
    ///   - location: The container.
    ///   - options: How long an owner is waited for, and the clock.
    ///   - keepsOld: Whether the old store stays in `quarantine/`.
    @discardableResult
    package static func replace(
        at location: SceneSessionStore.Location, by store: [UInt8], log: [UInt8]?,
        notes: CanonicalJSON? = nil, options: SceneSessionStore.Options, keepsOld: Bool = true
    ) throws(SceneStoreError) -> String? {
        guard case .directory(let directory) = location else {
            throw SceneStoreError(.invalidLocation, "only a store in a directory is replaced")
        }
        return try translating("replacing the store") {
            let folder = try ContainerFolder.open(directory, access: .owner)
            let lock = try OpeningLock.acquire(folder, timeout: options.ownerTimeout)
            try SetAside.finishInterrupted(folder)
            try options.whenOwned?(folder)
            let name = try SetAside(byCommandIn: folder, at: options.clock()).replace(
                reason: SetAside.CommandReason.replaced.rawValue, keepsOld: keepsOld
            ) { (path, _) throws(SceneStoreError) in
                try RawFile.fill(path: path, store)
                return [
                    "cause": "replace", "owner": lock.notes, "time": .integer(options.clock()),
                ]
            } prepare: { () throws(SceneStoreError) in
                try put(log, in: folder)
                try lock.forgetOwners()
            }
            try lock.recall(notes)
            try lock.release()
            return name
        }
    }

    /// Puts a store that was set aside in `quarantine/` back into its place, byte for byte, together
    /// with what its last owner had written down beside the lock. It also stays in `quarantine/`. No
    /// app may own the container. Answers the name of the store that was there.
    ///
    /// - Parameters:
    ///   - name: The name of the set-aside store, without `.sqlite`.
    ///   - location: The container.
    ///   - options: How long an owner is waited for, and the clock.
    ///   - keepsOld: Whether the store that was there stays in `quarantine/`.
    @discardableResult
    package static func putBack(
        _ name: String, at location: SceneSessionStore.Location,
        options: SceneSessionStore.Options, keepsOld: Bool
    ) throws(SceneStoreError) -> String? {
        guard case .directory(let directory) = location else {
            throw SceneStoreError(.invalidLocation, "only a store in a directory is replaced")
        }
        return try translating("putting the store back") {
            let quarantine = try ContainerFolder.open(directory, access: .owner)
                .folder(ContainerName.quarantine)
            func bytes(_ suffix: String) throws(ContainerError) -> [UInt8]? {
                guard try quarantine.status(of: name + suffix) != nil else {
                    return nil
                }
                return try quarantine.contents(of: name + suffix, limit: .max)
            }
            guard let store = try bytes(".sqlite") else {
                throw SceneStoreError(.missing, "the store that was set aside is gone")
            }
            let ledger = try bytes(".json").flatMap {
                // A ledger that was cut short says less, and keeps nobody from the store.
                try? CanonicalJSON(parsing: String(decoding: $0, as: UTF8.self))
            }
            return try replace(
                at: location, by: store, log: try bytes(".sqlite-wal"),
                notes: ledger?.objectValue?["owner"], options: options, keepsOld: keepsOld)
        }
    }

    private static func put(
        _ log: [UInt8]?, in folder: ContainerFolder
    ) throws(SceneStoreError) {
        guard let log else {
            return
        }
        try translating {
            var file = try AtomicFile(in: folder, name: ContainerName.log)
            try file.write(log)
            try file.commit()
        }
    }
}
