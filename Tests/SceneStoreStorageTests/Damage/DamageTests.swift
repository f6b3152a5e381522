import Testing

import SceneStore
import SceneStoreTestContainers

@Suite("Bad bytes")
struct DamageTests {
    /// One damage and what it may cost: everything else stays.
    struct Damage: Sendable, CustomTestStringConvertible {
        var sql: String
        var table: String
        var testDescription: String { sql }

        init(_ table: String, _ sql: String) {
            self.table = table
            self.sql = sql
        }
    }

    static let damages = [
        Damage("session", "UPDATE session SET recency = recency + 1 WHERE identifier = 'B'"),
        Damage("session", "UPDATE session SET identifier = 'X' WHERE identifier = 'B'"),
        Damage("session", "UPDATE session SET is_front = 0 WHERE identifier = 'B'"),
        Damage("session", "UPDATE session SET state_id = NULL WHERE identifier = 'B'"),
        Damage("session", "UPDATE session SET checksum = checksum + 1 WHERE identifier = 'B'"),
        Damage("configuration", "UPDATE configuration SET delegate_class = 'E' WHERE name = 'B'"),
        Damage("conditions", "UPDATE conditions SET payload = x'00'"),
        Damage(
            "state",
            "UPDATE state SET payload = x'a0' WHERE id = "
                + "(SELECT state_id FROM session WHERE identifier = 'B')"),
        Damage(
            "state",
            "UPDATE state SET activity_type = 'com.example.other' WHERE id = "
                + "(SELECT state_id FROM session WHERE identifier = 'B')"),
        Damage(
            "session_value",
            "UPDATE session_value SET payload = CAST('other' AS BLOB) WHERE id = "
                + "((SELECT id FROM session WHERE identifier = 'B') << 8) + 2"),
        Damage(
            "scene_storage",
            "UPDATE scene_storage SET payload = x'01' WHERE session_id = "
                + "(SELECT id FROM session WHERE identifier = 'B')"),
        Damage("discard", "UPDATE discard SET cause = 'app'"),
        Damage("saved_activity", "UPDATE saved_activity SET payload = x'a0'"),
        Damage("inbox", "UPDATE inbox SET payload = x'a0'"),
        Damage("launch", "UPDATE launch SET reason = 'recover'"),
        Damage("launch_exception", "UPDATE launch_exception SET reason = 'other'"),
        Damage("event", "UPDATE event SET session_identifier = 'X' WHERE id = 3"),
        Damage(
            "save_context", "UPDATE save_context SET app_version = '99' WHERE app_version = '1'"),
    ]

