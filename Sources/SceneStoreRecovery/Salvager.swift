import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

extension SceneSessionStore.CorruptionPolicy {
    /// Everything readable is salvaged into a new store, with the help of the backups (S-11).
    ///
    /// Where more open sessions are lost than the newest sound backup lacks, the backup takes the
    /// store's place. An app that imports the module `SceneStoreRecovery` for this policy links what
    /// reads damaged files.
    public static var salvage: Self { Self(salvager: Salvager()) }
}

/// Reads damaged stores, page by page.
package struct Salvager: Salvaging {
    /// How many rows the new store gets in one commit.
    private let rowsPerCommit: Int

    package init(rowsPerCommit: Int = StoreRebuilder.standardRowsPerCommit) {
        self.rowsPerCommit = rowsPerCommit
    }

    /// More than this is not read through before a window opens.
    private static let lookLimit: Int64 = 256 << 20

    package func provesRows(in folder: ContainerFolder) -> Bool {
        guard let carver = carver(folder, log: nil) else {
            return false
        }
        if (try? carver.firstStoreRow()) != nil {
            return true
        }
        return (try? carver.identitiesInJournal())?.isEmpty == false
    }

    package func lastRow(in folder: ContainerFolder) -> LastRow? {
        let log = try? RawFile(path: "\(folder.path)/\(ContainerName.log)")
        let rows = try? carver(folder, log: log.flatMap { $0.size <= Self.lookLimit ? $0 : nil })?
            .storeRows()
        return rows?.first.map {
            ($0.number("generation"), $0.number("open_count"), $0.number("erasure_pending") == 1)
        }
    }

    private func carver(_ folder: ContainerFolder, log: RawFile?) -> Carver? {
        guard let file = try? RawFile(path: folder.storePath), file.size > 0,
            file.size <= Self.lookLimit
        else {
            return nil
        }
        return Carver(PageImage(main: file, log: log), source: 0)
    }

    package func salvage(
        _ recovery: FileReplacement
    ) throws(SceneStoreError) -> (any SalvagedStore)? {
        try read(recovery)
    }

    /// What can be read of a damaged store and its backups; nil when no row can be proved.
    package func read(_ recovery: FileReplacement) throws(SceneStoreError) -> ReadStore? {
        let folder = recovery.folder
        let backups = try StoreBackup.all(in: folder).prefix(StoreBackup.capacity)
        var input = try SalvageInput(
            SalvageInput.File(
                path: folder.storePath,
                logPath: recovery.ignoresLog ? nil : "\(folder.path)/\(ContainerName.log)"),
            backups: backups.map { SalvageInput.File(path: $0) },
            progress: WorkTeller(observer: recovery.options.workObserver).numbers(
                WorkProgress("carving", .pages, total: 0)))
        input.restoring = recovery.restoring
        let salvage = Salvage(input)
        try input.checkReadable()
        if let identity = input.identity, try Self.isOthersLog(of: identity, in: folder) {
            return nil
        }
        return salvage.map {
            ReadStore(
                input: input, salvage: $0,
                rebuilder: StoreRebuilder(recovery.maker(), rowsPerCommit: rowsPerCommit))
        }
    }

    /// Whether what was read is the log of another store than the lock names, beside a file that is
    /// gone.
    private static func isOthersLog(
        of store: StoreIdentity, in folder: ContainerFolder
    ) throws(SceneStoreError) -> Bool {
        let size = try translating { try folder.status(of: ContainerName.store)?.size ?? 0 }
        return size == 0 ? try ForeignLogCheck.isOther(store.bytes, than: folder) : false
    }
}

/// What was read of a damaged store.
package struct ReadStore: SalvagedStore {
    let input: SalvageInput
    package let salvage: Salvage
    let rebuilder: StoreRebuilder

    package var openSessions: Int { salvage.report.openSessions }
    package var lostSessions: Int { salvage.report.counts[.lost] ?? 0 }
    package var draftKey: UInt64 { rebuilder.draftKey(of: salvage) }

    package func build(at path: String) throws(SceneStoreError) -> FileReplacement.Made {
        let report = try rebuild(at: path)
        return FileReplacement.Made(
            source: "what could be read", report: report.json, findings: Self.imperfect(report),
            commitsLost: report.commitsLost)
    }

    /// Builds the new store; answers what came back of each session.
    package func rebuild(at path: String) throws(SceneStoreError) -> SalvageReport {
        let report = try rebuilder.build(salvage, at: path)
        try input.checkReadable()
        return report
    }

    package func inMemory() throws(SceneStoreError) -> (db: Database, found: [Diagnostic]) {
        let db = try rebuilder.build(salvage).db
        db.damage.lostStates = salvage.lostStates
        do throws(SceneStoreError) {
            try input.checkReadable()
        } catch {
            db.abandon()
            throw error
        }
        return (db, Self.imperfect(salvage.report))
    }

    /// What a salvage could not bring back as it was: twenty sessions by name.
    private static func imperfect(_ report: SalvageReport) -> [Diagnostic] {
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
        return found + FileReplacement.lostUnnamed(unnamed)
    }
}

extension Diagnostic.Code {
    /// A session came back from a damaged store, and not quite as it was.
    public static let salvagedSession = Self("salvagedSession")
}
