import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// What takes a damaged store's place, and putting it there (S-15).
extension FileReplacement {
    /// Sets a log aside that is not the store's own; answers what is to be told.
    fileprivate func keepLog(_ cause: SceneStoreError) throws(SceneStoreError) -> Diagnostic {
        let time = options.clock()
        let name = try SetAside(folder: folder, time: time).keepLog(
            cause.path ?? ContainerName.log, reason: "foreign",
            ledger: ["cause": .string(Diagnostic.Code.foreignLog.rawValue), "time": .integer(time)])
        return Diagnostic(
            .foreignLog, .error, "\(cause.message); it is set aside",
            path: "\(ContainerName.quarantine)/\(name)",
            fix: "find out which program copies files into the container")
    }

    /// What makes the new store, after one whose erasure may not be finished.
    package func maker(after last: LastRow? = nil) -> StoreMaker {
        StoreMaker(
            options: options, ownerEpoch: ownerEpoch, owedGeneration: owedGeneration,
            isErasing: last?.isErasing ?? false)
    }

    /// Whether an error of opening says that the store is damaged, and the options that something
    /// is to be done about it.
    ///
    /// A file that no longer looks like a store counts as damaged when rows of ours, proved by
    /// their checksums, still lie in it, or where nobody looks for rows, when it is no database at
    /// all; a foreign database is never touched (S-10).
    package func isNeeded(after error: SceneStoreError) -> Bool {
        guard options.access == .owner, options.corruption != .fail else {
            return false
        }
        return [.corrupt, .orphanedWAL].contains(error.code)
            || (error.code == .notAStore && error.path ?? ContainerName.store == ContainerName.store
                && isOurs)
    }

    private var isOurs: Bool {
        guard ownerEpoch > 0 else {
            return false
        }
        guard let salvager = options.corruption.salvager else {
            let start = (try? RawFile(path: folder.storePath))?.bytes(16, at: 0)
            return start.map { !$0.elementsEqual(StoreHeader.magic) } ?? false
        }
        return salvager.provesRows(in: folder)
    }

    /// What the damaged store's own row says, as far as that can be read.
    private var lastRow: LastRow? {
        options.corruption.salvager?.lastRow(in: folder)
            ?? (StoreBackup.storeRow(of: folder) ?? StoreBackup.storeRow(folder.storePath)).map {
                ($0.generation, $0.openCount, $0.erasurePending)
            }
    }

    /// What a new store is made of.
    package enum Source {
        case salvage(any SalvagedStore)
        /// The newest backup that is whole.
        case backup(String)
        case nothing
    }

    /// Whether not even a log of the store is left.
    private func isGone() throws(SceneStoreError) -> Bool {
        try translating {
            try folder.status(of: ContainerName.store) == nil
                && folder.status(of: ContainerName.log) == nil
        }
    }

    /// Sets the store aside and puts another one in its place; answers what is to be said where
    /// nothing could be set aside.
    package func recover(from cause: SceneStoreError) throws(SceneStoreError) -> [Diagnostic] {
        let source = try source()
        let isGone = try isGone()
        let draft: UInt64? = if case .salvage(let found) = source { found.draftKey } else { nil }
        return try set(aside: "corrupt", cause, draft: draft) {
            (path, name) throws(SceneStoreError) in
            var new = try build(source, at: path)
            new.isOfNothing = isGone
            return (new, diagnostics(name, new))
        }
    }

    /// Sets the store aside and puts one of all that an owner has in memory in its place. It is whole
    /// before it stands there: a process that dies then loses nothing.
    func write(
        _ memory: Database, after cause: SceneStoreError, isDeleted: Bool
    ) throws(SceneStoreError) -> [Diagnostic] {
        try set(aside: isDeleted ? "orphaned" : "corrupt", cause) {
            (path, name) throws(SceneStoreError) in
            try StoreBackup.copy(memory.connection, to: path, WorkTeller())
            let new = Made(source: "what is in memory")
            guard isDeleted else {
                return (new, diagnostics(name, new))
            }
            let deleted = Diagnostic(
                .storeSetAside, .error,
                "the store's file was deleted while the app ran; it is written anew, and the log that"
                    + " was left is set aside",
                path: "\(ContainerName.quarantine)/\(name).sqlite-wal",
                fix: "nothing is lost; find out what deletes files of the container")
            return (new, [deleted])
        }
    }

    /// Finds what can take the damaged store's place, as the policy says.
    package func source() throws(SceneStoreError) -> Source {
        guard options.corruption != .startEmpty else {
            return .nothing
        }
        let found = try isGone() ? nil : options.corruption.salvager?.salvage(self)
        // A backup may have more than a log whose file is gone.
        if let found, found.lostSessions == 0 { return .salvage(found) }
        let backup = try wholeBackup()
        if let found, found.openSessions >= backup?.contents.openSessions ?? 0 {
            return .salvage(found)
        }
        return backup.map { .backup($0.path) } ?? .nothing
    }

