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
