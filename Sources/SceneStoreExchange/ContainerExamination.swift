import SceneStoreMigrations
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// What a look at a container's files says, before SQLite is asked anything. Nothing
/// is written, waited for or followed.
package struct ContainerExamination: Sendable {
    /// Something in the container.
    package struct File: Sendable, Hashable {
        package var name: String
        package var bytes: Int64
        /// The permission bits.
        package var permissions: UInt32
        package var isRegular: Bool
        package var isFolder: Bool
        package var isOwnUsers: Bool
        package var links: UInt64
        /// Milliseconds since 1970.
        package var modifiedAt: Int64
    }

    /// Something of the store's own that this user can't read and write.
    package struct Unwritable: Sendable, Hashable {
        /// The path of the file, or of the container itself.
        package var path: String
        /// Whether its mode says so, which its user can change.
        package var isMode: Bool
        /// Whether this process can't write it: root writes what its mode forbids.
        package var isRefused: Bool
    }

    /// What the lock says about the owner.
    package enum Owner: Sendable, Hashable {
        /// Nobody ever owned it.
        case none
        /// A living process holds the lock.
        case running(process: Int32?)
        /// The last one gave it up.
        case released
        /// The last one died without a word.
        case died(process: Int32)
    }

    /// The container's directory.
    package var directory: String
    package var permissions: UInt32
    /// Whether it belongs to this user.
    package var isOwnUsers: Bool
    /// Every user may put another folder in its place.
    package var isReplaceable: Bool
    package var files: [File]
    /// Files of unfinished work whose process is gone.
    package var leftovers: [String]
    /// The names in `quarantine` of stores whose replacement was interrupted: by a restore, a repair
    /// or a launch that was killed, unless it goes on.
    package var interrupted: [String]
    /// Names that no version of the library makes.
    package var strangers: [String]
    /// Folders in the container's own folders, which no version of the library makes, either.
    package var strangeFolders: [String]
    package var owner: Owner
    package var backups: [File]
    package var quarantine: [File]

    /// The names of the container's folders that something else has taken the place of.
    package var blockedFolders: [String] {
        files.filter { ContainerName.folders.contains($0.name) && !$0.isFolder }.map(\.name)
    }

    /// What this user owns and can't read and write all the same.
    package var unwritable: [Unwritable] {
        func check(_ path: String, _ permissions: UInt32, needs: UInt32) -> Unwritable? {
            let isMode = permissions & needs != needs
            let isRefused = !System.canWrite(path)
            return isMode || isRefused
                ? Unwritable(path: path, isMode: isMode, isRefused: isRefused) : nil
        }
        let own = files.filter { $0.isOwnUsers && ContainerName.reserved.contains($0.name) }
        return (isOwnUsers ? [check(directory, permissions, needs: 0o700)] : []).compactMap { $0 }
            + own.compactMap {
                check("\(directory)/\($0.name)", $0.permissions, needs: $0.isFolder ? 0o700 : 0o600)
            }
    }

    /// What erasing the store leaves in the container: what isn't the store's.
    package var unerased: [String] { strangers + strangeFolders }

    /// The database's own file.
    package var store: File? { files.first { $0.name == ContainerName.store } }
    /// The write-ahead log.
    package var log: File? { files.first { $0.name == ContainerName.log } }

    /// Looks at the container that a location names. Throws what keeps even a look away:
    /// ``SceneStoreError/Code/missing``, ``SceneStoreError/Code/permission``. An inspector looks at
    /// another user's, too.
    package init(
        of location: SceneSessionStore.Location, access: ContainerFolder.Access = .reader
    ) throws(SceneStoreError) {
        guard case .directory(let path) = location else {
            throw SceneStoreError(.missing, "a store in memory has no container")
        }
        do throws(ContainerError) {
            let folder = try ContainerFolder.open(path, access: access)
            directory = folder.path
            files = try folder.entries().map(File.init)
            permissions = try folder.permissions()
            isOwnUsers = (try? System.status(at: folder.path).isOwnUsers) ?? false
            isReplaceable = folder.isReplaceable
            // Another user's lock is not read: nobody knows whether it is a lock.
            owner = access == .inspector ? .none : try Self.owner(of: folder)
            backups = try Self.files(in: ContainerName.backups, of: folder)
            quarantine = try Self.files(in: ContainerName.quarantine, of: folder)
            strangeFolders = ContainerName.folders.flatMap { name in
                let files = (try? Self.files(in: name, of: folder)) ?? []
                return files.filter(\.isFolder).map { "\(name)/\($0.name)" }
            }
        } catch {
            throw SceneStoreError(error)
        }
        interrupted = SetAside.interrupted(among: quarantine.map(\.name))
        leftovers = files.map(\.name).filter { AtomicFile.isTemporary($0) }
        for (folder, files) in [
            (ContainerName.backups, backups), (ContainerName.quarantine, quarantine),
        ] {
            leftovers += files.map(\.name).filter { AtomicFile.isAbandoned($0) }
                .map { "\(folder)/\($0)" }
        }
        let known = Set(ContainerName.reserved + leftovers)
        strangers = files.map(\.name).filter { !known.contains($0) }
    }

    private static func files(
        in name: String, of folder: ContainerFolder
    ) throws(ContainerError) -> [File] {
        guard try folder.status(of: name)?.kind == .folder else {
            return []
        }
        do {
            return try folder.folder(name).entries().map(File.init)
        } catch {
            // A store that isn't in its place may be in there.
            let isComplete = try folder.status(of: ContainerName.store) != nil
            guard error.kind == .permission, isComplete || folder.access == .inspector else {
                throw error
            }
            return []
        }
    }

    private static func owner(of folder: ContainerFolder) throws(ContainerError) -> Owner {
        guard try folder.status(of: ContainerName.lock) != nil else {
            return .none
        }
        if let owner = try OwnerLock.owner(of: folder) {
            return .running(process: owner.process)
        }
        return switch try OwnerLock.text(of: folder)?.state {
        case nil, .some(.none): .none
        case .released: .released
        case .owned(let process, _): .died(process: process)
        }
    }
}

