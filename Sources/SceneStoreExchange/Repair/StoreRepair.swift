#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreMigrations
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// The results of a repair.
///
/// ```swift
/// let report = try SceneSessionStore.repair(at: .directory(path))
/// let isWhole = report.remaining.isEmpty
/// ```
public struct RepairReport: Sendable, Hashable {
    /// The damage that was found; empty if there was none, and then nothing was changed.
    public package(set) var findings: [Diagnostic] = []
    /// The name in `quarantine/` under which the damaged store was set aside.
    public package(set) var setAside: String?
    /// The path of the backup that took the store's place because no row of the store was left.
    public package(set) var backup: String?
    /// The outcomes of the sessions; nil if nothing was changed, or if a backup was taken.
    public package(set) var salvage: SalvageReport?
    /// The findings of the new store's own check; empty for a repair that succeeded.
    public package(set) var remaining: [Diagnostic] = []
}

extension SceneSessionStore {
    /// Repairs a store that no app owns, and isolates rows that can't be repaired (S-61).
    ///
    /// A new store is built next to the damaged one from every row whose checksum is right, and is
    /// checked before it replaces the damaged one, which is set aside completely. A sound store is
    /// left unchanged, so a second run changes no byte. If no row is left, the newest sound backup takes
    /// the store's place (S-15). Durable on return. Throws
    /// ``SceneStoreError/Code/owned`` while a process has the container.
    @discardableResult
    public static func repair(
        at location: Location, options: Options = Options()
    ) throws(SceneStoreError) -> RepairReport {
        guard case .directory(let directory) = location else {
            throw SceneStoreError(.invalidLocation, "only a store in a directory is repaired")
        }
        let folder = try translating { try ContainerFolder.open(directory, access: .owner) }
        let lock = try OpeningLock.acquire(folder, timeout: options.ownerTimeout)
        try SetAside.finishInterrupted(folder)
        var report = RepairReport()
        let wasUnclean = if case .owned = lock.found.state { true } else { false }
        report.findings = try StoreInspection(folder, options).findings(after: lock)
        guard report.findings.contains(where: { $0.severity >= .warning }) else {
            guard wasUnclean else {
                // Nothing was changed, so what the last owner left there still holds, junk too.
                if lock.found.isJunk {
                    _ = lock.lock.take()
                } else {
                    try lock.release(at: lock.found.closing)
                }
                return report
            }
            // A log that a dead process left is ordinary; opening the store settles it.
            try settle(lock, location, options)
            return report
        }
        var settings = options
        settings.corruption = .salvage
        var recovery = FileReplacement(
            folder: folder, options: settings, ownerEpoch: lock.epoch,
            owedGeneration: max(lock.owedGeneration, lock.found.closing?.generation ?? 0),
            restoring: lock.found.restoring)
        recovery.ignoresLog = report.findings.contains(ForeignLogCheck.finding())
        let source = try recovery.source()
        var draft: UInt64?
        switch source {
        case .salvage(let found): draft = found.draftKey
        case .backup(let path): report.backup = path
        case .nothing:
            throw SceneStoreError(
                .corrupt,
                "no row of the store has a right checksum, and there is no sound backup in the "
                    + "container, so nothing can be repaired; restore a backup from elsewhere")
        }
        try lock.forgetStore()
        var salvaged: SalvageReport?
        let findings = report.findings
        report.setAside = try SetAside(byCommandIn: folder, at: options.clock()).replace(
            reason: SetAside.CommandReason.repair.rawValue, draft: draft
        ) { (path, _) throws(SceneStoreError) in
            if case .salvage(let found as ReadStore) = source {
                salvaged = try found.rebuild(at: path)
            } else {
                _ = try recovery.build(source, at: path)
            }
            return [
                "cause": "repair", "owner": lock.notes, "report": salvaged?.json ?? .null,
                "time": .integer(options.clock()),
                "findings": .array(findings.map { .string($0.code.rawValue) }),
            ]
        }
        report.salvage = salvaged
        report.remaining = try StoreInspection(folder, options).findings(after: nil)
            .filter { $0.severity >= .warning }
        try lock.release()
        return report
    }

