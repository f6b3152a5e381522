import SceneStoreMigrations
import SceneStoreStorage
import SceneStoreValues

/// Takes the later migrations back, so that a store is as version 2 of the schema left it.
package enum OlderStore {
    /// What the migrations from the third on made.
    package static let undoing = """
        DROP VIEW sessions;
        DROP VIEW activities;
        DROP VIEW discards;
        DROP VIEW launches;
        DROP VIEW events;
        ALTER TABLE session DROP COLUMN state_checksum;
        ALTER TABLE save_context DROP COLUMN declared;
        DROP INDEX session_exception;
        DROP TABLE launch_exception;
        \(statements("INDEX session_exception", "TABLE launch_exception", "INDEX launch_exception"))
        ALTER TABLE launch DROP COLUMN parked;
        ALTER TABLE launch DROP COLUMN stale;
        DELETE FROM migration WHERE number > 2;
        PRAGMA user_version = 2;
        """

    /// What the first two migrations say of objects that a later one made anew.
    private static func statements(_ objects: String...) -> String {
        let texts = SchemaMigration.all.prefix(2).map { String(decoding: $0.text, as: UTF8.self) }
        return objects.map { object in
            texts.joined().split(separator: ";").last { $0.contains("CREATE \(object)") } ?? ""
        }.joined(separator: ";") + ";"
    }
}

extension SceneSessionStore {
    /// Seals rows as earlier versions did, which knew no binding of a state and no declaration.
    package func unbindStates() throws(SceneStoreError) {
        let records = Array(try openRecords()) + (try discards.recentlyClosed().map(\.record))
        try write(.full) { writer throws(SceneStoreError) in
            for record in records {
                try writer.updateRow(try writer.knownSession(record.key)) {
                    $0.stateChecksum = nil
                }
            }
            for context in try writer.contexts() {
                try writer.declare(nil, in: context.id)
            }
        }
    }
}
