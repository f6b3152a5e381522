import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// Opening a store to read it.
extension StoreOpening {
    /// A live store is read beside its owner, another one through a private copy; neither changes
    /// or makes a file of the container.
    mutating func openToRead(_ path: String) throws(SceneStoreError) -> Database {
        var attempts = 0
        while true {
            do {
                return try openToReadOnce(path)
            } catch {
                // The owner came or went in between, and its log with it.
                attempts += 1
                let isPassing =
                    error.code == .ioError || error.code == .busy
                    || error.code == .replaced || error.code == .orphanedWAL
                    || (error.code == .missing && error.path == ContainerName.log)
                guard isPassing, attempts < 10 else {
                    throw error
                }
                // Longer each time, a quarter of a second in all: an owner between taking its lock
                // and opening its files, or between closing them and giving the lock up, is quick.
                System.pause(milliseconds: attempts * attempts)
            }
        }
    }

    private mutating func openToReadOnce(_ path: String) throws(SceneStoreError) -> Database {
        diagnostics = []
        let applicationID = SchemaMigration.applicationID
        return try translating("the store cannot be read") {
            let isCopied = options.lenience.contains(.anyPlace)
            let folder =
                try isCopied
                ? ContainerFolder.inspect(path) : ContainerFolder.open(path, access: .reader)
            let file = try folder.requireStore(applicationID: applicationID)
            note(file.warnings)
            let isOwned = try !isCopied && owned == nil && OwnerLock.owner(of: folder) != nil
            let isAtRest = try isOwned ? Self.isAtRest(folder) : false
            if isOwned, !isAtRest {
                guard !file.hasJournal else {
                    throw ForeignLogCheck.error(of: ContainerName.journal)
                }
                var settings = connectionOptions(.reader)
                settings.identity = file.identity
                return try finish(
                    try connect(folder.storePath, settings),
                    OpenContainer(reading: folder))
            }
            // Before the files are copied: an owner that comes meanwhile owes nothing.
            let lost =
                try isAtRest
                ? LostCommits(debt: nil)
                : LostCommits(
                    folder, debt: owned.map(\.debt) ?? OwnerLock.debt(of: folder),
                    isLockJunk: owned == nil && OwnerLock.text(of: folder)?.isJunk == true)
            let noted = try OwnerLock.text(of: folder)
            let farewell = isAtRest ? nil : noted?.farewell
            let (connection, leavesLogOut) = try ForeignLogCheck(
                file.log, in: folder, after: farewell, connectionOptions(.copy)
            ).copy()
            // An owner notes what it made durable whenever it comes to rest.
            if isAtRest, try OwnerLock.text(of: folder)?.durable != noted?.durable {
                connection.abandon()
                throw ContainerError(.unstable, "the store changes while it is copied; try again")
            }
            if leavesLogOut {
                diagnostics.append(ForeignLogCheck.finding())
            }
            if file.hasJournal {
                diagnostics.append(ForeignLogCheck.finding(of: ContainerName.journal))
            }
            return try finish(
                connection, OpenContainer(reading: folder),
                leavesLogOut ? LostCommits(debt: lost.debt) : lost, after: farewell)
        }
    }

    /// Whether no owner has the store open in SQLite now: it left no index of the log, and nothing
    /// in the log.
    private static func isAtRest(_ folder: ContainerFolder) throws(ContainerError) -> Bool {
        guard try folder.status(of: ContainerName.index) == nil else {
            return false
        }
        return try folder.status(of: ContainerName.log)?.size ?? 0 == 0
    }
}
