import SceneStoreMigrations
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Copies of stores that this version can't open as they are: nobody asks what is in them.
extension StoreBackup {
    /// Copies the store of a container with its own schema, also one that this version would migrate
    /// or does not know. Changes nothing of the store, and a running app doesn't wait.
    ///
    /// - Parameters:
    ///   - path: Where it goes; nil for the container's folder `backups`.
    ///   - replacing: Whether an existing file is overwritten.
    ///   - now: For its name, milliseconds since 1970.
    package static func copy(
        of location: SceneSessionStore.Location, to path: String?, replacing: Bool, now: Int64
    ) throws(SceneStoreError) -> StoreBackup {
        guard case .directory(let directory) = location else {
            throw SceneStoreError(.invalidLocation, "only a store in a directory is copied")
        }
        do {
            let folder = try ContainerFolder.open(directory, access: .reader)
            var settings = Connection.Options.store(.reader)
            if try OwnerLock.owner(of: folder) != nil {
                settings.identity = try folder.status(of: ContainerName.store)?.identity
            } else {
                settings.role = .copy
                settings.image = try InspectionCopy(
                    of: folder, applicationID: SchemaMigration.applicationID)
            }
            let connection = try Connection(path: folder.storePath, options: settings)
            let backup =
                if let path {
                    try make(of: connection, at: path, replacing: replacing, protecting: folder)
                } else {
                    try make(
                        of: connection, in: folder,
                        named: try freeName(manualName(now), in: folder), kind: nil)
                }
            try connection.close()
            return backup
        } catch {
            throw SceneStoreError(error, "copying the store")
        }
    }

    /// Copies the bytes of a damaged store's file, and those of its log to a file beside the copy,
    /// whatever is wrong with them: ``SceneSessionStore/salvage(from:to:backups:options:)`` reads both.
    ///
    /// What the disk can't read is zero in the copy.
    ///
    /// - Parameters:
    ///   - file: The store's file; a link is followed.
    ///   - directory: The container that it must not damage; nil when there is none.
    ///   - path: Where it goes; nil for the container's folder `backups`.
    ///   - replacing: Whether an existing file is overwritten.
    ///   - now: For its name, milliseconds since 1970.
    package static func copyBytes(
        of file: String, in directory: String?, to path: String?, replacing: Bool, now: Int64
    ) throws(SceneStoreError) -> StoreBackup {
        do {
            let folder = try directory.map {
                try ContainerFolder.open($0, access: path == nil ? .owner : .reader)
            }
            let place: String
            if let path {
                place = path
            } else if let folder {
                let backups = try folder.folder(ContainerName.backups, createsMissing: true)
                let start = "\(damagedKind)\(CompactTime.text(now))"
                place = "\(backups.path)/\(try freeName(start, in: folder))"
            } else {
                throw SceneStoreError(
                    .invalidLocation, "a file by itself has no folder for backups")
            }
            let backup = try commit(
                try copied(file, to: place, replacing, folder), at: place, replacing: replacing,
                protecting: folder)
            do {
                let log = try RawFile(path: file + logSuffix, followsLink: true)
                if log.size > 0 {
                    try copied(file + logSuffix, to: place + logSuffix, true, folder).commit()
                }
            } catch let error as SceneStoreError where error.code == .missing {
                // The store has no log.
            }
            return backup
        } catch {
            throw SceneStoreError(error, "copying the damaged store")
        }
    }

    /// A file with the bytes of another one, not yet in its place.
    private static func copied(
        _ file: String, to path: String, _ replacing: Bool, _ folder: ContainerFolder?
    ) throws -> AtomicFile {
        let source = try RawFile(path: file, followsLink: true)
        var target = try AtomicFile(path: path, replacing: replacing, protecting: folder)
        var offset: Int64 = 0
        while offset < source.size {
            let block = source.bytes(1 << 20, at: offset)
            guard !block.isEmpty else {
                break
            }
            try target.write(block)
            offset += Int64(block.count)
        }
        return target
    }
}
