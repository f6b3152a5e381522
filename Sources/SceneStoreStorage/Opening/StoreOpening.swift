import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// Opening a store: checks first, then SQLite, then the schema; no row is scanned (S-10, S-13).
///
///     folder -> lock -> files -> log -> SQLite -> schema -> store's row -> owner's mark
///
/// Every step answers with a cause of its own; none deletes or changes a file that is not ours.
struct StoreOpening {
    let options: SceneSessionStore.Options
    let recovery: any StoreRecovering
    var diagnostics: [Diagnostic] = []
    /// Those of what was set aside: of an opening in the middle of a process only they are news.
    var replacements: [Diagnostic] = []
    /// The exchanges among them, of which no app was told yet; those that this process knows of.
    var untold: Set<String> = []
    /// Whether a container that is missing stays so: it is taken back, not made (S-33).
    var mustExist = false
    /// What holds all that earlier owners wrote, in memory: where no file is, one is made of it.
    var memory: Database?
    /// Whether a file that can be read and not written is opened all the same (L-17).
    var mayHold: Bool
    /// Whether a damaged store that can't be set aside is, too, although it must exist.
    var mayHoldDamaged = false
    /// Whether the store is damaged, and putting another one in its place failed.
    var isRecoveryRefused = false
    /// Whether that left the damaged one in its place.
    var isLeftDamaged = false
    /// What is damaged in the file, when that is known: it is set aside without another look.
    var damage: (cause: SceneStoreError, file: FileIdentity)?
    /// Whether an earlier owner came upon damage, so that all rows are looked at.
    private var isSuspect = false
    /// What a process that died while it recovered the store had built: the names of the files.
    private var drafts: [String] = []
    /// Whether a store of all that is in memory was put in its place.
    var hasBegunAnew = false
    /// Whether one was to be put there: what fails afterwards may leave it there all the same.
    var mayHaveBegunAnew = false
    /// The container that this opening owns although its file could not be opened, and what the owner
    /// before owed: going on in memory is no reason to let a second owner in (S-30).
    var owned: (container: OpenContainer, debt: OwnerLock.Debt?)?
    /// Whether a log was set aside that was not the store's own.
    private var isWithoutLog = false

    init(_ options: SceneSessionStore.Options, recovery: any StoreRecovering) {
        self.options = options
        self.recovery = recovery
        mayHold = options.access == .owner && options.beginsInMemory
    }

    /// An opening in the middle of a process: of an exchange that this process knows of, the app is
    /// told without it.
    init(following db: Database) {
        self.init(db.options, recovery: db.recovery)
        untold = db.damage.untold
    }

    var holdsAll: Bool { memory != nil }

    private var mayCreate: Bool { options.access == .owner && !mustExist }

    mutating func open(_ location: SceneSessionStore.Location) throws(SceneStoreError) -> Database {
        switch location {
        case .memory:
            return try openFileless(path: "", role: .memory)
        case .directory(let path):
            return try options.access == .reader && options.vfs == nil
                ? openToRead(path) : openHolding(path)
        }
    }

    // MARK: - Without files of this system

    mutating func openFileless(
        path: String, role: Connection.Role
    ) throws(SceneStoreError) -> Database {
        var settings = connectionOptions(role)
        settings.allowsCreation = mayCreate
        let connection = try connect(path, settings)
        return try finish(connection, OpenContainer())
    }

    // MARK: - Writing

    mutating func openToWrite(_ path: String) throws(SceneStoreError) -> Database {
        guard options.vfs == nil else {
            return try openFileless(path: path + "/" + ContainerName.store, role: .owner)
        }
        let folder = try translating {
            try ContainerFolder.open(path, access: .owner, createsMissing: mayCreate)
        }
        repeat {
            if let db = try openOwned(folder, mayRecover: true) {
                return db
            }
            // Where only a journal or a log was set aside, the store itself is looked at as ever.
        } while isWithoutLog
        // What was damaged was set aside, and another store stands in its place (S-11).
        guard let db = try openOwned(folder, mayRecover: false) else {
            throw Database.damagedStoreRow
        }
        return db
    }

