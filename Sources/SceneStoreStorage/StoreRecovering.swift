import SceneStoreSQLite
import SceneStoreValues

/// What opening a store asks of the layer above, which repairs and copies damaged stores.
///
/// The caller owns the container, and no connection has the store's file open.
package protocol StoreRecovering: Sendable {
    /// Finishes, or takes back, a replacement of the store in which an earlier process died.
    func finishInterrupted(_ folder: ContainerFolder) throws(SceneStoreError)
    /// Puts another store in the place of a damaged one, as the options say.
    ///
    /// Returns what is to be told of it, or nil when the error is no reason to do so. With `holdsAll`
    /// the other store is an empty one, for everything is in memory.
    func recover(
        _ folder: ContainerFolder, held: HeldLock, options: SceneSessionStore.Options,
        from error: SceneStoreError, holdsAll: Bool
    ) throws(SceneStoreError) -> [Diagnostic]?
    /// Reads what a damaged store holds into memory, where the disk has no room for another one
    /// (L-17); nil when the options say otherwise, or nothing can be read. Writes nothing.
    func salvageInMemory(
        _ folder: ContainerFolder, options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> (core: StoreCore, found: [Diagnostic])?
    /// Copies an open store, damaged as it is, into `quarantine/`; answers the name. The caller owns
    /// the container, and this connection alone has the file open.
    func keepEvidence(
        of connection: Connection, in folder: ContainerFolder, time: Int64
    ) throws(SceneStoreError) -> String
    /// Moves a log whose database is gone into `quarantine/`; answers what is to be told of it. The
    /// caller owns the container, and holds in memory all that was stored (L-17).
    func keepOrphanedLog(
        in folder: ContainerFolder, time: Int64
    ) throws(SceneStoreError) -> Diagnostic
    /// Copies a store whose schema is about to be changed (S-04).
    func backUpBeforeMigration(_ directory: String, version: Int) throws(SceneStoreError)
}
