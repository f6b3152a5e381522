import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// Brings the schema of an open file to this version (S-03, S-04).
///
/// A new file gets all migrations and its first row in one transaction; an older one gets each
/// migration in a transaction of its own, with its checksum. Killed anywhere, the file has the old
/// or the new schema.
package struct StoreMigrator {
    package let connection: Connection
    package let options: SceneSessionStore.Options

    /// The schema's version, as the header of the file names it. Throws `corrupt` if only the header
    /// is newer than this library.
    package static func version(_ connection: Connection) throws(SceneStoreError) -> Int {
        let version = try headerVersion(connection)
        guard try !isVersionDamaged(connection) else {
            throw SceneStoreError(
                .corrupt,
                "the header is damaged: it names version \(version) of the schema, which no migration made",
                path: ContainerName.store)
        }
        return version
    }

    private static func headerVersion(_ connection: Connection) throws(SceneStoreError) -> Int {
        try translating { Int(clamping: try connection.pragma("PRAGMA user_version") ?? 0) }
    }

    /// Whether the header names a newer version beside a schema of ours. A newer library's store has its
    /// migration's record, even if that migration changed only rows (S-05).
    package static func isVersionDamaged(_ connection: Connection) throws(SceneStoreError) -> Bool {
        let current = SchemaMigration.currentVersion
        guard try headerVersion(connection) > current else {
            return false
        }
        let digest = try SchemaCheck.contents(of: connection).digest
        guard SchemaMigration.all.contains(where: { $0.schemaDigest == digest }) else {
            return false
        }
        return try !applied(connection).contains { $0.number > current }
    }

    /// Makes the schema and the first row of a new store.
    package func create() throws(SceneStoreError) -> StoreRow {
        let time = options.clock()
        let uuid = withUnsafeBytes(of: options.makeUUID().uuid) { Array($0) }
        let sealer = RowSealer(uuid: uuid)
        var row = StoreRow(
            uuid: uuid, containerEpoch: 1, appIdentifier: options.appIdentifier,
            writtenBy: StoreVersion.library, createdAt: time)
        try connection.write(.full) { transaction throws(SceneStoreError) in
            for migration in SchemaMigration.all {
                try run(migration, transaction, sealer: sealer, time: time)
            }
            try insert(&row, transaction, sealer)
        }
        return row
    }

    /// Runs the migrations that an older store lacks.
    package func migrate(from version: Int, sealer: RowSealer) throws(SceneStoreError) {
        for migration in SchemaMigration.all where migration.number > version {
            try connection.write(.full) { transaction throws(SceneStoreError) in
                try run(migration, transaction, sealer: sealer, time: options.clock())
            }
        }
    }

    /// An older version's store as this one reads it, in memory: the file stays as it is, and its
    /// connection is closed.
    package static func migratedCopy(
        of source: Connection, from version: Int, _ options: SceneSessionStore.Options
    ) throws(SceneStoreError) -> Connection {
        let copy = try StoreMaker(options: options).connect(nil)
        try translating {
            try source.read { _ throws(SQLiteError) in try source.backup(to: copy) }
            try source.close()
        }
        let sealer = RowSealer(uuid: try Database.storeRow(copy).uuid)
        try StoreMigrator(connection: copy, options: options).migrate(from: version, sealer: sealer)
        return copy
    }

    private func run(
        _ migration: SchemaMigration, _ transaction: borrowing ConnectionTransaction,
        sealer: RowSealer,
        time: Int64
    ) throws(SceneStoreError) {
        var row = MigrationRow(
            number: Int64(migration.number), name: migration.name,
            textChecksum: Database.hash(migration.text), appliedAt: time)
        try translating { try transaction.execute(script: migration.text, named: migration.name) }
        try insert(&row, transaction, sealer)
    }

    private func insert<Row: StoredRow>(
        _ row: inout Row, _ transaction: borrowing ConnectionTransaction, _ sealer: RowSealer
    ) throws(SceneStoreError) {
        try translating {
            try transaction.withStatement(Row.description.insert) {
                statement throws(SQLiteError) in
                try row.write(to: statement, sealer)
                try statement.runChanging()
            }
        }
    }

    /// Throws `changedMigration` when the text of an applied migration is another one here, and
    /// `corrupt` when the record itself is not that of this store: then the log is another's.
    package func checkApplied(upTo version: Int, sealer: RowSealer) throws(SceneStoreError) {
        let applied = try Self.applied(connection)
        for migration in SchemaMigration.all where migration.number <= version {
            guard let row = applied.first(where: { $0.number == Int64(migration.number) }),
                row.isWhole(sealer)
            else {
                throw Self.foreignRecord
            }
            guard row.textChecksum == Database.hash(migration.text) else {
                throw SceneStoreError(
                    .changedMigration,
                    "the text of \(migration.name) differs from the applied one",
                    path: migration.name)
            }
        }
    }

    private static func applied(
        _ connection: Connection
    ) throws(SceneStoreError) -> [MigrationRow] {
        guard let rows = try connection.uncheckedRows(Queries.migrations, binding()) else {
            throw foreignRecord
        }
        return rows
    }

    private static let foreignRecord = SceneStoreError(
        .corrupt,
        "the record of migrations is not this store's: a row is damaged, or the "
            + "write-ahead log belongs to another store", path: "migration")
}