    /// Opens as the owner; nil when the store was damaged and another one was put in its place.
    private mutating func openOwned(
        _ folder: ContainerFolder, mayRecover: Bool
    ) throws(SceneStoreError) -> Database? {
        let opening = try OpeningLock.acquire(folder, timeout: options.ownerTimeout)
        if let refusal = opening.refusal {
            // Kept all the same: an app that goes on in memory is the only one that shows windows.
            keep(OpenContainer(folder: folder, opening), opening, refusal)
            throw refusal
        }
        try options.whenOwned?(folder)
        var container: OpenContainer?
        var connection: Connection?
        do throws(SceneStoreError) {
            note(try recovery.finishInterrupted(folder))
            let file = try translating { try prepareFiles(folder, opening) }
            note(file.warnings)
            // A store that was put in the place of a damaged one owes nothing.
            var debt = opening.found.debt
            if !mayRecover {
                debt?.generation = nil
            }
            isSuspect = mayRecover && opening.found.damaged == file.identity
            let owned = OpenContainer(folder: folder, opening, store: file.identity)
            container = owned
            if mayRecover, let damage, damage.file == file.identity {
                throw damage.cause
            }
            let log = ForeignLogCheck(
                file.log, in: folder, after: opening.found.farewell, connectionOptions(.immutable))
            guard !log.isForeign, !file.hasJournal else {
                throw ForeignLogCheck.error(
                    of: log.isForeign ? ContainerName.log : ContainerName.journal)
            }
            let lost = try translating {
                try debt == nil
                    ? LostCommits(debt: nil)
                    : LostCommits(folder, debt: debt, isLockJunk: opening.found.isJunk)
            }
            // After an unclean end whose owner left no note of what was durable: commits behind the first
            // bad frame are lost, and SQLite would not say so.
            if let message = lost.damageOfLog {
                throw SceneStoreError(.corrupt, message, path: ContainerName.log)
            }
            var settings = connectionOptions(.owner)
            settings.identity = file.identity
            let opened = try connect(folder.storePath, settings)
            connection = opened
            guard try !log.isForeign(to: opened) else {
                throw ForeignLogCheck.error()
            }
            if isSuspect {
                try checkPages(opened)
            }
            // What recovery has put there is what it is.
            let db = try finish(
                opened, owned, lost, after: mayRecover ? opening.found.farewell : nil)
            // Nothing is recovered, so nobody goes on with it.
            for name in drafts {
                try? folder.remove(name)
            }
            return db
        } catch {
            // Without a checkpoint, which would take the log away: the files stay as they are.
            connection?.abandon()
            connection = nil
            let isLogAlone = error.code == .orphanedWAL && container != nil
            // A log whose file is missing is not salvaged under a process that goes on without it.
            let isLeft = mustExist && error.code == .orphanedWAL && !isLogAlone
            guard mayRecover, !isLeft,
                let found = try recovered(folder, opening, container, from: error)
            else {
                if error.code == .rolledBack || opening.found.farewell != nil && isLogAlone {
                    // Nobody has died, and the next opening is to find the same.
                    try container?.release(at: opening.found.closing)
                } else if container == nil, opening.found.farewell != nil,
                    !RefusedWrites.isRefusedOpening(error)
                {
                    try opening.release(at: opening.found.closing)
                }
                keep(container ?? OpenContainer(folder: folder, opening), opening, error)
                throw error
            }
            diagnostics += found
            replacements += found
            isWithoutLog = isLogAlone
            hasBegunAnew = holdsAll && error.code != .rolledBack && !isLogAlone
            if error.code == .rolledBack {
                try container?.release()
            } else if isLogAlone, opening.found.farewell != nil {
                try container?.release(at: opening.found.closing)
            }
            // The container is owned until here.
            withExtendedLifetime((opening, container)) {}
            return nil
        }
    }

