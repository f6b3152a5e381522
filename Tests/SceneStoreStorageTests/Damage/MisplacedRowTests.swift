import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreTestContainers
import struct SceneStoreSQLite.SQLiteError
import struct SceneStoreSQLite.Statement

/// Two indexes change places, as a page copied over another one makes them: every row is whole,
/// and SQLite finds others than were asked for, or none.
@Suite("Rows in the wrong place")
struct MisplacedRowTests {
    private static func swap(_ first: String, _ second: String, in container: TestContainer) throws
    {
        let database = try RawDatabase(container.folder.file())
        func root(_ name: String) throws -> String {
            try database.value("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
        }
        let (one, two) = (try root(first), try root(second))
        try database.run(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET rootpage = \(two) WHERE name = '\(first)';
            UPDATE sqlite_schema SET rootpage = \(one) WHERE name = '\(second)';
            """)
    }

    private static func idle(_ store: SceneSessionStore) throws {
        while try store.upkeep.perform(budgetMilliseconds: 10_000) {}
    }

    private static func damage(_ store: SceneSessionStore) -> [Diagnostic] {
        store.takeDiagnostics().filter { $0.code == .pageDamage }
    }

    private static func quarantined(_ store: SceneSessionStore) throws -> Int {
        try store.read { db throws(SceneStoreError) in
            let epoch = db.store.containerEpoch
            return try db.rows(Queries.quarantinedRows) {
                statement throws(SQLiteError) in try statement.bind(1, epoch)
            }.count
        }
    }

    /// Three open sessions in front and a discarded one.
    private static func container() throws -> TestContainer {
        let container = TestContainer(.fail)
        let store = try container.open()
        for name in ["A", "B", "C"] {
            let record = try store.add(name, front: true)
            try store.values.setStorage(["k": .string(name)], key: record.key)
        }
        let gone = try store.add("D")
        try store.discard([gone.key], cause: .user, deliveredNow: false)
        try store.close()
        return container
    }

    @Test(
        "R-22 a whole row that is not the one asked for counts as absent and is left in its place")
    func otherRows() throws {
        let container = try Self.container()
        try Self.swap("session_front", "session_closed", in: container)
        let store = try container.open()
        // The index names the open sessions: they are not closed for that.
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["D"])
        // Nor are they in front for that: the one that was active last is found by another index.
        #expect(try store.frontRecords().map(\.key) == [try store.mostRecentRecord()?.key])
        #expect(Self.damage(store).count == 1)
        try Self.idle(store)
        #expect(try store.openRecords().map(\.identifier) == ["C", "B", "A"])
        #expect(try store.record(identifier: "D")?.isOpen == false)
        #expect(try Self.quarantined(store) == 0)
    }

    @Test("R-22 S-13 rows that a damaged index hides are noticed when nobody waits")
    func hiddenRows() throws {
        let container = try Self.container()
        try Self.swap("scene_storage_key", "session_identifier", in: container)
        let store = try container.open()
        let record = try #require(try store.openRecords().first)
        #expect(try store.values.storageValue(key: record.key, name: "k") == nil)
        // Every row is there and whole: nothing but the look at the pages can tell.
        while try !store.upkeep.verifyRows(budgetMilliseconds: 10_000) {}
        #expect(Self.damage(store).isEmpty)
        try Self.idle(store)
        #expect(!Self.damage(store).isEmpty)
    }

    @Test("S-13 of a sound store the look at the pages says nothing, and it ends")
    func sound() throws {
        let container = try Self.container()
        let store = try container.open()
        var pieces = 0
        while try store.upkeep.perform(budgetMilliseconds: 0) {
            pieces += 1
        }
        #expect(pieces > 5)
        #expect(store.takeDiagnostics().isEmpty)
        #expect(try !store.upkeep.perform(budgetMilliseconds: 0))
    }

    @Test("S-41 what may only be out of reach is not given up")
    func keepsWhatIsOutOfReach() throws {
        let container = try Self.container()
        try Self.swap("scene_storage_key", "session_identifier", in: container)
        try RawDatabase(container.folder.file()).run(
            "DELETE FROM discard; PRAGMA writable_schema = OFF;")
        let generation: Int64
        do {
            let store = try container.open()
            generation = store.currentGeneration()
            while try !store.upkeep.verifyRows(budgetMilliseconds: 10_000) {}
            try Self.idle(store)
            // The recorded sums stay, for a repair to be held against.
            #expect(store.currentGeneration() == generation)
            #expect(!Self.damage(store).isEmpty)
        }
    }

    @Test("R-22 a row that is right in its own place is not set aside for a copy of it elsewhere")
    func wholeInItsPlace() throws {
        let container = try Self.container()
        let store = try container.open()
        let key = try #require(try store.record(identifier: "A")).key
        store.database.withLock { $0.noteDamage(.session, key, "checksum") }
        try Self.idle(store)
        #expect(try store.record(identifier: "A") != nil)
        #expect(try Self.quarantined(store) == 0)
        #expect(Self.damage(store).count == 1)
    }

    // MARK: - An index that leads to another row

    /// Makes an index lead elsewhere: it is filled by another definition than the one it bears.
    private static func fill(
        _ index: String, as definition: String, in container: TestContainer
    ) throws {
        let path = container.folder.file()
        let text = try RawDatabase(path).value(
            "SELECT sql FROM sqlite_schema WHERE name = '\(index)'")
        func define(_ text: String) throws {
            try RawDatabase(path).run(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = '\(text)' WHERE name = '\(index)';
                """)
        }
        try define("CREATE INDEX \(index) ON \(definition)")
        try RawDatabase(path).run("REINDEX \(index)")
        try define(text)
    }

