import SceneStoreMigrations
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreStorage
import SceneStoreValues

/// The changes to a store's schema that opening it as its owner would make.
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

    /// Plans for a file with a version of the schema.
    package init(from version: Int) {
        from = version
        to = SchemaMigration.currentVersion
        names = SchemaMigration.all.filter { $0.number > version }.map(\.name)
    }
}

extension SceneSessionStore {
    /// Reads which migrations a store lacks, from its header and its log; opens nothing.
    public static func migrationPlan(
        at location: Location
    ) throws(SceneStoreError) -> MigrationPlan {
        try migrationPlan(at: location, inAnyPlace: false)
    }

    /// - Parameter inAnyPlace: Whether it may be a file by itself, or another user's.
    package static func migrationPlan(
        at location: Location, inAnyPlace: Bool
    ) throws(SceneStoreError) -> MigrationPlan {
        guard case .directory(let path) = location else {
            throw SceneStoreError(.invalidLocation, "a store in memory has no schema to plan for")
        }
        return try translating {
            let folder =
                try inAnyPlace
                ? ContainerFolder.inspect(path) : ContainerFolder.open(path, access: .reader)
            let applicationID = SchemaMigration.applicationID
            let file = try folder.requireStore(applicationID: applicationID)
            var version = file.header.userVersion
            if case .present = file.log, let page = try WALScan(folder)?.firstPage {
                // The log's copy of the first page is the newer one.
                version = try StoreHeader(page, expecting: applicationID).userVersion
            }
            return MigrationPlan(from: Int(version))
        }
    }
}