    /// Looks at the files before SQLite does; makes an empty store where there is none.
    private mutating func prepareFiles(
        _ folder: ContainerFolder, _ opening: OpeningLock
    ) throws -> StoreFile {
        if case .owned = opening.found.state {
            // One that recovery goes on with is taken by the name that it gives it.
            drafts = try folder.removeLeftovers(sparesDrafts: true)
            // After a failed sync the cache may show what the disk never took.
            try folder.dropCachedPages()
        }
        if let file = try checkStore(folder) {
            return file
        }
        guard mayCreate else {
            throw ContainerError(.missing, "there is no store", file: ContainerName.store)
        }
        if let memory {
            try prepareMemory(opening)
            try recovery.place(memory, in: folder)
            hasBegunAnew = true
        } else {
            try folder.createStore(applicationID: SchemaMigration.applicationID)
        }
        guard let file = try folder.checkStore(applicationID: SchemaMigration.applicationID) else {
            throw ContainerError(.moved, "the new store was taken away", file: ContainerName.store)
        }
        return file
    }

    /// The judgement of the files. Under a process that has the windows, a file that is gone is
    /// missing, and not a reason to take an older one (L-17).
    private func checkStore(_ folder: ContainerFolder) throws(ContainerError) -> StoreFile? {
        do throws(ContainerError) {
            return try folder.checkStore(applicationID: SchemaMigration.applicationID)
        } catch  where (mustExist || holdsAll) && error.kind == .lost {
            guard error.reason == .databaseMissing else {
                var error = error
                error.kind = .notAStore
                throw error
            }
            return nil
        }
    }

    // MARK: - SQLite and the schema

    func connectionOptions(_ role: Connection.Role) -> Connection.Options {
        var settings = Connection.Options.store(role)
        settings.busyMilliseconds = Int32(clamping: max(options.busyTimeout, 0))
        if role != .memory {
            settings.vfs = options.vfs
            settings.fault = options.fault
        }
        settings.pageCacheKibibytes = options.pageCacheKibibytes.map { min(max($0, 32), 1 << 20) }
        settings.statementCapacity = options.statementCacheCapacity.map { max($0, 8) } ?? .max
        return settings
    }

    func connect(
        _ path: String, _ settings: Connection.Options
    ) throws(SceneStoreError) -> Connection {
        try translating { try Connection(path: path, options: settings) }
    }

    mutating func finish(
        _ connection: Connection, _ container: OpenContainer,
        _ lost: LostCommits = LostCommits(debt: nil), after farewell: OwnerLock.Farewell? = nil,
        rested: StoreRow? = nil
    ) throws(SceneStoreError) -> Database {
        var connection = connection
        var version = try StoreMigrator.version(connection)
        if options.lenience.contains(.older), version > 0, version < SchemaMigration.currentVersion
        {
            connection = try StoreMigrator.migratedCopy(of: connection, from: version, options)
            version = SchemaMigration.currentVersion
        }
        let migrator = StoreMigrator(connection: connection, options: options)
        let contents = try SchemaCheck.contents(of: connection)
        let row: StoreRow
        let sealer: RowSealer
        var rollback: (closedAt: Int64?, lastUsedAt: Int64)?
        if version == 0, contents.isEmpty {
            // An owner has written here before: what it wrote was in a log that is lost.
            guard !lost.hadOwner || holdsAll else {
                throw SceneStoreError(
                    .corrupt, "the write-ahead log is damaged and can't be read",
                    path: ContainerName.log)
            }
            // Or its first page is that of an earlier moment.
            let size = try translating {
                try container.folder?.status(of: ContainerName.store)?.size
            }
            guard
                connection.role == .memory || holdsAll
                    || (farewell?.epoch ?? 0) == 0 && size ?? 0 <= storePageSize
            else {
                throw SceneStoreError(
                    .corrupt, "the file's first page is that of a new store, which it is not",
                    path: ContainerName.store)
            }
            guard mayCreate || connection.role == .memory else {
                throw SceneStoreError(
                    .missing, "the store is empty: no app has opened it yet",
                    path: ContainerName.store)
            }
            row = try migrator.create()
            sealer = RowSealer(uuid: row.uuid)
        } else {
            if version <= SchemaMigration.currentVersion {
                try SchemaCheck.check(contents, version: version)
            }
            (row, sealer) = try checkedStoreRow(
                connection, version: version, looksAtLaunches: rested == nil)
            if let rested, !row.isSame(as: rested) {
                throw SceneStoreError(
                    .replaced, "another store has replaced the one that was closed while idle",
                    path: ContainerName.store)
            }
            try checkFeatures(row, version: version)
            try migrator.checkApplied(upTo: version, sealer: sealer)
            // An owner does not go on with a store whose log is damaged, cut off or gone; who only looks is
            // told.
            let finding = lost.finding(row)
            if let finding, options.access != .reader {
                throw SceneStoreError(.corrupt, finding.message, path: finding.path)
            }
            diagnostics += [finding, lost.doubt(row)].compactMap { $0 }
            rollback = try self.rollback(row, connection, sealer: sealer, after: farewell)
            // What recovery has put there is told already.
            if rested == nil, replacements.isEmpty, container.isOther(than: row) {
                diagnostics.append(Self.otherStore)
            }
            try migrate(migrator, container, from: version, row: row, sealer: sealer)
        }
        for name in contents.tolerated {
            diagnostics.append(
                Diagnostic(.foreignTable, .note, "another tool's table is in the store: \(name)"))
        }
        let db = Database(
            connection: connection, container: container, store: row, sealer: sealer,
            options: options, recovery: recovery)
        if isSuspect {
            try checkSums(db)
        }
        db.damage.openingDiagnostics = diagnostics
        db.damage.untold = untold
        db.damage.rollback = rollback
        return try db.isReader || rested != nil ? db : marked(db)
    }

