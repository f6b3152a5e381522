import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// What the store's files look like from outside: equal as long as nothing was written. Costs two
/// questions to the file system and opens nothing.
package struct StoreGlance: Sendable, Hashable {
    private var files: [FileStatus?]

    /// Looks at the database and its log.
    package init(at location: SceneSessionStore.Location) throws(SceneStoreError) {
        guard case .directory(let path) = location else {
            throw SceneStoreError(.missing, "a store in memory has no files")
        }
        do throws(ContainerError) {
            let folder = try ContainerFolder.open(path, access: .reader)
            files = [
                try folder.status(of: ContainerName.store),
                try folder.status(of: ContainerName.log),
            ]
        } catch {
            throw SceneStoreError(error)
        }
    }
}

extension StoredJournal {
    /// Returns what was committed after a generation, newest first, and the generation that the
    /// same reading found. A store that is at an older one was put in place since: all of its
    /// events are new.
    package func commits(
        after generation: Int64
    ) throws(SceneStoreError) -> (events: [StoreEvent], generation: Int64) {
        try store.read { db throws(SceneStoreError) in
            let now = db.store.generation
            let events = try db.newestEvents(
                session: nil, launch: nil, limit: .max, after: now < generation ? 0 : generation)
            return (events, now)
        }
    }
}
