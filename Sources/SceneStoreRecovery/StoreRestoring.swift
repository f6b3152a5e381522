import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// A backup that is to be read: checked before anything is done with it.
struct BackupReader {
    let path: String
    let options: SceneSessionStore.Options

    /// What is known of a backup before it is restored.
    struct Contents: Sendable {
        var openSessions: Int
        var generation: Int64
        var uuid: [UInt8]
        var writtenAt: Int64
        var hasChecksum: Bool
    }

    /// Looks at every page and row; throws `corrupt` when anything is wrong.
    @discardableResult
    func check() throws(SceneStoreError) -> Contents {
        let hasChecksum = try StoreBackup.checkSum(path)
        try checkLog()
        let core = try open()
        defer {
            core.abandon()
        }
        var verifier = StoreVerifier(core, .standard, nil)
        let report = try verifier.run()
        guard report.isSound else {
            throw SceneStoreError(
                .corrupt,
                "the backup is damaged: \(report.findings.first?.message ?? "unknown")")
        }
        let latest = try core.openRecords().map(\.lastActiveAt).max()
        return Contents(
            openSessions: Int(clamping: core.store.openCount),
            generation: core.store.generation, uuid: core.store.uuid,
            writtenAt: latest ?? core.store.createdAt,
            hasChecksum: hasChecksum)
    }

    /// A file with a log beside it is no backup: half of it is in the log.
    private func checkLog() throws(SceneStoreError) {
        let log: RawFile
        do {
            log = try RawFile(path: path + "-wal")
        } catch {
            guard error.code == .missing else {
                throw error
            }
            return
        }
        guard log.size == 0 else {
            throw SceneStoreError(
                .orphanedWAL,
                "the file has a write-ahead log, so it is a store in use, not a backup; "
                    + "make one with scenestore backup")
        }
    }

    private func open() throws(SceneStoreError) -> StoreCore {
        do {
            let resolved = try System.resolve(path)
            let file = try RawFile(path: resolved)
            let header = file.bytes(100, at: 0)
            try file.checkReadable()
            _ = try StoreHeader(header, expecting: SchemaMigration.applicationID)
            var settings = Connection.Options(.immutable)
            settings.applicationID = SchemaMigration.applicationID
            return try StoreCore.inspecting(
                try Connection(path: resolved, options: settings), OpenContainer(), options)
        } catch let error as SystemError {
            throw SceneStoreError(ContainerError(error, "opening the backup"))
        } catch {
            throw SceneStoreError(error, "opening the backup")
        }
    }

    /// Copies the backup's pages into an empty file.
    func copy(to target: String) throws(SceneStoreError) {
        let core = try open()
        defer {
            core.abandon()
        }
        try StoreBackup.copy(core.connection, to: target, core.work)
    }
}

extension StoreCore {
    /// A core that only looks, over a connection that was opened for it: schema, the store's row
    /// and its migrations are checked as on opening.
    static func inspecting(
        _ connection: Connection, _ container: OpenContainer,
        _ options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> StoreCore {
        var connection = connection
        var version = try StoreMigrator.version(connection)
        guard version <= SchemaMigration.currentVersion else {
            throw SceneStoreError(
                .newerSchema, "a newer version wrote it; use that version")
        }
        if version > 0, version < SchemaMigration.currentVersion {
            connection = try StoreMigrator.migratedCopy(
                of: connection, from: version, options)
            version = SchemaMigration.currentVersion
        }
        let contents = try SchemaCheck.contents(of: connection)
        guard version > 0 || !contents.isEmpty else {
            throw SceneStoreError(.missing, "it holds no store", path: ContainerName.store)
        }
        try SchemaCheck.check(contents, version: version)
        let row = try storeRow(connection)
        let sealer = RowSealer(uuid: row.uuid)
        guard row.isWhole(sealer), row.isPlausible else {
            throw damagedStoreRow
        }
        try StoreMigrator(connection: connection, options: options)
            .checkApplied(upTo: version, sealer: sealer)
        var settings = options
        settings.access = .reader
        return StoreCore(
            connection: connection, container: container, store: row, sealer: sealer,
            options: settings, recovery: StoreRecovery.Service())
    }
}

extension SceneSessionStore {

    /// Replaces a container's store with a backup. Durable on return.
    ///
    /// The old store is set aside completely in `quarantine/`, and its name there is returned, or
    /// nil if there was none. A missing container is created; no app may own it. The backup is
    /// checked from end to end before anything is changed. If the process is killed in between, the
    /// next owner puts the old store back, or finds the new one complete.
    ///
    /// Throws ``SceneStoreError/Code/corrupt`` for a backup that is not sound,
    /// ``SceneStoreError/Code/orphanedWAL`` for a store in use, which has a log next to it, and
    /// ``SceneStoreError/Code/owned`` while a process has the container.
    ///
    /// - Parameters:
    ///   - path: The backup.
    ///   - location: The container.
    ///   - options: What the stores are opened with.
    ///   - keepsOld: Whether the old store stays in `quarantine/`.
    @discardableResult
    public static func restore(
        from path: String, to location: Location, options: Options = Options(),
        keepsOld: Bool = true
    ) throws(SceneStoreError) -> String? {
        guard case .directory(let directory) = location else {
            throw SceneStoreError(.invalidLocation, "a backup is restored to a directory")
        }
        let reader = BackupReader(path: path, options: options)
        try reader.check()
        let folder = try translating {
            try ContainerFolder.open(directory, access: .owner, createsMissing: true)
        }
        let lock = try HeldLock.acquire(folder, timeout: options.ownerTimeout)
        try SetAside.finishInterrupted(folder)
        let name = try SetAside(folder: folder, time: options.clock()).replace(
            reason: "replaced", keepsOld: keepsOld
        ) { (target, _) throws(SceneStoreError) in
            try reader.copy(to: target)
            try StoreRebuilder(
                options: options, ownerEpoch: lock.epoch, owedGeneration: lock.owedGeneration
            ).adopt(target, note: "restored from a backup")
            return [
                "cause": "restore", "owner": lock.notes, "time": .integer(options.clock()),
            ]
        }
        try lock.forgetRestoring()
        try lock.release()
        return name
    }
}

extension StoreBackup {
    /// What is in a backup, after every page and row of it was looked at.
    package static func inspect(
        at path: String, options: SceneSessionStore.Options = SceneSessionStore.Options()
    ) throws(SceneStoreError) -> (openSessions: Int, hasChecksum: Bool) {
        let contents = try BackupReader(path: path, options: options).check()
        return (contents.openSessions, contents.hasChecksum)
    }
}
