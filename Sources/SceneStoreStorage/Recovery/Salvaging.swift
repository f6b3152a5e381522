import SceneStoreSQLite
import SceneStoreValues

/// What reads a damaged store without SQLite's help. An app that opts into salvage brings it
/// (``SceneSessionStore/CorruptionPolicy``).
package protocol Salvaging: Sendable {
    /// Whether rows that prove themselves lie in a file that no longer looks like a store.
    func provesRows(in folder: ContainerFolder) -> Bool
    /// The newest store's row that proves itself in the damaged file or its log.
    func lastRow(in folder: ContainerFolder) -> (generation: Int64, openCount: Int64)?
    /// What can be read of the store and its backups; nil when no row can be proved.
    func salvage(_ recovery: StoreRecovery) throws(SceneStoreError) -> (any SalvagedStore)?
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
    func build(at path: String) throws(SceneStoreError) -> StoreRecovery.Replacement
    /// Reads it into a store in memory; answers what could not be brought back as it was, too.
    func inMemory() throws(SceneStoreError) -> (core: StoreCore, found: [Diagnostic])
}
