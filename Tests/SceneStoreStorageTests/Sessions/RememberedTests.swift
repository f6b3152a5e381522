import Testing

import SceneStore
import SceneStoreTestContainers

/// What sessions come back with when many are asked for one behind the other.
@Suite("Sessions that come back together")
struct RememberedTests {
    private let names = (0..<40).map { "session-\($0)-with-a-long-identifier" }

    private func container() throws -> TestContainer {
        let container = TestContainer(.fail)
        let store = try container.open()
        for (number, name) in names.enumerated() {
            let record = try store.add(name)
            try store.values.setTitle("title \(number)", key: record.key)
            for later in 0..<3 {
                try store.save(record, activity(number * 10 + later))
            }
        }
        try store.close()
        return container
    }

    private func keys(_ store: SceneSessionStore) throws -> [Int64] {
        try names.map { try #require(try store.record(identifier: $0)).key }
    }

    @Test("R-26 what is read ahead is what is read alone")
    func sameAsAlone() throws {
        let container = try container()
        var store = try container.open()
        let alone = try keys(store).map { key in
            try store.remembered(try #require(try store.record(key: key)))
        }
        try store.close()
        store = try container.open()
        let keys = try keys(store)
        // Two are left out, and one that nobody expects comes between.
        store.expect(keys.filter { $0 != keys[17] })
        for (number, key) in keys.enumerated() where number != 5 && number != 30 {
            let found = try store.remembered(try #require(try store.record(key: key)))
            #expect(found.record.key == key)
            #expect(found.session == alone[number].session)
            #expect(found.context == alone[number].context)
            #expect(found.context != nil && found.session.title == "title \(number)")
        }
        try store.close()
    }

    @Test("R-26 a state that is damaged is missing in its session alone, wherever that comes")
    func damaged() throws {
        let container = try container()
        var store = try container.open()
        let keys = try keys(store)
        try store.close()
        let damaged = [keys[0], keys[9], keys[39]]
        for key in damaged {
            try RawDatabase(container.folder.file()).run(
                """
                UPDATE state SET payload = x'00' WHERE id =
                (SELECT state_id FROM session WHERE id = \(key))
                """)
        }
        store = try container.open()
        store.expect(keys)
        var missing: [Int64] = []
        for key in keys {
            let found = try store.remembered(try #require(try store.record(key: key)))
            if found.session.stateRestorationActivity == nil {
                missing.append(key)
                #expect(found.session.withheldState == .lost || found.record.hasState)
            }
        }
        #expect(missing == damaged)
        #expect(store.takeDiagnostics().filter { $0.code == .damagedRow }.count == 3)
        try store.close()
    }

    @Test("R-26 a session that is older than its newest state is noticed when it comes back")
    func olderSession() throws {
        let container = try container()
        var store = try container.open()
        let keys = try keys(store)
        try store.close()
        let path = container.folder.file("old")
        let file = try RawDatabase(container.folder.file())
        try file.run(
            "ATTACH '\(path)' AS old; CREATE TABLE old.session AS SELECT * FROM main.session")
        store = try container.open()
        let changed = try #require(try store.record(key: keys[20]))
        try store.save(changed, activity(999))
        try store.close()
        try RawDatabase(container.folder.file()).run(
            """
            PRAGMA foreign_keys = OFF;
            ATTACH '\(path)' AS old;
            DELETE FROM main.session WHERE id = \(keys[20]);
            INSERT INTO main.session SELECT * FROM old.session WHERE id = \(keys[20]);
            """)
        store = try container.open()
        store.expect(keys)
        _ = store.takeDiagnostics()
        for key in keys {
            _ = try store.remembered(try #require(try store.record(key: key)))
        }
        let told = store.takeDiagnostics().filter { $0.code == .stateStale }
        #expect(told.map(\.sessionIdentifier) == [changed.id])
        try store.close()
    }
}
