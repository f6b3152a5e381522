import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// What opening a store as its owner would do to its schema.
///
/// ```swift
/// let plan = try SceneSessionStore.migrationPlan(at: .directory(path))
/// let needsMigration = plan.from < plan.to  // false
/// ```
public struct MigrationPlan: Sendable, Hashable {
    /// The version of the schema in the file; 0 for a store that no app has opened.
    public var from: Int
    /// The version that this library writes.
    public var to: Int
    /// The migrations that would run, in order.
    public var names: [String]
    /// Whether a newer version wrote the store.
    public var isNewer: Bool { from > to }
}

extension SceneSessionStore {
    /// Reads which migrations a store lacks, from its header and its log; opens nothing.
    public static func migrationPlan(
        at location: Location
    ) throws(SceneStoreError) -> MigrationPlan {
        guard case .directory(let path) = location else {
            throw SceneStoreError(.invalidLocation, "a store in memory has no schema to plan for")
        }
        do throws(ContainerError) {
            let folder = try ContainerFolder.open(path, access: .reader)
            let applicationID = SchemaMigration.applicationID
            guard let file = try folder.checkStore(applicationID: applicationID) else {
                throw ContainerError(.missing, "there is no store", file: ContainerName.store)
            }
            var version = file.header.userVersion
            if case .present = file.log, let page = try WALScan(folder)?.firstPage {
                // The log's copy of the first page is the newer one.
                version = try StoreHeader(page, expecting: applicationID).userVersion
            }
            let plan = StoreMigrator.plan(from: Int(version))
            return MigrationPlan(from: plan.from, to: plan.to, names: plan.names)
        } catch {
            throw SceneStoreError(error)
        }
    }
}

extension SceneSessionStore {
    /// Writes bytes into a new file: whole, private and on the disk when this returns, or not at
    /// all. One of the store's own files is refused.
    package static func write(
        _ bytes: [UInt8], to path: String, replacing: Bool, protecting location: Location?,
        observer: WorkObserver? = nil
    ) throws(SceneStoreError) {
        let work = WorkTeller(observer: observer)
        let stage = WorkProgress("writing", .bytes, total: bytes.count)
        do {
            var container: ContainerFolder?
            if case .directory(let directory)? = location {
                container = try ContainerFolder.open(directory, access: .reader)
            }
            var file = try AtomicFile(
                path: path, replacing: replacing, protecting: container)
            var start = 0
            while start < bytes.count {
                let end = min(bytes.count, start + 4 << 20)
                try file.write(Array(bytes[start..<end]))
                start = end
                try work.say(stage, done: start)
            }
            try file.commit()
        } catch {
            throw SceneStoreError(error, "writing a file")
        }
    }
}