    package func build(_ source: Source, at path: String) throws(SceneStoreError) -> Made {
        switch source {
        case .salvage(let found): return try found.build(at: path)
        case .backup(let backup): return try restore(backup, to: path)
        case .nothing: return try beginAnew(at: path)
        }
    }

    /// Sets the store aside; answers what is to be told now, because no ledger tells it.
    private func set(
        aside reason: String, _ cause: SceneStoreError, draft: UInt64? = nil,
        _ build: (_ path: String, _ name: String) throws(SceneStoreError) -> (Made, [Diagnostic])
    ) throws(SceneStoreError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        let name = try SetAside(folder: folder, time: options.clock()).replace(
            reason: reason, draft: draft, mustTell: true
        ) { (path, name) throws(SceneStoreError) in
            let (new, found) = try build(path, name)
            findings = found
            return [
                "cause": .string(cause.code.rawValue),
                "commitsLost": .integer(Int64(new.commitsLost)),
                SetAside.diagnostics: .array(found.map(\.json)), "message": .string(cause.message),
                "newStore": .string(new.source), "report": new.report,
                "time": .integer(options.clock()),
            ]
        }
        return name == nil ? findings : []
    }

    private func diagnostics(_ name: String, _ new: Made) -> [Diagnostic] {
        let place =
            new.isOfNothing
            ? ContainerName.store : "\(ContainerName.quarantine)/\(name).sqlite"
        var found = [
            Diagnostic(
                .storeSetAside, .error,
                new.isOfNothing
                    ? "the store's file was missing; the new one holds \(new.source)"
                    : "the store was damaged and set aside; the new one holds \(new.source)",
                path: place,
                fix: new.isOfNothing
                    ? "if the file is elsewhere, put it back while no app runs"
                    : "see the ledger next to it; scenestore salvage reads it again")
        ]
        if new.commitsLost > 0 {
            let count = new.commitsLost
            // A salvage knows of the durable ones alone.
            var which = " that " + (count == 1 ? "was" : "were") + " durable"
            if case .null = new.report {
                which = ""
            }
            found.append(
                Diagnostic(
                    .lostCommits, .error,
                    (count == 1 ? "1 commit" : "\(count) commits") + which
                        + " could not be brought back", path: place))
        }
        return found + new.findings
    }

    /// A salvage gives a store another identity, so a backup from before is not known from another
    /// store's.
    fileprivate static let otherBackup = Diagnostic(
        .otherStore, .warning,
        "the backup is not of the store that was open here last: it is of another one, or from "
            + "before a repair", path: ContainerName.backups,
        fix: "if its windows are another store's, restore another backup")

    /// So many open sessions are lost of which no name is known.
    package static func lostUnnamed(_ count: Int) -> [Diagnostic] {
        count <= 0
            ? []
            : [Diagnostic(.lostSessions, .error, "\(count) open sessions are lost unnamed")]
    }

    // MARK: - Sources

    /// A store that holds nothing: all that was open is lost.
    private func beginAnew(at path: String) throws(SceneStoreError) -> Made {
        let last = lastRow
        let open = Int(clamping: max(last?.openCount ?? 0, 0))
        let commits = max(last?.generation ?? 0, owedGeneration, 0)
        try maker(after: last).buildEmpty(at: path, losing: open, commits: commits)
        return Made(
            source: "nothing", findings: Self.lostUnnamed(open), commitsLost: Int(clamping: commits)
        )
    }

    /// Puts the newest whole copy that is newer than the store in its place; where there is none,
    /// the older store is accepted.
    func replaceRolledBack(_ cause: SceneStoreError) throws(SceneStoreError) -> [Diagnostic] {
        let found = Diagnostic(.rolledBack, .warning, cause.message, path: ContainerName.store)
        guard let source = try newerCopy() else {
            return [found]
        }
        return try set(aside: "rolled-back", cause) { (path, name) throws(SceneStoreError) in
            try BackupReader(path: source, options: options).copy(to: path)
            try maker().adopt(path, note: "a newer copy in the place of an older file")
            let replaced = Diagnostic(
                .storeSetAside, .warning,
                "the older store was set aside; a newer copy takes its place",
                path: "\(ContainerName.quarantine)/\(name).sqlite")
            return (Made(source: "a newer copy"), [found, replaced])
        }
    }

    /// The path of the newest copy that is whole and newer than the store.
    private func newerCopy() throws(SceneStoreError) -> String? {
        let last = StoreBackup.storeRow(folder.storePath)
        let generation = last?.generation ?? 0
        var newest: (path: String, generation: Int64)?
        for path in try StoreBackup.all(in: folder) + StoreBackup.setAside(in: folder) {
            let db = BackupReader(path: path, options: options)
            guard let contents = try? db.check(), contents.uuid == last?.uuid,
                contents.generation > newest?.generation ?? generation
            else {
                continue
            }
            newest = (path, contents.generation)
        }
        return newest?.path
    }