extension ContainerExamination.File {
    fileprivate init(_ entry: ContainerFolder.Entry) {
        let status = entry.status
        self.init(
            name: entry.name, bytes: max(status.size, 0), permissions: status.permissions,
            isRegular: status.kind == .regular, isFolder: status.kind == .folder,
            isOwnUsers: status.isOwnUsers, links: status.links,
            modifiedAt: status.modifiedSeconds &* 1_000
                &+ status.modifiedNanoseconds / 1_000_000)
    }
}

/// What an open store says about itself that no single row shows.
package struct StoreCondition: Sendable, Hashable {
    /// Times of sessions, launches, tombstones and the journal that lie after now.
    package var futureTimes: Int
    /// The latest of them, milliseconds since 1970.
    package var latestTime: Int64
    /// Launches that began before the one that is numbered before them.
    package var launchesBackInTime: Int
    /// Sessions whose stored states take more than the history's policy allows.
    package var sessionsOverHistory: [String]
    /// Sessions whose current state takes more than four fifths of what it may.
    package var largeSessions: [String]
    package var openSessions: Int
    package var sessionLimit: Int
    /// Rows that were set aside.
    package var quarantinedRows: Int
    package var erasurePending: Bool
    /// The last launches, newest first.
    package var launches: [LaunchRecord]
}

extension StoreCondition {
    /// What the store as a whole is like; no row becomes a record or an entry of the journal.
    package init(of store: SceneSessionStore) throws(SceneStoreError) {
        self = try store.read { db throws(SceneStoreError) in try StoreCondition(db) }
    }

