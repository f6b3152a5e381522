import SceneStoreMigrations
import SceneStoreSQLite
import Testing

import SceneStore
import SceneStoreTestContainers

@Suite("The schema")
struct SchemaTests {
    @Test("S-03 the compiled digest of each version is that of its migrations")
    func digests() throws {
        let connection = try Connection(path: "", options: Connection.Options(.memory))
        let replayed = try SchemaMigration.all.map { migration in
            try connection.execute(script: migration.text, named: migration.name)
            return try SchemaCheck.contents(of: connection).digest
        }
        #expect(SchemaMigration.all.map(\.schemaDigest) == replayed)
    }

    @Test("S-02 a store opens in memory and answers")
    func memory() throws {
        let store = try SceneSessionStore.memory()
        let record = try store.add("A", front: true)
        #expect(try store.save(record, activity(1)))
        #expect(try store.openRecords().map(\.identifier) == ["A"])
        #expect(try store.restorationActivity(key: record.key) == activity(1))
    }
}