    private static func settle(
        _ lock: OpeningLock, _ location: Location, _ options: Options
    ) throws(SceneStoreError) {
        // Given back as by a process that died: the next owner, this one, takes all care.
        _ = lock.lock.take()
        var settings = options
        settings.access = .editor
        try open(at: location, options: settings, recovery: FileRecovery()).close()
    }
}

/// Looks at a container whose lock the caller holds, through a private copy.
struct StoreInspection {
    let folder: ContainerFolder
    let options: SceneSessionStore.Options

    init(_ folder: ContainerFolder, _ options: SceneSessionStore.Options) {
        self.folder = folder
        self.options = options
    }

    /// What is wrong. Throws what a repair can do nothing about.
    ///
    /// - Parameter lock: The caller's; nil for a store that it put there itself.
    func findings(after lock: OpeningLock?) throws(SceneStoreError) -> [Diagnostic] {
        do {
            return try look(lock)
        } catch {
            let recovery = FileReplacement(
                folder: folder, options: ownerOptions, ownerEpoch: max(lock?.epoch ?? 0, 1))
            var isRepairable =
                [.schemaTampered, .orphanedWAL].contains(error.code)
                || recovery.isNeeded(after: error)
            if !isRepairable {
                isRepairable = try isOlderAndDamaged(error, recovery)
            }
            guard isRepairable else {
                throw error
            }
            return [
                Diagnostic(
                    Diagnostic.Code(error.code.rawValue), .error, error.message,
                    path: error.path)
            ]
        }
    }

    /// Whether an older version's store lacks something: a sound one is migrated, not repaired.
    private func isOlderAndDamaged(
        _ error: SceneStoreError, _ recovery: FileReplacement
    ) throws(SceneStoreError) -> Bool {
        guard error.code == .olderSchema else {
            return false
        }
        return try Salvager().read(recovery).map { !$0.salvage.report.isComplete } ?? true
    }

    private var ownerOptions: SceneSessionStore.Options {
        var settings = options
        settings.access = .owner
        settings.corruption = .salvage
        return settings
    }

    private func look(_ lock: OpeningLock?) throws(SceneStoreError) -> [Diagnostic] {
        var findings: [Diagnostic] = []
        return try translating("looking at the store") {
            var lost = try LostCommits(
                folder, debt: lock?.found.debt, isLockJunk: lock?.found.isJunk ?? false)
            let file = try folder.checkStore(applicationID: SchemaMigration.applicationID)
            let (connection, leavesLogOut) = try ForeignLogCheck(
                file?.log ?? .none, in: folder, after: lock?.found.farewell, .store(.copy)
            ).copy()
            if leavesLogOut {
                findings.append(ForeignLogCheck.finding())
                lost = LostCommits(debt: lost.debt)
            }
            if file?.hasJournal == true {
                findings.append(ForeignLogCheck.finding(of: ContainerName.journal))
            }
            let db = try Database.inspecting(
                connection, OpenContainer(reading: folder), options)
            if let finding = lost.finding(db.store) {
                findings.append(finding)
            }
            var verifier = StoreVerifier(db, .full, nil)
            findings += try verifier.run().findings
            try db.close()
            return findings
        }
    }
}