    private init(_ db: Database) throws(SceneStoreError) {
        let now = db.now
        let launches = try db.launchRecords(limit: 50)
        let (over, large) = try Self.largeSessions(db)
        // A minute of difference between two clocks is nothing to worry about.
        let soon = now.addingReportingOverflow(60_000).partialValue
        var future = (count: 0, latest: Int64(0))
        try translating {
            try db.connection.withStatement(Queries.futureTimes) { statement throws(SQLiteError) in
                try statement.bind(1, db.store.containerEpoch)
                try statement.bind(2, soon)
                if try statement.step() {
                    future.count = Int(clamping: try statement.integer(at: 0))
                    future.latest = try statement.integer(at: 1)
                }
            }
        }
        let back = zip(launches, launches.dropFirst()).count { newer, older in
            newer.startedAt < older.startedAt.subtractingReportingOverflow(60_000).partialValue
        }
        self.init(
            futureTimes: future.count, latestTime: future.latest, launchesBackInTime: back,
            sessionsOverHistory: over, largeSessions: large,
            openSessions: Int(clamping: db.store.openCount), sessionLimit: db.limits.sessions,
            quarantinedRows: try db.ask(Queries.quarantinedCount) {
                statement throws(SQLiteError) -> Int in
                try statement.step() ? Int(clamping: try statement.integer(at: 0)) : 0
            },
            erasurePending: db.store.erasurePending, launches: launches)
    }

    /// The open and recently closed sessions whose earlier states, or whose current one, are too
    /// large. Only their rows are read.
    private static func largeSessions(
        _ db: Database
    ) throws(SceneStoreError) -> (overHistory: [String], large: [String]) {
        let limit = Int64(db.options.history.bytes)
        let most = Int64(db.limits.sessionBytes) / 5 * 4
        var found: [(key: Int64, isOver: Bool, isLarge: Bool)] = []
        // A session has at most 256 states. Mostly even so many of the largest would be few enough.
        let largest = try db.ask(Queries.largestState) { statement throws(SQLiteError) -> Int64 in
            try statement.step() ? try statement.integer(at: 0) : 0
        }
        guard largest > min(limit / 256, most) else {
            return ([], [])
        }
        try translating {
            try db.connection.withStatement(Queries.stateUsage) { statement throws(SQLiteError) in
                try statement.bind(1, db.store.containerEpoch)
                while try statement.step() {
                    let state = try statement.integer(at: 3)
                    let isOver = try statement.integer(at: 2) &- state > limit
                    if isOver || state > most {
                        found.append((try statement.integer(at: 0), isOver, state > most))
                    }
                }
            }
        }
        var (over, large): ([String], [String]) = ([], [])
        for session in found {
            guard let record = try db.record(key: session.key) else {
                continue
            }
            over += session.isOver ? [record.identifier] : []
            large += session.isLarge ? [record.identifier] : []
        }
        return (over, large)
    }
}

extension ContainerExamination {
    /// Ends what a process began that was killed while it put another store into a container's
    /// place: the old store is back in its place, or the new one stays there. Answers whether there
    /// was such a thing; else nothing is taken or touched.
    @discardableResult
    package static func finishInterrupted(
        at location: SceneSessionStore.Location, options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> Bool {
        guard case .directory(let directory) = location,
            let found = try? ContainerExamination(of: location), !found.interrupted.isEmpty
        else {
            return false
        }
        return try translating("finishing what was interrupted") {
            let folder = try ContainerFolder.open(directory, access: .owner)
            let lock = try OpeningLock.acquire(folder, timeout: options.ownerTimeout)
            try SetAside.finishInterrupted(folder)
            // Given back as by a process that died: the next owner takes all care.
            _ = lock.lock.take()
            return true
        }
    }

    /// Removes files of unfinished work, whose processes are gone: nobody but the owner writes
    /// in a container.
    package static func removeLeftovers(of store: SceneSessionStore) throws(SceneStoreError) {
        try store.using { db throws(SceneStoreError) in
            _ = try translating { try db.container.folder?.removeLeftovers() }
        }
    }
}