    @Test("R-22 L-11 a session that was not in front is not so for an index's sake")
    func notInFront() throws {
        let container = try Self.container()
        var store = try container.open()
        _ = try store.add("behind")
        try store.close()
        for definition in [
            "session (epoch, recency) WHERE is_front = 1", "session (epoch, recency)",
        ] {
            try Self.fill("session_front", as: definition, in: container)
            store = try container.open()
            #expect(Set(try store.frontRecords().map(\.identifier)) == ["A", "B", "C"])
            try store.close()
        }
    }

    @Test("R-22 L-70 a closed session is not the most recent one for an index's sake")
    func notOpen() throws {
        let container = try Self.container()
        for end in [" WHERE is_open = 1", ""] {
            try Self.fill(
                "session_recency", as: "session (configuration_id, recency, conditions_id)" + end,
                in: container)
            let store = try container.open()
            #expect(try store.mostRecentRecord()?.identifier == "C")
            try store.close()
        }
    }

    @Test("S-61 R-26 a row of which an index has another value is whole, and the index is reported")
    func otherValue() throws {
        let container = try Self.container()
        try Self.fill(
            "session_recency",
            as: "session (configuration_id, recency + 7, conditions_id) WHERE is_open = 1",
            in: container)
        let store = try container.open()
        _ = try store.mostRecentRecord()
        let told = store.takeDiagnostics().map(\.code)
        #expect(told == [.pageDamage])
        #expect(try Set(store.openRecords().map(\.identifier)) == ["A", "B", "C"])
    }

    @Test("R-22 S-50 an index that leaves closed sessions out hides none, and that is reported")
    func closedAndHidden() throws {
        let container = try Self.container()
        try Self.fill(
            "session_closed", as: "session (epoch) WHERE is_open = 0 AND identifier <> ''D''",
            in: container)
        do {
            let reader = try container.open(.reader)
            #expect(try reader.discards.recentlyClosed().map(\.record.identifier) == ["D"])
            #expect(Self.damage(reader).count == 1)
            try reader.close()
        }
        let store = try container.open()
        #expect(try store.discards.recentlyClosed().map(\.record.identifier) == ["D"])
        #expect(Self.damage(store).count == 1)
    }

    @Test("R-22 L-50 a configuration that its index leaves out is there")
    func hiddenConfiguration() throws {
        let container = try Self.container()
        try Self.fill(
            "configuration_role", as: "configuration (epoch, role, name) WHERE id < 0",
            in: container)
        let store = try container.open()
        #expect(
            try store.openRecords().map(\.configuration.name)
                == Array(repeating: "Default Configuration", count: 3))
    }

    @Test(
        "S-61 R-63 from a file whose pages are damaged nothing is pruned", arguments: [true, false])
    func damagedPages(isDamaged: Bool) throws {
        let container = try Self.container()
        var store = try container.open()
        try store.saveActivity(activity(1))
        try store.close()
        if isDamaged {
            try Self.swap("scene_storage_key", "saved_activity_identifier", in: container)
        }
        store = try container.open { $0.launchCapacity = 1 }
        try Self.idle(store)
        #expect(Self.damage(store).isEmpty == !isDamaged)
        for _ in 0..<3 {
            try store.launch()
        }
        try Self.idle(store)
        #expect(try store.launches.records().count == (isDamaged ? 3 : 1))
        #expect(try store.upkeep.pruningPlan().count == (isDamaged ? 2 : 0))
    }
}