extension SceneSessionStore {
    /// Salvages a damaged file and its log into a new container. The file is only read.
    ///
    /// - Parameters:
    ///   - path: The file: a store, a store that was set aside, or a copy of either. If it is gone
    ///     and its log is there, the log alone is read.
    ///   - directory: The new container, made when there is none; it must hold no store.
    ///   - backups: Backups of the same store that may fill what is missing. Those of another store
    ///     don't count in the report's ``SalvageReport/backups``.
    ///   - options: What the new container's store is opened with.
    ///   - progress: Gets the progress of the reading; false ends it with
    ///     ``SceneStoreError/Code/cancelled``, and nothing is written.
    /// - Throws: ``SceneStoreError/Code/notAStore`` when no row in the file has a right checksum,
    ///   ``SceneStoreError/Code/invalidLocation`` when the directory holds a store, and the error of a
    ///   backup that is missing or can't be read, with its path.
    public static func salvage(
        from path: String, to directory: String, backups: [String] = [],
        options: Options = Options(), progress: SalvageProgress? = nil
    ) throws(SceneStoreError) -> SalvageReport {
        let (salvage, owedGeneration) = try found(in: path, backups, progress)
        return try translating("writing the salvaged store") {
            let folder = try ContainerFolder.open(
                directory, access: .owner, createsMissing: true)
            let lock = try OpeningLock.acquire(folder, timeout: options.ownerTimeout)
            for name in [ContainerName.store, ContainerName.log] {
                guard try folder.status(of: name) == nil else {
                    throw SceneStoreError(
                        .invalidLocation, "the directory holds a store already", path: name)
                }
            }
            let file = try AtomicFile(in: folder, name: ContainerName.store)
            let rebuilder = StoreRebuilder(
                StoreMaker(
                    options: options, ownerEpoch: lock.epoch,
                    owedGeneration: max(lock.owedGeneration, owedGeneration)))
            let report = try rebuilder.build(salvage, at: file.temporaryPath)
            try file.commit()
            try lock.release()
            return report
        }
    }

    /// Salvages a damaged file and its log into memory, to be looked at. What is never in a file
    /// keeps the identity that the damaged one has: no row from before can pass for one of it. Throws
    /// as ``salvage(from:to:backups:options:progress:)``.
    package static func openSalvaged(
        from path: String, options: Options
    ) throws(SceneStoreError) -> (store: SceneSessionStore, report: SalvageReport) {
        let (salvage, owedGeneration) = try found(in: path)
        var making = options
        if let bytes = salvage.identity?.bytes, bytes.count == 16 {
            making.makeUUID = {
                bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
            }
        }
        let maker = StoreMaker(options: making, ownerEpoch: 1, owedGeneration: owedGeneration)
        let (db, report) = try StoreRebuilder(maker).build(salvage)
        let folder = try translating { try ContainerFolder.inspect(path) }
        var reading = options
        reading.access = .reader
        let reader = Database(
            connection: db.connection, container: OpenContainer(reading: folder),
            store: db.store, sealer: db.sealer, options: reading, recovery: db.recovery)
        return (SceneSessionStore(reader, at: .directory(folder.path)), report)
    }

    /// What could be salvaged of a damaged file and its log; throws as
    /// ``salvage(from:to:backups:options:progress:)``.
    package static func salvageable(in path: String) throws(SceneStoreError) -> SalvageReport {
        try found(in: path).salvage.report
    }

    private static func found(
        in path: String, _ backups: [String] = [], _ progress: SalvageProgress? = nil
    ) throws(SceneStoreError) -> (salvage: Salvage, owedGeneration: Int64) {
        var input = try SalvageInput(
            SalvageInput.File(path: path, logPath: path + "-wal"),
            backups: backups.map { SalvageInput.File(path: $0, isNamed: true) },
            progress: progress)
        let note = OwnerLock.note(beside: path)
        input.restoring = note.restoring
        guard let salvage = Salvage(input) else {
            try input.checkReadable()
            throw SceneStoreError(
                .notAStore, "no row in the file has a right checksum")
        }
        return (salvage, note.owedGeneration)
    }
}

extension OwnerLock {
    /// What the lock beside a file says: the session that was being restored, which its sum ties to
    /// the file, and beside a container's own file the last commit that was durable.
    fileprivate static func note(
        beside path: String
    ) -> (restoring: Restoring?, owedGeneration: Int64) {
        guard let slash = path.utf8.lastIndex(of: 0x2F) else {
            return (nil, 0)
        }
        do {
            let folder = try ContainerFolder.inspect(String(path[..<slash]))
            let debt =
                path.hasSuffix("/" + ContainerName.store) ? try debt(of: folder) : nil
            return (try text(of: folder)?.restoring, debt?.generation ?? 0)
        } catch {
            // What can't be read blames nobody.
            return (nil, 0)
        }
    }
}
