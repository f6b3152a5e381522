import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// A copy of a store, with its checksum.
package struct StoreBackup: Sendable, Hashable {
    /// The path of the backup.
    package var path: String
    /// Its size.
    package var byteCount: Int64
    /// XXH64 of the file, as 16 hexadecimal digits; `xxhsum -c` reads the checksum file.
    package var checksum: String

    /// The line of the file beside it.
    package var line: String {
        "\(checksum)  \(RawFile.name(path))\n"
    }

    /// What the name of the file beside it ends with.
    package static let checksumSuffix = ".xxh64"
    /// What the name of the log beside the copy of a damaged store ends with.
    package static let logSuffix = "-wal"
    /// The backups that the container gave up for it, by their names: those of its kind that were too
    /// many or too old.
    package var removed: [String] = []
    /// How many backups of a kind a container keeps, whatever their age.
    package static let capacity = 3
    /// How many it keeps of those that commands made, which an undo needs.
    package static let commandCapacity = 20
    /// For how many days it keeps them.
    package static let commandDays: Int64 = 30
    /// What the name of a backup begins with that a command made.
    package static let commandKind = "before-"

    // MARK: - Making one

    /// Copies what a connection sees into a new file: whole, private and on the disk when this
    /// returns, or not at all. An existing file is not overwritten unasked.
    ///
    /// - Parameter session: The session that is being restored, or was when the process died, where
    ///   only the lock says so: the copy has no lock, so its own row names it (L-52).
    package static func make(
        of connection: Connection, at path: String, replacing: Bool = false,
        restoring session: Int64? = nil, protecting container: ContainerFolder?,
        telling work: WorkTeller = WorkTeller()
    ) throws(SceneStoreError) -> StoreBackup {
        try translating("making a backup") {
            let file = try AtomicFile(path: path, replacing: replacing, protecting: container)
            try copy(connection, to: file.temporaryPath, work)
            if let session {
                try StoreMaker(options: SceneSessionStore.Options())
                    .note(restoring: session, in: file.temporaryPath)
            }
            return try commit(
                file, at: path, replacing: replacing, protecting: container, telling: work)
        }
    }

    /// Puts a file that is written into its place, with its sum beside it.
    package static func commit(
        _ file: consuming AtomicFile, at path: String, replacing: Bool,
        protecting container: ContainerFolder?, telling work: WorkTeller = WorkTeller()
    ) throws -> StoreBackup {
        let copied = try RawFile(path: file.temporaryPath)
        let backup = StoreBackup(
            path: path, byteCount: copied.size, checksum: try Self.checksum(of: copied, work))
        // An old sum, or an old log, beside a new file would tell a lie.
        if replacing {
            RawFile.remove(path: path + checksumSuffix)
            RawFile.remove(path: path + logSuffix)
        }
        try file.commit()
        var sum = try AtomicFile(
            path: path + checksumSuffix, replacing: true, protecting: container)
        try sum.write(Array(backup.line.utf8))
        try sum.commit()
        return backup
    }

    /// Copies what a connection sees, step by step. One that only reads does so within a
    /// transaction: a writer in another process would make it begin again and again.
    package static func copy(
        _ source: Connection, to path: String, _ work: WorkTeller
    ) throws(SceneStoreError) {
        let stage = WorkProgress("copying", .pages, total: 0, share: 0...0.7)
        let progress = work.numbers(stage) ?? { _, _ in true }
        do {
            let target = try Connection(path: path, options: Connection.Options(.scratch))
            if source.role.writes || source.isInTransaction {
                try source.backup(to: target, progress: progress)
            } else {
                try source.read { _ throws(SQLiteError) in
                    // A transaction sees one state from its first look on, and not before.
                    try source.withStatement("SELECT count(*) FROM sqlite_schema") {
                        statement throws(SQLiteError) in _ = try statement.step()
                    }
                    try source.backup(to: target, progress: progress)
                }
            }
            try target.close()
        } catch {
            throw error.kind == .interrupted && work.isHeard
                ? WorkTeller.cancelled : SceneStoreError(error)
        }
    }

    /// XXH64 of a file's bytes, as 16 hexadecimal digits.
    package static func checksum(
        of file: RawFile, _ work: WorkTeller = WorkTeller()
    ) throws(SceneStoreError) -> String {
        let stage = WorkProgress("summing", .bytes, total: Int(clamping: file.size), share: 0.7...1)
        var hash = ContentHash()
        var offset: Int64 = 0
        while offset < file.size {
            try work.say(stage, done: Int(clamping: offset))
            let block = file.bytes(1 << 20, at: offset)
            guard !block.isEmpty else {
                break
            }
            hash.update(block)
            offset += Int64(block.count)
        }
        try file.checkReadable()
        try work.say(stage, done: stage.total)
        return String(hash.value, digits: 16, radix: 16)
    }

    /// Throws `corrupt` when a file is not what the line beside it says; answers whether there is
    /// such a line.
    @discardableResult
    package static func checkSum(_ path: String) throws(SceneStoreError) -> Bool {
        let sum: RawFile
        do throws(SceneStoreError) {
            sum = try RawFile(path: path + checksumSuffix)
        } catch  where error.code == .missing {
            return false
        }
        let line = sum.bytes(16, at: 0)
        try sum.checkReadable()
        let found = try checksum(of: try RawFile(path: path, followsLink: true))
        guard found.utf8.elementsEqual(line) else {
            throw SceneStoreError(.corrupt, "the backup doesn't match its checksum file")
        }
        return true
    }

    // MARK: - In the container

    /// Makes a backup in the folder `backups` of a container and removes the oldest of its kind;
    /// those without a kind are a person's own and stay.
    package static func make(
        of connection: Connection, in folder: ContainerFolder, named name: String,
        kind: String?, replacing: Bool = false, restoring session: Int64? = nil,
        keeping needed: Set<String> = [], now: Int64 = .min,
        telling work: WorkTeller = WorkTeller()
    ) throws(SceneStoreError) -> StoreBackup {
        let backups = try translating {
            try folder.folder(ContainerName.backups, createsMissing: true)
        }
        // What cannot be removed is there the next time, too.
        try? backups.removeAbandoned()
        var backup = try make(
            of: connection, at: "\(backups.path)/\(name)", replacing: replacing,
            restoring: session, protecting: folder, telling: work)
        try translating {
            if let kind {
                backup.removed = try prune(
                    backups, kind: kind, keeping: needed.union([name]), now: now)
            }
        }
        return backup
    }

    /// Keeps what is needed, the one that was just made among it, and the newest of the others of its
    /// kind, so many in all as a container keeps; answers what it removed.
    private static func prune(
        _ backups: ContainerFolder, kind: String, keeping needed: Set<String>, now: Int64
    ) throws(ContainerError) -> [String] {
        let oldest = now.saturatingMinus(commandDays * HistoryPolicy.day) / 1_000
        let most = max(1, (kind == commandKind ? commandCapacity : capacity) - needed.count + 1)
        let others = try newestFirst(backups).filter {
            $0.hasPrefix(kind) && !needed.contains($0)
        }
        var removed: [String] = []
        for (place, name) in others.enumerated() where place >= capacity - 1 {
            let isOld = try backups.status(of: name).map { $0.modifiedSeconds < oldest } ?? true
            guard isOld || place >= most - 1 else {
                continue
            }
            try backups.remove(name)
            try backups.remove(name + checksumSuffix)
            removed.append(name)
        }
        try backups.sync()
        return removed
    }

    /// The backups of a container, newest first by what stands in them.
    package static func all(in folder: ContainerFolder) throws(SceneStoreError) -> [String] {
        try translating {
            guard try folder.status(of: ContainerName.backups)?.kind == .folder else {
                return []
            }
            let backups = try folder.folder(ContainerName.backups)
            return try newestFirst(backups).map { "\(backups.path)/\($0)" }
        }
    }

    /// The stores that were set aside, by their paths.
    package static func setAside(in folder: ContainerFolder) throws(SceneStoreError) -> [String] {
        try translating {
            guard try folder.status(of: ContainerName.quarantine)?.kind == .folder else {
                return []
            }
            let quarantine = try folder.folder(ContainerName.quarantine)
            return try quarantine.entries()
                .filter { $0.name.hasSuffix(".sqlite") && $0.status.kind == .regular }
                .map { "\(quarantine.path)/\($0.name)" }
        }
    }

    /// The names in the folder `backups`: by the owner and the generation in each store, which only
    /// ever grow, for clocks jump. Of two that hold the same the name decides; what cannot be read
    /// comes last.
    private static func newestFirst(_ backups: ContainerFolder) throws(ContainerError) -> [String] {
        try backups.entries()
            .filter { $0.name.hasSuffix(".sqlite") && $0.status.kind == .regular }
            .map { entry in
                let row = storeRow("\(backups.path)/\(entry.name)")
                return (row?.ownerEpoch ?? -1, row?.generation ?? -1, entry.name)
            }
            .sorted { $0 > $1 }.map(\.2)
    }

    /// A backup's own row; nil when it cannot be read, or does not prove itself.
    static func storeRow(_ path: String) -> StoreRow? {
        (try? Connection(path: path, options: .store(.immutable))).flatMap(Database.provenStoreRow)
    }

    /// The same of a store with its log, if that is its own.
    static func storeRow(of folder: ContainerFolder) -> StoreRow? {
        let file = try? folder.requireStore(applicationID: SchemaMigration.applicationID)
        return file.flatMap {
            try? ForeignLogCheck($0.log, in: folder, after: nil, .store(.copy)).copy().connection
        }.flatMap(Database.provenStoreRow)
    }
}