    @Test(
        "S-60 L-41 a damaged row that counts as absent keeps nothing from being saved in its place",
        arguments: ["state", "session_value", "scene_storage"])
    func occupied(_ table: String) throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let records = [try store.add("A"), try store.add("B")]
        func save(_ number: Int) throws {
            for record in records {
                try store.save(record, activity(number))
                try store.values.setTitle("title \(number)", key: record.key)
                try store.values.setStorage(["zoom": .integer(Int64(number))], key: record.key)
            }
        }
        for number in 0..<3 {
            try save(number)
        }
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        // Of the first session, the oldest.
        try raw.run(
            "UPDATE \(table) SET checksum = checksum + 1 WHERE rowid = "
                + "(SELECT min(rowid) FROM \(table))")
        store = try container.open()
        for number in 3..<200 {
            try save(number)
        }
        #expect(
            try raw.value("SELECT count(*) FROM quarantined_row WHERE table_name = '\(table)'")
                == "1")
        try store.close()
        store = try container.open()
        for record in records {
            #expect(try store.restorationActivity(key: record.key) == activity(199))
            #expect(try store.session(for: record).title == "title 199")
        }
    }

    @Test("S-60 R-22 a damaged session keeps no new one from having its name")
    func occupiedName() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        for name in ["A", "B"] {
            try store.save(try store.add(name), activity(1))
        }
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        try raw.run("UPDATE session SET checksum = checksum + 1 WHERE identifier = 'A'")
        store = try container.open()
        let again = try store.add("A")
        try store.save(again, activity(2))
        #expect(
            try raw.value("SELECT count(*) FROM quarantined_row WHERE table_name = 'session'")
                == "1")
        try store.close()
        store = try container.open()
        #expect(try store.openRecords().map(\.identifier).sorted() == ["A", "B"])
        #expect(try store.restorationActivity(key: again.key) == activity(2))
    }

    @Test("S-60 R-22 a row that fails its checksum is set aside alone", arguments: damages)
    func setAside(_ damage: Damage) throws {
        let container = try TestContainer.filled()
        try RawDatabase(container.folder.file()).run(damage.sql)
        let store = try container.open()
        // Every other session restores.
        let names = try store.openRecords().map(\.identifier)
        #expect(names == (damage.table == "session" ? ["C", "A"] : ["C", "B", "A"]))
        for name in ["A", "C"] {
            let record = try #require(try store.record(identifier: name))
            let session = try store.session(for: record)
            #expect(session.stateRestorationActivity == activity(2, bytes: 300))
            #expect(session.title == "title of \(name)")
            #expect(session.userInfo == ["name": .string(name)])
            #expect(try store.values.storageValues(key: record.key) == ["k": .string(name)])
            #expect(session.configuration.name == name)
        }
        // The damaged row counts as absent, and is never shown.
        #expect(try store.record(identifier: "X") == nil)
        if let record = try store.record(identifier: "B") {
            let session = try store.session(for: record)
            let state = session.stateRestorationActivity
            #expect(state == (damage.table == "state" ? nil : activity(2, bytes: 300)))
            #expect(session.title == (damage.table == "session_value" ? nil : "title of B"))
            #expect(session.configuration.name == "B")
            #expect(
                session.activationConditions.prefersToActivate
                    == (damage.table == "conditions" ? .never : .equals("x")))
            let stored = try store.values.storageValues(key: record.key)
            #expect(stored == (damage.table == "scene_storage" ? [:] : ["k": .string("B")]))
        }
        #expect(try store.discards.pending().isEmpty == (damage.table == "discard"))
        #expect(try store.savedActivities().isEmpty == (damage.table == "saved_activity"))
        #expect(try store.inbox.pending().isEmpty == (damage.table == "inbox"))
        // It is reported …
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(
            store.takeDiagnostics().contains {
                $0.code == .damagedRow && $0.message.contains(" \(damage.table) ")
            })
        // … moved aside, never deleted, and the rest adds up again.
        while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics() == [])
        #expect(try store.openRecords().map(\.identifier) == names)
        #expect(store.takeDiagnostics() == [])
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        #expect(
            try raw.rows(
                "SELECT DISTINCT table_name FROM quarantined_row WHERE reason IN "
                    + "('checksum', 'payload')") == [[damage.table]])
        #expect(try raw.value("PRAGMA foreign_key_check") == "")
        #expect(try raw.value("PRAGMA integrity_check") == "ok")
    }

    @Test("L-04 S-60 a configuration whose role or name lost a bit is proved by its index, whole")
    func provedConfiguration() throws {
        for text in [SceneSessionRole.preferences.rawValue, "Settings"] {
            let container = TestContainer(.fail)
            var configuration = SceneConfiguration(name: "Settings", role: .preferences)
            configuration.sceneClassName = "App.Scene"
            configuration.delegateClassName = "App.Delegate"
            var store = try container.open()
            _ = try store.add("A", configuration: configuration)
            try store.close()
            let root = try RawDatabase(container.store).value(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'configuration'")
            let page = try #require(Int(root)) - 1
            var file = try DamagedFile(container.store)
            let letters = Array(text.utf8)
            let place = try #require(
                (page * 4_096..<(page + 1) * 4_096 - letters.count).first {
                    file.bytes[$0..<$0 + letters.count].elementsEqual(letters)
                })
            file.bytes[place] ^= 4
            try file.write()
            store = try container.open()
            #expect(try store.openRecords().map(\.configuration) == [configuration])
            #expect(try store.configurations.inUse().count == 1)
            #expect(store.takeDiagnostics().map(\.code) == [.damagedRow])
        }
    }

    @Test("R-22 S-41 a session that vanished is lost, reported, and then no longer expected")
    func vanished() throws {
        let container = try TestContainer.filled()
        let raw = try RawDatabase(container.folder.file())
        try raw.run("DELETE FROM session WHERE identifier = 'B'")
        let store = try container.open()
        #expect(try store.openRecords().count == 2)
        let diagnostic = try #require(store.takeDiagnostics().first)
        #expect(diagnostic.code == .lostSessions)
        #expect(diagnostic.message.contains("1 of 3"))
        while try store.upkeep.perform(budgetMilliseconds: 1_000) {}
        #expect(try store.journal.events().first?.kind == .lost)
        #expect(try store.openRecords().count == 2)
        #expect(try store.openCount() == 2)
        #expect(try store.configurations.inUse().count == 2)
        #expect(store.takeDiagnostics().isEmpty)
    }

    @Test("R-22 an older copy of a row passes its checksum and is caught by the digest")
    func replayedRow() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        try raw.run("CREATE TEMP TABLE old AS SELECT * FROM session")
        store = try container.open()
        try store.marks.apply([MarkChange(key: record.key, isFront: true)])
        try store.close()
        try raw.run("DELETE FROM session; INSERT INTO session SELECT * FROM old")
        store = try container.open()
        #expect(try store.openRecords().count == 1)
        #expect(store.takeDiagnostics().map(\.code) == [.digestMismatch])
    }

    @Test("R-22 the digest changes with every kind of write, in the same transaction")
    func digestFollows() throws {
        let container = try TestContainer.filled()
        let store = try container.open()
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
        // In small steps, too.
        var steps = 0
        while try !store.upkeep.verifyRows(budgetMilliseconds: 0), steps < 10_000 {
            steps += 1
        }
        #expect(store.takeDiagnostics().isEmpty)
        try store.launch()
        try store.launch()
        _ = try store.discards.reopen(identifier: "D")
        try store.deleteAllSavedActivities()
        let record = try #require(try store.record(identifier: "A"))
        for number in 0..<30 {
            try store.save(record, activity(number))
        }
        try store.history.checkout(
            key: record.key, generation: store.history.versions(key: record.key)[4].generation)
        #expect(try store.upkeep.verifyRows(budgetMilliseconds: 60_000))
        #expect(store.takeDiagnostics().isEmpty)
    }
}
