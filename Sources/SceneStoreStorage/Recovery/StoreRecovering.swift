import SceneStoreSQLite
import SceneStoreValues

/// What opening a store asks of recovery, which replaces and copies damaged stores. Tests put another
/// one there.
///
/// The caller owns the container, and no connection has the store's file open.
package protocol StoreRecovering: Sendable {
    /// Finishes, or takes back, a replacement of the store in which an earlier process died. Answers
    /// the exchanges that no app was told of.
    func finishInterrupted(_ folder: ContainerFolder) throws(SceneStoreError) -> [UntoldExchange]
    /// Puts another store in the place of a damaged one, as the options say: one of all that
    /// `memory` holds, if an owner has everything there.
    ///
    /// Returns what is to be told beside what ``finishInterrupted(_:)`` answers from now on, or nil
    /// when the error is no reason to do so.
    func recover(
        _ folder: ContainerFolder, opening: OpeningLock, options: SceneSessionStore.Options,
        from error: SceneStoreError, memory: Database?
    ) throws(SceneStoreError) -> [Diagnostic]?
    /// Puts a store of all that an owner has in memory where no store is.
    func place(_ memory: Database, in folder: ContainerFolder) throws(SceneStoreError)
    /// What would take a damaged store's place, read where the disk has no room for it (L-17); nil when
    /// the options say otherwise, or nothing can be read. Writes nothing.
    ///
    /// - Parameter mayBeBackup: False for the rows of the store itself alone.
    func readInMemory(
        _ folder: ContainerFolder, options: SceneSessionStore.Options, mayBeBackup: Bool
    ) throws(SceneStoreError) -> (db: Database, found: [Diagnostic])?
    /// Copies an open store, damaged as it is, into `quarantine/`; answers the name. The caller owns
    /// the container, and this connection alone has the file open.
    func keepEvidence(
        of connection: Connection, in folder: ContainerFolder, time: Int64
    ) throws(SceneStoreError) -> String
    /// Copies a store whose schema is about to be changed (S-04): one backup for each version of the
    /// schema, the newest three kept.
    func backUpBeforeMigration(_ directory: String, version: Int) throws(SceneStoreError)
}

/// A store that was exchanged for another one, of which no app was told: the name under which the old store
/// lies in `quarantine/`, without an ending, and what is to be told.
package typealias UntoldExchange = (name: String, findings: [Diagnostic])

/// What a damaged store's own row says: also whether an erasure was not finished.
package typealias LastRow = (generation: Int64, openCount: Int64, isErasing: Bool)

/// What reads a damaged store without SQLite's help. An app that opts into salvage brings it
/// (``SceneSessionStore/CorruptionPolicy``).
package protocol Salvaging: Sendable {
    /// Whether rows that prove themselves lie in a file that no longer looks like a store.
    func provesRows(in folder: ContainerFolder) -> Bool
    /// The newest store's row that proves itself in the damaged file or its log.
    func lastRow(in folder: ContainerFolder) -> LastRow?
    /// What can be read of the store and its backups; nil when no row can be proved.
    func salvage(_ recovery: FileReplacement) throws(SceneStoreError) -> (any SalvagedStore)?
}

/// What could be read of a damaged store, before it is written.
package protocol SalvagedStore {
    /// Open sessions that are back.
    var openSessions: Int { get }
    /// Open sessions that were recorded, and of which nothing was found.
    var lostSessions: Int { get }
    /// What a draft of the new store is known by, so that a process goes on with another one's.
    var draftKey: UInt64 { get }
    /// Builds a store of it, in an empty file or a draft of it.
    func build(at path: String) throws(SceneStoreError) -> FileReplacement.Made
    /// Reads it into a store in memory; answers what could not be brought back as it was, too.
    func inMemory() throws(SceneStoreError) -> (db: Database, found: [Diagnostic])
}

/// Recovery with files of this system: ``FileReplacement``.
package struct FileRecovery: StoreRecovering {
    package init() {}
}

/// Replaces a damaged store, or one whose file is lost, by what can be had of it (S-15). The caller
/// owns the container, and no connection has the file open.
package struct FileReplacement {
    package let folder: ContainerFolder
    package let options: SceneSessionStore.Options
    /// The epoch that the lock file names.
    package let ownerEpoch: Int64
    /// The generation that the lock file names: a store of a lower one counts as cut short.
    package var owedGeneration: Int64 = 0
    /// The session that the last owner wrote down as being restored.
    package var restoring: OwnerLock.Restoring?
    /// Whether the log beside the store is not its own, and nothing of it is read.
    package var ignoresLog = false

    package init(
        folder: ContainerFolder, options: SceneSessionStore.Options, ownerEpoch: Int64,
        owedGeneration: Int64 = 0, restoring: OwnerLock.Restoring? = nil
    ) {
        self.folder = folder
        self.options = options
        self.ownerEpoch = ownerEpoch
        self.owedGeneration = owedGeneration
        self.restoring = restoring
    }

    /// What took the place of a damaged store.
    package struct Made {
        var source: String
        /// Whether there was nothing left to be set aside.
        var isOfNothing = false
        /// What a salvage says of each session; null when nothing of the damaged store was used.
        var report = CanonicalJSON.null
        /// What a salvage could not bring back as it was.
        var findings: [Diagnostic] = []
        /// Commits of the damaged store that it lacks.
        var commitsLost = 0

        package init(
            source: String, report: CanonicalJSON = .null, findings: [Diagnostic] = [],
            commitsLost: Int = 0
        ) {
            self.source = source
            self.report = report
            self.findings = findings
            self.commitsLost = commitsLost
        }
    }
}