    /// Writes the owner's mark; where the file doesn't take it, in memory (L-17).
    private func marked(_ db: Database) throws(SceneStoreError) -> Database {
        do throws(SceneStoreError) {
            try db.markOwner()
            db.container.watch?.noteContent()
            try db.container.checkIndex()
            return db
        } catch  where mayHold && RefusedWrites.isRefusedOpening(error) {
            let memory = try db.inMemory(orThrow: error)
            // The mark that was refused may be in the file all the same.
            memory.refused?.failedOpenings = 1
            memory.refused?.lateWrites = 0
            try memory.markOwner()
            return memory
        }
    }

    /// The store's own row, whole and no older than the launches. Both are read at one moment: while
    /// a reader looks, another process launches.
    private func checkedStoreRow(
        _ connection: Connection, version: Int, looksAtLaunches: Bool
    ) throws(SceneStoreError) -> (StoreRow, RowSealer) {
        try connection.readingAtOnce { () throws(SceneStoreError) in
            let isNewer = version > SchemaMigration.currentVersion
            let row: StoreRow
            do throws(SceneStoreError) {
                row = try Database.storeRow(connection)
            } catch  where isNewer && error.code == .schemaTampered {
                // The columns of this table are promised; without them the version is not ours.
                throw Self.newerSchema("has another form")
            }
            let sealer = RowSealer(uuid: row.uuid)
            guard row.isWhole(sealer), row.isPlausible else {
                throw Database.damagedStoreRow
            }
            // No older file has a launch that its own row doesn't know of: this is a page that went back,
            // and the next launch could not be noted.
            if looksAtLaunches, version == SchemaMigration.currentVersion,
                let last = try connection.uncheckedRows(
                    Queries.launches, binding(row.containerEpoch, 1 as Int64))?.first,
                last.isWhole(sealer), last.number > row.launchNumber
            {
                throw SceneStoreError(
                    .corrupt, "the store's own row is older than its launches",
                    path: ContainerName.store)
            }
            return (row, sealer)
        }
    }

