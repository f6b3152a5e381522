import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreValues

/// Holds the schema of a file against what the migrations make.
///
/// Each object is hashed with its type, name, table and text; the sum of the hashes is the digest,
/// which does not depend on the order that a VACUUM leaves. What is expected of each version is
/// compiled in, so that opening a store replays nothing.
package enum SchemaCheck {
    /// What stands in a schema.
    package struct Contents: Sendable {
        package var digest: UInt64 = 0
        /// Names of our own and of foreign objects, without the tolerated ones.
        package var names: [String] = []
        /// The same with type and table: what is there, whatever its text.
        var objects: Set<[String]> = []
        /// Objects of tools that are known to add them.
        package var tolerated: [String] = []
        package var isEmpty: Bool { names.isEmpty }
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
                    contents.names.append(name)
                    contents.objects.insert([type, name, table])
                    guard contents.names.count <= objectLimit else {
                        break
                    }
                    let sql = try statement.optionalText(at: 3) ?? ""
                    contents.digest &+= digest(type, name, table, sql)
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

    private static func digest(
        _ type: String, _ name: String, _ table: String, _ sql: String
    ) -> UInt64 {
        var hash = ContentHash()
        for part in [type, name, table, sql] {
            hash.update(Int64(part.utf8.count))
            hash.update(Array(part.utf8))
        }
        return hash.value
    }

    /// Throws unless the schema is that of a version: `schemaTampered` if all objects of ours are there
    /// and others beside them, which somebody made; `corrupt` if one of ours is missing or changed. No
    /// part of such a schema is used again: the store is rebuilt from rows that prove themselves.
    package static func check(
        _ contents: Contents, version: Int
    ) throws(SceneStoreError) {
        let migration = SchemaMigration.all.first { $0.number == version }
        guard contents.digest != migration?.schemaDigest else {
            return
        }
        let ours = try ours(upTo: migration?.number ?? SchemaMigration.currentVersion)
        guard !contents.objects.isStrictSuperset(of: ours) else {
            throw tampered("an object that no version of this library made")
        }
        throw SceneStoreError(
            .corrupt,
            "the schema is damaged: an object that this library made is changed or missing",
            path: "sqlite_schema")
    }

    /// The objects that the migrations make. Asked only where something is wrong.
    private static func ours(upTo version: Int) throws(SceneStoreError) -> Set<[String]> {
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

    package static func tampered(_ what: String) -> SceneStoreError {
        SceneStoreError(
            .schemaTampered,
            "the schema holds \(what); look with: sqlite3 scenes.sqlite .schema",
            path: "sqlite_schema")
    }
}
