import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

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
            var settings = Connection.Options(.immutable)
            settings.applicationID = SchemaMigration.applicationID
            return try Database.inspecting(
                try Connection(path: resolved, options: settings), OpenContainer(), options)
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
