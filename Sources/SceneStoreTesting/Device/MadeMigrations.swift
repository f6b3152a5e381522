import SceneStoreMigrations
import SceneStoreSQLite
import SceneStoreStorage

/// Migrations that no release has. To a library that has them, every store of this one is an older
/// one, so tests can migrate it (S-03).
package enum MadeMigrations {
    /// One adds a column, the next makes a table and a view anew.
    package static let all: [SchemaMigration] = {
        let texts = [
            """
            ALTER TABLE save_context ADD COLUMN made TEXT;
            PRAGMA user_version = 2;
            """,
            """
            ALTER TABLE launch_exception RENAME TO launch_exception_before;
            CREATE TABLE launch_exception (
                id INTEGER PRIMARY KEY CHECK (id > 0),
                launch INTEGER NOT NULL REFERENCES launch (number) ON DELETE CASCADE,
                session_identifier TEXT NOT NULL,
                outcome TEXT NOT NULL,
                reason TEXT NOT NULL,
                checksum INTEGER NOT NULL
            ) STRICT;
            INSERT INTO launch_exception SELECT * FROM launch_exception_before;
            DROP TABLE launch_exception_before;
            CREATE INDEX launch_exception_launch ON launch_exception (launch);
            CREATE VIEW exceptions AS SELECT session_identifier, outcome FROM launch_exception;
            PRAGMA user_version = 3;
            """,
        ]
        var all: [SchemaMigration] = []
        for (index, text) in texts.enumerated() {
            var migration = SchemaMigration(
                number: index + 2, name: "000\(index + 2)_made", text: Array(text.utf8),
                schemaDigest: 0)
            migration.schemaDigest = digest(SchemaMigration.all + all + [migration])
            all.append(migration)
        }
        return all
    }()

    /// The digest of the schema that migrations make.
    private static func digest(_ migrations: [SchemaMigration]) -> UInt64 {
        do {
            let connection = try Connection(path: "", options: Connection.Options(.memory))
            for migration in migrations {
                try connection.execute(script: migration.text, named: migration.name)
            }
            return try SchemaCheck.contents(of: connection).digest
        } catch {
            preconditionFailure("the migrations of the tests don't run: \(error)")
        }
    }

    /// Does something as a library does that has these migrations.
    package static func added<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SchemaMigration.$made.withValue(all, operation: body)
    }
}
