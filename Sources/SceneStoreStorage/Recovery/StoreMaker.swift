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
    /// Whether the rest of the container is still to be erased.
    package let isErasing: Bool

    package init(
        options: SceneSessionStore.Options, ownerEpoch: Int64 = 0, owedGeneration: Int64 = 0,
        isErasing: Bool = false
    ) {
        self.isErasing = isErasing
        self.options = options
        self.ownerEpoch = ownerEpoch
        self.owedGeneration = owedGeneration
    }

    /// Builds a store that holds nothing, in the place of one that held some open sessions after
    /// some commits.
    package func buildEmpty(
        at path: String, losing sessions: Int, commits: Int64
    ) throws(SceneStoreError) {
        try change(try emptyStore(connect(path))) { transaction in
            transaction.store.ownerEpoch = ownerEpoch
            transaction.store.generation = max(transaction.store.generation, owedGeneration)
            transaction.store.erasurePending = isErasing
            transaction.note(.salvage, nil, "begun anew")
            if sessions > 0 {
                transaction.noteLost(unnamed: Int64(sessions))
            }
            if commits > 0 {
                transaction.note(.lostCommits, nil, "\(commits)")
            }
        }
    }

    /// Raises the owner's epoch of a copy of a store, so that it may take the place of a later one,
    /// whose last commit had some generation; answers how many commits the copy lacks.
    @discardableResult
    package func adopt(
        _ path: String, note: String, after generation: Int64 = 0
    ) throws(SceneStoreError) -> Int64 {
        let db = try known(connect(path))
        let lost = max(0, generation - db.store.generation)
        try change(db) { transaction in
            transaction.store.ownerEpoch = max(transaction.store.ownerEpoch, ownerEpoch)
            transaction.store.generation = max(transaction.store.generation, owedGeneration)
            transaction.store.erasurePending = transaction.store.erasurePending || isErasing
            transaction.note(.salvage, nil, note)
            if lost > 0 {
                transaction.note(.lostCommits, nil, "\(lost)")
            }
        }
        return lost
    }

    /// Names, in a copy's own row, the session that a process was restoring.
    package func note(restoring session: Int64, in path: String) throws(SceneStoreError) {
        try change(try known(connect(path))) { $0.store.restoringSession = session }
    }

    /// Changes a store that nobody else knows, and closes it.
    private func change(
        _ db: Database, _ body: (borrowing Transaction) -> Void
    ) throws(SceneStoreError) {
        do throws(SceneStoreError) {
            try db.write(.full) { transaction throws(SceneStoreError) in body(transaction) }
            try db.close()
        } catch {
            db.abandon()
            throw error
        }
    }

    /// A store that is in a file already.
    package func known(_ connection: Connection) throws(SceneStoreError) -> Database {
        let db = Database(
            connection: connection, store: try Database.storeRow(connection), options: options)
        guard db.store.isWhole(db.sealer), db.store.isPlausible else {
            db.abandon()
            throw Database.damagedStoreRow
        }
        return db
    }

    /// Nil connects to memory.
    package func connect(
        _ path: String?, _ role: Connection.Role = .scratch
    ) throws(SceneStoreError) -> Connection {
        try translating {
            try Connection(path: path ?? "", options: .store(path == nil ? .memory : role))
        }
    }

    package func emptyStore(
        _ connection: Connection, like old: (createdAt: Int64, appIdentifier: String?)? = nil
    ) throws(SceneStoreError) -> Database {
        var settings = options
        settings.access = .editor
        if let old {
            settings.clock = { old.createdAt }
            settings.appIdentifier = old.appIdentifier
        }
        let row = try StoreMigrator(connection: connection, options: settings).create()
        settings.clock = options.clock
        return Database(connection: connection, store: row, options: settings)
    }
}