/// What this library calls itself in a store.
package enum StoreVersion {
    /// The release.
    package static let library = "SceneStore 1.0"
    /// Bits of `features_ignorable`, `features_read_only` and `features_required` that this
    /// version knows.
    package static let knownFeatures: Int64 = 0
}

/// Holds the schema of a file against what the migrations make.
///
/// Each object is hashed with its type, name, table and text; the sum of the hashes is the digest,
/// which does not depend on the order that a VACUUM leaves. What is expected of each version is
/// compiled in, so that opening a store replays nothing.
package enum SchemaCheck {
    /// What stands in a schema.
    package struct Contents: Sendable {
        package var digest: UInt64 = 0
        /// Our own and foreign objects, without the tolerated ones, by type, name and table: what is there,
        /// whatever its text.
        var objects: [[String]] = []
        /// Objects of tools that are known to add them.
        package var tolerated: [String] = []
        package var isEmpty: Bool { objects.isEmpty }
    }

    /// Tables that replication tools and `ANALYZE` add; indexes on them follow their table.
    static let toleratedTables = [
        "_litestream_seq", "_litestream_lock", "sqlite_stat1", "sqlite_stat4",
    ]

    /// More objects than any version has; a crafted schema may have millions.
    private static let objectLimit = 1_000

    package static func contents(of connection: Connection) throws(SceneStoreError) -> Contents {
        try connection.withStatement(Queries.schema) {
            statement throws(SceneStoreError) -> Contents in
            do throws(SQLiteError) {
                var contents = Contents()
                while try statement.step() {
                    let type = try statement.text(at: 0)
                    let name = try statement.text(at: 1)
                    let table = try statement.text(at: 2)
                    if toleratedTables.contains(table), type == "table" || type == "index" {
                        contents.tolerated.append(name)
                        continue
                    }
                    contents.objects.append([type, name, table])
                    guard contents.objects.count <= objectLimit else {
                        break
                    }
                    let sql = try statement.optionalText(at: 3) ?? ""
                    var hash = ContentHash()
                    for part in [type, name, table, sql] {
                        hash.update(Int64(part.utf8.count))
                        hash.update(Array(part.utf8))
                    }
                    contents.digest &+= hash.value
                }
                return contents
            } catch {
                guard error.isOfRow else {
                    throw SceneStoreError(error)
                }
                throw SceneStoreError(
                    .corrupt, "the schema is damaged: it has an invalid entry",
                    path: "sqlite_schema")
            }
        }
    }

    /// Throws unless the schema is that of a version: `schemaTampered` if all objects of ours are there
    /// and others beside them, which somebody made; `corrupt` if one of ours is missing or changed. No
    /// part of such a schema is used again: the store is rebuilt from rows that prove themselves.
    package static func check(_ contents: Contents, version: Int) throws(SceneStoreError) {
        let migration = SchemaMigration.all.first { $0.number == version }
        guard contents.digest != migration?.schemaDigest else {
            return
        }
        let ours = try ours(upTo: migration?.number ?? SchemaMigration.currentVersion)
        guard !Set(contents.objects).isStrictSuperset(of: ours) else {
            throw SceneStoreError(
                .schemaTampered,
                "the schema holds an object that no version of this library made; "
                    + "look with: sqlite3 scenes.sqlite .schema", path: "sqlite_schema")
        }
        throw SceneStoreError(
            .corrupt,
            "the schema is damaged: an object that this library made is changed or missing",
            path: "sqlite_schema")
    }

    /// The objects that the migrations make. Asked only where something is wrong.
    private static func ours(upTo version: Int) throws(SceneStoreError) -> [[String]] {
        let connection = try translating {
            let connection = try Connection(path: "", options: Connection.Options(.memory))
            try connection.write(.normal) { transaction throws(SQLiteError) in
                for migration in SchemaMigration.all where migration.number <= version {
                    try transaction.execute(script: migration.text, named: migration.name)
                }
            }
            return connection
        }
        return try contents(of: connection).objects
    }
}