    /// The newest backup that is whole; nil when there is none. One of the store that the lock names
    /// comes before any other one.
    private func wholeBackup() throws(SceneStoreError) -> (
        path: String, contents: BackupReader.Contents
    )? {
        let all = try StoreBackup.all(in: folder)
        for path in all.filter({ !isOthers($0) }) + all.filter(isOthers) {
            if let contents = try? BackupReader(path: path, options: options).check() {
                return (path, contents)
            }
        }
        return nil
    }

    /// Whether a backup is of another store than the lock names.
    fileprivate func isOthers(_ backup: String) -> Bool {
        let uuid = StoreBackup.storeRow(backup)?.uuid
        return uuid.flatMap { try? ForeignLogCheck.isOther($0, than: folder) } ?? false
    }

    private func restore(_ backup: String, to path: String) throws(SceneStoreError) -> Made {
        let last = lastRow
        try BackupReader(path: backup, options: options).copy(to: path)
        let lost = try maker(after: last).adopt(
            path, note: "restored from a backup", after: max(last?.generation ?? 0, owedGeneration))
        var new = Made(source: "the newest backup", commitsLost: Int(clamping: lost))
        if isOthers(backup) {
            new.findings = [Self.otherBackup]
        }
        return new
    }
}

extension Diagnostic.Code {
    /// The store was damaged: it was set aside, and a new one has its place.
    public static let storeSetAside = Self("storeSetAside")
}

extension StoreEvent.Kind {
    /// The store was rebuilt by a salvage, a restore or an import; for a session, its outcome.
    package static let salvage = Self(rawValue: "salvage")
    /// Durable commits were lost when the store was rebuilt.
    package static let lostCommits = Self(rawValue: "lostCommits")
}

/// What opening a store asks of this.
extension FileRecovery {
    package func finishInterrupted(
        _ folder: ContainerFolder
    ) throws(SceneStoreError) -> [UntoldExchange] {
        try SetAside.finishInterrupted(folder)
    }

    package func recover(
        _ folder: ContainerFolder, opening: OpeningLock, options: SceneSessionStore.Options,
        from error: SceneStoreError, memory: Database?
    ) throws(SceneStoreError) -> [Diagnostic]? {
        let recovery = FileReplacement(
            folder: folder, options: options, ownerEpoch: opening.epoch,
            owedGeneration: max(opening.owedGeneration, opening.found.closing?.generation ?? 0),
            restoring: opening.found.restoring)
        if error.code == .rolledBack {
            return options.rollback == .salvageNewer
                ? try recovery.replaceRolledBack(error) : nil
        }
        let store = try translating { try folder.status(of: ContainerName.store) }
        // What is in a log whose file was deleted is in memory, too, whatever the policy says.
        let isDeleted = error.code == .orphanedWAL && store == nil && memory != nil
        guard isDeleted || recovery.isNeeded(after: error) else {
            return nil
        }
        if error.code == .orphanedWAL, store != nil {
            return [try recovery.keepLog(error)]
        }
        guard let memory else {
            return try recovery.recover(from: error)
        }
        return try recovery.write(memory, after: error, isDeleted: isDeleted)
    }

    package func place(_ memory: Database, in folder: ContainerFolder) throws(SceneStoreError) {
        try translating("writing the store") {
            let file = try AtomicFile(in: folder, name: ContainerName.store)
            try StoreBackup.copy(memory.connection, to: file.temporaryPath, WorkTeller())
            try file.commit()
        }
    }

    package func readInMemory(
        _ folder: ContainerFolder, options: SceneSessionStore.Options, mayBeBackup: Bool
    ) throws(SceneStoreError) -> (db: Database, found: [Diagnostic])? {
        let recovery = FileReplacement(
            folder: folder, options: options, ownerEpoch: 0,
            restoring: OpenContainer(reading: folder).restoring)
        guard mayBeBackup else {
            return try options.corruption.salvager?.salvage(recovery)?.inMemory()
        }
        switch try recovery.source() {
        case .salvage(let found): return try found.inMemory()
        case .backup(let path):
            return (
                try BackupReader(path: path, options: options).open(),
                recovery.isOthers(path) ? [FileReplacement.otherBackup] : []
            )
        case .nothing: return nil
        }
    }

    package func keepEvidence(
        of connection: Connection, in folder: ContainerFolder, time: Int64
    ) throws(SceneStoreError) -> String {
        try SetAside(folder: folder, time: time).keepCopy(
            of: connection, reason: "digest",
            ledger: ["cause": "digest", "time": .integer(time)]
        )
    }

    package func backUpBeforeMigration(_ directory: String, version: Int) throws(SceneStoreError) {
        try translating("making a backup before the migration") {
            let folder = try ContainerFolder.open(directory, access: .owner)
            var settings = Connection.Options.store(.reader)
            settings.identity = try folder.status(of: ContainerName.store)?.identity
            let connection = try Connection(path: folder.storePath, options: settings)
            _ = try StoreBackup.make(
                of: connection, in: folder,
                named: "schema-\(String(version, digits: 4)).sqlite", kind: "schema-",
                replacing: true)
            try connection.close()
        }
    }
}