extension SceneSessionStore {
    /// Copies the complete store into one file, with a checksum file next to it.
    ///
    /// The copy is consistent even while the app writes, and no process waits for it. On return it
    /// is private, complete and on the disk; if the call throws, there is no file, or a complete one
    /// without its checksum. Throws ``SceneStoreError/Code/invalidLocation`` if the file exists and
    /// `replacing` is false, or if it is one of the store's own files or folders.
    public func backUp(to path: String, replacing: Bool = false) throws(SceneStoreError) {
        _ = try copy(to: path, replacing: replacing)
    }

    /// The same, and what was copied.
    package func copy(
        to path: String, replacing: Bool = false
    ) throws(SceneStoreError) -> StoreBackup {
        try read { db throws(SceneStoreError) in
            try StoreBackup.make(
                of: db.connection, at: path, replacing: replacing,
                restoring: db.notedSession, protecting: db.container.folder,
                telling: db.work)
        }
    }
}

/// A backup that is to be read: checked before anything is done with it.
package struct BackupReader {
    let path: String
    let options: SceneSessionStore.Options

    package init(path: String, options: SceneSessionStore.Options) {
        self.path = path
        self.options = options
    }

    /// What is known of a backup before it is restored.
    package typealias Contents = (
        openSessions: Int, generation: Int64, uuid: [UInt8], writtenAt: Int64, hasChecksum: Bool
    )

    /// Looks at every page and row; throws `corrupt` when anything is wrong.
    @discardableResult
    package func check() throws(SceneStoreError) -> Contents {
        let hasChecksum = try StoreBackup.checkSum(path)
        try checkLog()
        let db = try open()
        defer {
            db.abandon()
        }
        let pages = try translating { try db.connection.check(table: nil, budget: Budget()) }
        guard pages.problems.isEmpty, try db.verifyRows(until: nil),
            db.damage.rows.isEmpty, db.damage.diagnostics.isEmpty
        else {
            throw SceneStoreError(
                .corrupt,
                "the backup is damaged: \(pages.problems.first ?? "rows fail their check")")
        }
        let latest = try db.openRecords().map(\.lastActiveAt).max()
        return (
            Int(clamping: db.store.openCount), db.store.generation, db.store.uuid,
            latest ?? db.store.createdAt, hasChecksum
        )
    }

    /// A file with a log beside it is no backup: half of it is in the log.
    private func checkLog() throws(SceneStoreError) {
        let log: RawFile
        do throws(SceneStoreError) {
            log = try RawFile(path: path + "-wal")
        } catch  where error.code == .missing {
            return
        }
        guard log.size == 0 else {
            throw SceneStoreError(
                .orphanedWAL,
                "the file has a write-ahead log, so it is a store in use, not a backup; "
                    + "make one with scenestore backup")
        }
    }

    /// A database that only looks; what an older version wrote is brought up to this one in memory.
    func open() throws(SceneStoreError) -> Database {
        do {
            let resolved = try System.resolve(path)
            let file = try RawFile(path: resolved)
            let header = file.bytes(100, at: 0)
            try file.checkReadable()
            _ = try StoreHeader(header, expecting: SchemaMigration.applicationID)
            return try Database.inspecting(
                try Connection(path: resolved, options: .store(.immutable)), OpenContainer(),
                options)
        } catch let error as SystemError {
            throw SceneStoreError(ContainerError(error, "opening the backup"))
        } catch {
            throw SceneStoreError(error, "opening the backup")
        }
    }

    /// Copies the backup's pages into an empty file.
    package func copy(to target: String) throws(SceneStoreError) {
        let db = try open()
        defer {
            db.abandon()
        }
        try StoreBackup.copy(db.connection, to: target, db.work)
    }
}

extension Database {
    /// A database that only looks, over a connection that was opened for it, with the checks of an
    /// opening; what a newer version wrote is refused.
    package static func inspecting(
        _ connection: Connection, _ container: OpenContainer,
        _ options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> Database {
        guard try StoreMigrator.version(connection) <= SchemaMigration.currentVersion else {
            throw SceneStoreError(.newerSchema, "a newer version wrote it; use that version")
        }
        var settings = options
        settings.access = .reader
        settings.lenience = [.older]
        var opening = StoreOpening(settings, recovery: FileRecovery())
        return try opening.finish(connection, container)
    }
}
