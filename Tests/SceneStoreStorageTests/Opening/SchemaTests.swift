import SceneStoreMigrations
import Testing

import SceneStore
import SceneStoreTestContainers

@Suite("The schema")
struct SchemaTests {
    @Test("S-03 the compiled digest of each version is that of its migrations")
    func digests() throws {
        let replayed = try SchemaCheck.replayedDigests()
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
