import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// Makes stores that take another one's place. Each is a file that only this process knows until it is
/// whole; the caller puts it there.
package struct StoreMaker {
    package let options: SceneSessionStore.Options
    /// The epoch that the lock file names: a store of a lower one would count as older than its
    /// log.
    package var ownerEpoch: Int64
    /// The generation that the lock file names: a store of a lower one counts as cut short.
    package var owedGeneration: Int64

    package init(
        options: SceneSessionStore.Options, ownerEpoch: Int64 = 0, owedGeneration: Int64 = 0
    ) {
        self.options = options
        self.ownerEpoch = ownerEpoch
        self.owedGeneration = owedGeneration
    }

    /// Builds a store that holds nothing, in the place of one that held some open sessions after
    /// some commits.
    ///
    /// - Parameter erasing: Whether the rest of the container is still to be erased.
    package func buildEmpty(
        at path: String, losing sessions: Int, commits: Int64, erasing: Bool = false
    ) throws(SceneStoreError) {
        let core = try emptyStore(connect(path))
        do throws(SceneStoreError) {
            try core.write(.full) { writer throws(SceneStoreError) in
                writer.store.ownerEpoch = ownerEpoch
                writer.store.generation = max(core.store.generation, owedGeneration)
                writer.store.erasurePending = erasing
                writer.note(.salvage, nil, "begun anew")
                if sessions > 0 {
                    writer.noteLost(unnamed: Int64(sessions))
                }
                if commits > 0 {
                    writer.note(.lostCommits, nil, "\(commits)")
                }
            }
            try core.close()
        } catch {
            core.abandon()
            throw error
        }
    }

    /// Raises the owner's epoch of a copy of a store, so that it may take the place of a later one,
    /// whose last commit had some generation; answers how many commits the copy lacks.
    @discardableResult
    package func adopt(
        _ path: String, note: String, after generation: Int64 = 0
    ) throws(SceneStoreError) -> Int64 {
        let core = try copied(path)
        do throws(SceneStoreError) {
            let lost = max(0, generation - core.store.generation)
            try core.write(.full) { writer throws(SceneStoreError) in
                writer.store.ownerEpoch = max(core.store.ownerEpoch, ownerEpoch)
                writer.store.generation = max(core.store.generation, owedGeneration)
                writer.note(.salvage, nil, note)
                if lost > 0 {
                    writer.note(.lostCommits, nil, "\(lost)")
                }
            }
            try core.close()
            return lost
        } catch {
            core.abandon()
            throw error
        }
    }

    /// Names, in a copy's own row, the session that a process was restoring.
    package func note(restoring session: Int64, in path: String) throws(SceneStoreError) {
        let core = try copied(path)
        do throws(SceneStoreError) {
            try core.write(.full) { writer throws(SceneStoreError) in
                writer.store.restoringSession = session
            }
            try core.close()
        } catch {
            core.abandon()
            throw error
        }
    }

    /// A copy of a store, in a file that nobody else knows.
    private func copied(_ path: String) throws(SceneStoreError) -> StoreCore {
        try known(try connect(path))
    }

    /// A store that is in a file already.
    package func known(_ connection: Connection) throws(SceneStoreError) -> StoreCore {
        let row = try StoreCore.storeRow(connection)
        let core = StoreCore(
            connection: connection, container: OpenContainer(), store: row,
            sealer: RowSealer(uuid: row.uuid), options: options,
            recovery: StoreRecovery.Service())
        guard row.isWhole(core.sealer), row.isPlausible else {
            core.abandon()
            throw StoreCore.damagedStoreRow
        }
        return core
    }

    /// Nil connects to memory.
    package func connect(
        _ path: String?, _ role: Connection.Role = .scratch
    ) throws(SceneStoreError) -> Connection {
        var settings = Connection.Options(path == nil ? .memory : role)
        settings.applicationID = SchemaMigration.applicationID
        return try translating { try Connection(path: path ?? "", options: settings) }
    }

    package func emptyStore(
        _ connection: Connection, like old: (createdAt: Int64, appIdentifier: String?)? = nil
    ) throws(SceneStoreError) -> StoreCore {
        var settings = options
        settings.access = .editor
        if let old {
            settings.clock = { old.createdAt }
            settings.appIdentifier = old.appIdentifier
        }
        let row = try StoreMigrator(connection: connection, options: settings).create()
        settings.clock = options.clock
        return StoreCore(
            connection: connection, container: OpenContainer(), store: row,
            sealer: RowSealer(uuid: row.uuid), options: settings,
            recovery: StoreRecovery.Service())
    }
}

extension StoreEvent.Kind {
    /// The store was rebuilt by a salvage, a restore or an import; for a session, its outcome.
    public static let salvage = Self("salvage")
    /// Durable commits were lost when the store was rebuilt.
    public static let lostCommits = Self("lostCommits")
}
