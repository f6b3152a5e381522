import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// Replaces a damaged store, or one whose file is lost, by what can be had of it (S-15). The caller
/// owns the container, and no connection has the file open.
package struct StoreRecovery {
    package let folder: ContainerFolder
    package let options: SceneSessionStore.Options
    /// The epoch that the lock file names.
    package let ownerEpoch: Int64
    /// The generation that the lock file names: a store of a lower one counts as cut short.
    package var owedGeneration: Int64 = 0
    /// The session that the last owner wrote down as being restored.
    package var restoring: OwnerLock.Restoring?
    /// Whether the log beside the store is not its own, and nothing of it is read.
    var ignoresLog = false

    /// How many rows the new store gets in one commit.
    private let rowsPerCommit: Int

    package init(
        folder: ContainerFolder, options: SceneSessionStore.Options, ownerEpoch: Int64,
        owedGeneration: Int64 = 0, restoring: OwnerLock.Restoring? = nil,
        rowsPerCommit: Int = StoreRebuilder.standardRowsPerCommit
    ) {
        self.folder = folder
        self.options = options
        self.ownerEpoch = ownerEpoch
        self.owedGeneration = owedGeneration
        self.restoring = restoring
        self.rowsPerCommit = rowsPerCommit
    }

    /// What opening a store asks of this.
    package struct Service: StoreRecovering {
        package func finishInterrupted(
            _ folder: ContainerFolder
        ) throws(SceneStoreError) -> [UntoldExchange] {
            try SetAside.finishInterrupted(folder)
        }

        package func forget(
            untold names: Set<String>, in folder: ContainerFolder
        ) throws(SceneStoreError) {
            try SetAside.forget(untold: names, in: folder)
        }

        package func recover(
            _ folder: ContainerFolder, held: HeldLock, options: SceneSessionStore.Options,
            from error: SceneStoreError, memory: StoreCore?
        ) throws(SceneStoreError) -> [Diagnostic]? {
            let recovery = StoreRecovery(
                folder: folder, options: options, ownerEpoch: held.epoch,
                owedGeneration: max(held.owedGeneration, held.closing?.generation ?? 0),
                restoring: held.restoring, rowsPerCommit: rowsPerCommit)
            if error.code == .rolledBack {
                return options.rollback == .salvageNewer
                    ? try recovery.replaceRolledBack(error) : nil
            }
            guard recovery.isNeeded(after: error) else {
                return nil
            }
            let store = try translating { try folder.status(of: ContainerName.store) }
            if error.code == .orphanedWAL, store != nil {
                return [try recovery.keepLog("foreign", error)]
            }
            guard let memory else {
                return try recovery.recover(from: error)
            }
            return try recovery.write(memory, after: error)
        }

        package func place(
            _ memory: StoreCore, in folder: ContainerFolder
        ) throws(SceneStoreError) {
            try translating("writing the store") {
                let file = try AtomicFile(in: folder, name: ContainerName.store)
                try StoreBackup.copy(memory.connection, to: file.temporaryPath, WorkTeller())
                try file.commit()
            }
        }

        package func salvageInMemory(
            _ folder: ContainerFolder, options: SceneSessionStore.Options
        ) throws(SceneStoreError) -> (core: StoreCore, found: [Diagnostic])? {
            switch options.corruption {
            case .salvage, .restoreBackup:
                return try StoreRecovery(
                    folder: folder, options: options, ownerEpoch: 0,
                    restoring: OpenContainer(folder: folder, copy: nil).restoring
                )
                .salvageInMemory()
            case .startEmpty, .fail: return nil
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

        package func keepOrphanedLog(
            in folder: ContainerFolder, time: Int64
        ) throws(SceneStoreError) -> Diagnostic {
            let cause = SceneStoreError.Code.orphanedWAL.rawValue
            let name = try SetAside(folder: folder, time: time).keepLog(
                reason: "orphaned", ledger: ["cause": .string(cause), "time": .integer(time)])
            return Diagnostic(
                .storeSetAside, .error,
                "the store's file was deleted while the app ran; it is written anew, and the log that"
                    + " was left is set aside",
                path: "\(ContainerName.quarantine)/\(name)",
                fix: "nothing is lost; find out what deletes files of the container")
        }

        package func backUpBeforeMigration(
            _ directory: String, version: Int
        ) throws(SceneStoreError) {
            try StoreBackup.makeBeforeMigration(directory, version: version)
        }

        private let rowsPerCommit: Int

        package init(rowsPerCommit: Int = StoreRebuilder.standardRowsPerCommit) {
            self.rowsPerCommit = rowsPerCommit
        }
    }

    /// Sets a log aside that is not the store's own; answers what is to be told.
    private func keepLog(
        _ reason: String, _ cause: SceneStoreError
    ) throws(SceneStoreError) -> Diagnostic {
        let time = options.clock()
        let name = try SetAside(folder: folder, time: time).keepLog(
            reason: reason,
            ledger: ["cause": .string(Diagnostic.Code.foreignLog.rawValue), "time": .integer(time)])
        return Diagnostic(
            .foreignLog, .error, "\(cause.message); the log is set aside",
            path: "\(ContainerName.quarantine)/\(name)",
            fix: "find out which program copies files into the container")
    }

    /// What writes the new store.
    package var rebuilder: StoreRebuilder {
        StoreRebuilder(
            options: options, ownerEpoch: ownerEpoch, owedGeneration: owedGeneration,
            rowsPerCommit: rowsPerCommit)
    }

    /// Whether an error of opening says that the store is damaged, and the options that something
    /// is to be done about it.
    ///
    /// A file that no longer looks like a store counts as damaged when rows of ours, proved by
    /// their checksums, still lie in it; a foreign file is never touched (S-10).
    func isNeeded(after error: SceneStoreError) -> Bool {
        guard options.access == .owner, options.corruption != .fail else {
            return false
        }
        return [.corrupt, .orphanedWAL].contains(error.code)
            || (error.code == .notAStore && isOurs)
    }

    /// More than this is not read through before a window opens.
    private static let lookLimit: Int64 = 256 << 20

    private var isOurs: Bool {
        guard ownerEpoch > 0, let carver = carver(log: nil) else {
            return false
        }
        if (try? carver.firstStoreRow()) != nil {
            return true
        }
        return (try? carver.identitiesInJournal())?.isEmpty == false
    }

    private func carver(log: RawFile?) -> Carver? {
        guard let file = try? RawFile(path: folder.storePath), file.size > 0,
            file.size <= Self.lookLimit
        else {
            return nil
        }
        return Carver(PageImage(main: file, log: log), source: 0)
    }

    /// The newest store's row that proves itself in the damaged file or its log.
    private var lastRow: CarvedRow? {
        let log = try? RawFile(path: "\(folder.path)/\(ContainerName.log)")
        return try? carver(log: log.flatMap { $0.size <= Self.lookLimit ? $0 : nil })?
            .storeRows().first
    }

    /// What a new store is made of.
    enum Source {
        case salvage(SalvageInput, Salvage)
        /// The newest backup that is whole.
        case backup(String)
        case nothing
    }

    /// Whether not even a log of the store is left.
    private var isGone: Bool {
        [ContainerName.store, ContainerName.log].allSatisfy {
            (try? folder.status(of: $0)) == .some(nil)
        }
    }

    /// What took the place of a damaged store.
    struct Replacement {
        var source: String
        /// Whether there was nothing left to be set aside.
        var isOfNothing = false
        /// What could be read; nil when nothing of the damaged store was used.
        var report: SalvageReport?
        /// Commits of the damaged store that it lacks.
        var commitsLost = 0
        /// Open sessions of the damaged store that it lacks, of which no name is known.
        var sessionsLost = 0
    }

    /// Sets the store aside and puts another one in its place; answers what is to be said where
    /// nothing could be set aside.
    package func recover(from cause: SceneStoreError) throws(SceneStoreError) -> [Diagnostic] {
        let source = try source()
        let isGone = isGone
        var draft: UInt64?
        if case .salvage(_, let salvage) = source {
            draft = rebuilder.draftKey(of: salvage)
        }
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
        _ memory: StoreCore, after cause: SceneStoreError
    ) throws(SceneStoreError) -> [Diagnostic] {
        try set(aside: "corrupt", cause) { (path, name) throws(SceneStoreError) in
            try StoreBackup.copy(memory.connection, to: path, WorkTeller())
            let new = Replacement(source: "what is in memory")
            return (new, diagnostics(name, new))
        }
    }

    /// Finds what can take the damaged store's place, as the policy says.
    func source() throws(SceneStoreError) -> Source {
        switch options.corruption {
        case .salvage, .fail:
            let found = try salvage()
            // A backup may have more than a log whose file is gone.
            let lost = found?.1.report.counts[.lost] ?? 0
            if let (input, salvage) = found, lost == 0 { return .salvage(input, salvage) }
            let backup = try wholeBackup()
            if let (input, salvage) = found,
                salvage.report.openSessions >= backup?.contents.openSessions ?? 0
            {
                return .salvage(input, salvage)
            }
            if let backup { return .backup(backup.path) }
        case .restoreBackup:
            if let backup = try wholeBackup() { return .backup(backup.path) }
            if let (input, salvage) = try salvage() { return .salvage(input, salvage) }
        case .startEmpty: break
        }
        return .nothing
    }

    func build(_ source: Source, at path: String) throws(SceneStoreError) -> Replacement {
        switch source {
        case .salvage(let input, let salvage):
            let report = try build(input, salvage, at: path)
            return Replacement(
                source: "what could be read", report: report, commitsLost: report.commitsLost)
        case .backup(let backup): return try restore(backup, to: path)
        case .nothing: return try beginAnew(at: path)
        }
    }

    /// Sets the store aside; answers what is to be told now, because no ledger tells it.
    private func set(
        aside reason: String, _ cause: SceneStoreError, draft: UInt64? = nil,
        _ build: (_ path: String, _ name: String) throws(SceneStoreError) -> (
            Replacement, [Diagnostic]
        )
    ) throws(SceneStoreError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        let name = try SetAside(folder: folder, time: options.clock()).replace(
            reason: reason, draft: draft, mustTell: true
        ) { (path, name) throws(SceneStoreError) in
            let (new, found) = try build(path, name)
            findings = found
            return ledger(cause, new, found)
        }
        return name == nil ? findings : []
    }

    private func ledger(
        _ cause: SceneStoreError, _ new: Replacement, _ findings: [Diagnostic]
    ) -> CanonicalJSON {
        [
            "cause": .string(cause.code.rawValue),
            "commitsLost": .integer(Int64(new.commitsLost)),
            SetAside.diagnostics: .array(findings.map(\.json)), "message": .string(cause.message),
            "newStore": .string(new.source), "report": new.report?.json ?? .null,
            "time": .integer(options.clock()),
        ]
    }

    private func diagnostics(_ name: String, _ new: Replacement) -> [Diagnostic] {
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
            let which =
                new.report == nil ? "" : " that " + (count == 1 ? "was" : "were") + " durable"
            found.append(
                Diagnostic(
                    .lostCommits, .error,
                    (count == 1 ? "1 commit" : "\(count) commits") + which
                        + " could not be brought back", path: place))
        }
        guard let report = new.report else {
            return found + lostUnnamed(new.sessionsLost)
        }
        return found + imperfect(report)
    }

    /// What a salvage could not bring back as it was: twenty sessions by name.
    private func imperfect(_ report: SalvageReport) -> [Diagnostic] {
        var found: [Diagnostic] = []
        for entry in report.entries where entry.outcome.isImperfect {
            guard found.count < 20 else {
                break
            }
            found.append(
                Diagnostic(
                    entry.outcome == .lost ? .lostSessions : .salvagedSession, .error,
                    "\(entry.outcome.rawValue): \(entry.reason)",
                    sessionIdentifier: entry.sessionIdentifier))
        }
        let unnamed = (report.counts[.lost] ?? 0) - report.entries.count { $0.outcome == .lost }
        return found + lostUnnamed(unnamed)
    }

    private func lostUnnamed(_ count: Int) -> [Diagnostic] {
        count <= 0
            ? []
            : [Diagnostic(.lostSessions, .error, "\(count) open sessions are lost unnamed")]
    }

    // MARK: - Sources

    /// Builds a store of what was read, in an empty file or a draft of it.
    package func build(
        _ input: SalvageInput, _ salvage: Salvage, at path: String
    ) throws(SceneStoreError) -> SalvageReport {
        let report = try rebuilder.build(salvage, at: path)
        try input.checkReadable()
        return report
    }

    /// Whether what can be read is not all that there was.
    func isDamaged() throws(SceneStoreError) -> Bool {
        try salvage().map { !$0.1.report.isComplete } ?? true
    }

    /// Reads what can be read into a store in memory; nil when no row can be proved.
    func salvageInMemory() throws(SceneStoreError) -> (core: StoreCore, found: [Diagnostic])? {
        guard let (input, salvage) = try salvage() else {
            return nil
        }
        let (core, _) = try rebuilder.build(salvage)
        core.damage.lostStates = salvage.lostStates
        do throws(SceneStoreError) {
            try input.checkReadable()
        } catch {
            core.abandon()
            throw error
        }
        return (core, imperfect(salvage.report))
    }

    /// What can be read of the store and its backups; nil when no row can be proved.
    package func salvage() throws(SceneStoreError) -> (SalvageInput, Salvage)? {
        guard !isGone else {
            return nil
        }
        let backups = try StoreBackup.all(in: folder).prefix(StoreBackup.capacity)
        var input = try SalvageInput(
            SalvageInput.File(
                path: folder.storePath,
                logPath: ignoresLog ? nil : "\(folder.path)/\(ContainerName.log)"),
            backups: backups.map { SalvageInput.File(path: $0, logPath: nil, isBackup: true) },
            progress: WorkTeller(observer: options.workObserver).numbers(
                WorkProgress("carving", .pages, total: 0)))
        input.restoring = restoring
        let salvage = Salvage(input)
        try input.checkReadable()
        return salvage.map { (input, $0) }
    }

    /// A store that holds nothing: all that was open is lost.
    private func beginAnew(at path: String) throws(SceneStoreError) -> Replacement {
        let last = lastRow
        let open = Int(clamping: max(last?.number("open_count") ?? 0, 0))
        let commits = max(last?.number("generation") ?? 0, owedGeneration, 0)
        try rebuilder.buildEmpty(at: path, losing: open, commits: commits)
        return Replacement(
            source: "nothing", commitsLost: Int(clamping: commits), sessionsLost: open)
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
            try rebuilder.adopt(path, note: "a newer copy in the place of an older file")
            let replaced = Diagnostic(
                .storeSetAside, .warning,
                "the older store was set aside; a newer copy takes its place",
                path: "\(ContainerName.quarantine)/\(name).sqlite")
            return (Replacement(source: "a newer copy"), [found, replaced])
        }
    }

    /// The path of the newest copy that is whole and newer than the store.
    private func newerCopy() throws(SceneStoreError) -> String? {
        let last = lastRow
        let generation = last?.number("generation") ?? 0
        var newest: (path: String, generation: Int64)?
        for path in try StoreBackup.all(in: folder) + StoreBackup.setAside(in: folder) {
            let reader = BackupReader(path: path, options: options)
            guard let contents = try? reader.check(), contents.uuid == last?["uuid"].blob,
                contents.generation > newest?.generation ?? generation
            else {
                continue
            }
            newest = (path, contents.generation)
        }
        return newest?.path
    }

    /// The newest backup that is whole; nil when there is none.
    private func wholeBackup() throws(SceneStoreError) -> (
        path: String, contents: BackupReader.Contents
    )? {
        for path in try StoreBackup.all(in: folder) {
            if let contents = try? BackupReader(path: path, options: options).check() {
                return (path, contents)
            }
        }
        return nil
    }

    private func restore(
        _ backup: String, to path: String
    ) throws(SceneStoreError) -> Replacement {
        let last = max(lastRow?.number("generation") ?? 0, owedGeneration)
        try BackupReader(path: backup, options: options).copy(to: path)
        let lost = try rebuilder.adopt(path, note: "restored from a backup", after: last)
        return Replacement(source: "the newest backup", commitsLost: Int(clamping: lost))
    }
}

extension Diagnostic.Code {
    /// The store was damaged: it was set aside, and a new one has its place.
    public static let storeSetAside = Self("storeSetAside")
    /// A session came back from a damaged store, and not quite as it was.
    public static let salvagedSession = Self("salvagedSession")
}