    /// What a newer version lets this one do (S-05).
    private mutating func checkFeatures(_ row: StoreRow, version: Int) throws(SceneStoreError) {
        guard !options.lenience.contains(.newer) || options.access != .reader else {
            return
        }
        let isNewer = version > SchemaMigration.currentVersion
        let known = StoreVersion.knownFeatures
        if row.featuresRequired & ~known != 0 {
            throw Self.newerSchema("needs features that this version does not have")
        }
        if row.featuresReadOnly & ~known != 0 {
            guard options.access == .reader else {
                throw Self.newerSchema("can only be read by this version")
            }
        } else if isNewer, row.featuresIgnorable & ~known == 0 {
            throw Self.newerSchema("does not say what may be ignored in it")
        }
        if isNewer || row.featuresIgnorable & ~known != 0 {
            diagnostics.append(
                Diagnostic(
                    .newerFeatures, .note,
                    "a newer version wrote the store; its additions are left unchanged"))
        }
    }

    private static func newerSchema(_ what: String) -> SceneStoreError {
        SceneStoreError(
            .newerSchema, "a newer version wrote the store: it \(what); update this one")
    }

    private func migrate(
        _ migrator: StoreMigrator, _ container: OpenContainer, from version: Int, row: StoreRow,
        sealer: RowSealer
    ) throws(SceneStoreError) {
        guard version < SchemaMigration.currentVersion else {
            return
        }
        guard options.access != .reader else {
            throw SceneStoreError(
                .olderSchema,
                "an older version wrote the store; the app migrates it, or scenestore doctor --fix")
        }
        if row.generation > 0, let folder = container.folder {
            if let backup = options.beforeMigration {
                try backup(folder.path, version)
            } else {
                try recovery.backUpBeforeMigration(folder.path, version: version)
            }
        }
        try migrator.migrate(from: version, sealer: sealer)
    }

    // MARK: - What an opening says of files, and a look at those that an earlier owner found damaged

    /// What earlier processes recovered, and told no app: only the app is told.
    mutating func note(_ exchanges: [UntoldExchange]) {
        guard options.access == .owner else {
            return
        }
        for exchange in exchanges where untold.insert(exchange.name).inserted {
            diagnostics += exchange.findings
            replacements += exchange.findings
        }
    }

    mutating func note(_ warnings: Set<StoreFile.Warning>) {
        for warning in StoreFile.Warning.allCases where warnings.contains(warning) {
            let finding =
                switch warning {
                case .hardLink:
                    Diagnostic(
                        .secondLink, .warning, "the store's file has a second name",
                        path: ContainerName.store, fix: "remove it once the backup is made")
                case .permissionsTightened:
                    Diagnostic(
                        .permissionsTightened, .note,
                        "other users could read the store; its permissions were corrected",
                        path: ContainerName.store)
                case .replaceable:
                    Diagnostic(
                        .replaceableContainer, .warning,
                        "every user can put another folder in the container's place",
                        fix: "on the folder above the container, remove others' write permission "
                            + "or set the sticky bit")
                case .shared:
                    Diagnostic(
                        .sharedContainer, .warning,
                        "the container's folder has other files and is open to other users; its"
                            + " permissions stay as they are",
                        fix: "give the container a folder of its own")
                }
            diagnostics.append(finding)
        }
    }

    /// An earlier owner came upon damaged pages: what it could not read or write would be missing
    /// in every launch to come (S-11). Only then is a file looked through before it is opened.
    func checkPages(_ connection: Connection) throws(SceneStoreError) {
        let report = try translating { try connection.check(budget: Budget()) }
        guard report.problems.isEmpty else {
            throw SceneStoreError(
                .corrupt, "pages of the store are damaged", path: ContainerName.store)
        }
    }

    /// The same of the rows: a page whose last write was lost is a whole page.
    func checkSums(_ db: Database) throws(SceneStoreError) {
        _ = try db.verifyRows(until: nil)
        guard !db.damage.isShrunk else {
            throw SceneStoreError(
                .corrupt, "rows of the store are missing or older than recorded",
                path: ContainerName.store)
        }
        db.damage = DamageNotes()
    }
}

extension Connection.Options {
    /// Of a file that is refused if it is not a store.
    package static func store(_ role: Connection.Role) -> Self {
        var options = Self(role)
        options.applicationID = SchemaMigration.applicationID
        return options
    }
}
