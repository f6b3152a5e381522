import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// A container that is owned while its store is closed, so that no process can open it.
///
/// For servers that copy or replicate a store as a file. It is in `SceneStoreExchange`.
///
/// ```swift
/// let container = try ClosedContainer.hold(path)
/// let copy = try Data(contentsOf: URL(filePath: container.storePath))
/// try container.release()
/// ```
///
/// A tool that replicates a SQLite file checkpoints it. Two checkpointers at the same time can lose
/// commits, so such a tool must never run while the store is open.
public struct ClosedContainer: ~Copyable {
    /// The file that holds the store.
    public let storePath: String
    private let folder: ContainerFolder
    private let lock: OwnerLock

    private init(_ storePath: String, _ folder: ContainerFolder, _ lock: consuming OwnerLock) {
        self.storePath = storePath
        self.folder = folder
        self.lock = lock
    }

    /// Takes the owner's lock of a container directory whose store was closed properly.
    ///
    /// Throws ``SceneStoreError/Code/owned`` while a process has it,
    /// ``SceneStoreError/Code/missing`` if there is no store, and
    /// ``SceneStoreError/Code/notClosed`` if its last owner died: open and close the store first.
    public static func hold(_ directory: String) throws(SceneStoreError) -> ClosedContainer {
        let folder = try folder(directory)
        let lock = try lock(folder)
        if case .owned = lock.found.state {
            // Dropped without a note, the lock still tells the next owner of that death.
            throw SceneStoreError(
                .notClosed, "the last owner died; open the store and close it first",
                path: ContainerName.store)
        }
        return ClosedContainer(directory + "/" + ContainerName.store, folder, lock)
    }

    private static func folder(_ directory: String) throws(SceneStoreError) -> ContainerFolder {
        try translating {
            let folder = try ContainerFolder.open(
                directory, access: .owner, createsMissing: false)
            let file = try folder.requireStore(applicationID: SchemaMigration.applicationID)
            guard !file.hasJournal else {
                throw ForeignLogCheck.error(of: ContainerName.journal)
            }
            return folder
        }
    }

    private static func lock(_ folder: ContainerFolder) throws(SceneStoreError) -> OwnerLock {
        try translating { try OwnerLock.acquire(folder) }
    }

    /// Lets the container go. Without this call the container is released as well, but the next
    /// owner takes this one for dead.
    public consuming func release() throws(SceneStoreError) {
        do {
            try lock.release()
        } catch {
            throw SceneStoreError(error)
        }
    }
}

extension SceneStoreError.Code {
    /// The store was left by a process that died, and not opened since.
    public static let notClosed = Self("notClosed")
}
