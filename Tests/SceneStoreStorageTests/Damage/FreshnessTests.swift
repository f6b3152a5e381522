import Testing

import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreTestContainers
import SceneStoreTesting

/// Rows that bear their checksums and are not what was written last: what a page that went back to
/// an older version holds.
@Suite("Freshness")
struct FreshnessTests {
    /// A table as it was, which SQL puts back.
    private static func remember(_ table: String, in container: TestContainer) throws -> String {
        let path = container.folder.file("old-\(table)")
        try RawDatabase(container.folder.file()).run(
            "ATTACH '\(path)' AS old; CREATE TABLE old.\(table) AS SELECT * FROM main.\(table)")
        return path
    }

    private static func putBack(
        _ table: String, from path: String, where rows: String = "1", in container: TestContainer
    ) throws {
        try RawDatabase(container.folder.file()).run(
            """
            PRAGMA foreign_keys = OFF;
            ATTACH '\(path)' AS old;
            DELETE FROM main.\(table) WHERE \(rows);
            INSERT INTO main.\(table) SELECT * FROM old.\(table) WHERE \(rows);
            """)
    }

    /// Sessions whose current state is not bound by its checksum.
    private static func unbound(_ container: TestContainer) throws -> String {
        try RawDatabase(container.folder.file()).value(
            """
            SELECT count(*) FROM session LEFT JOIN state ON state.id = session.state_id
            WHERE session.state_id IS NOT NULL AND session.state_checksum IS NOT state.checksum
            """)
    }

    private func idle(_ store: SceneSessionStore) throws -> [Diagnostic] {
        while try store.upkeep.perform(budgetMilliseconds: 60_000) {}
        return store.takeDiagnostics()
    }

    /// Two sessions whose states went back: `later` states were saved meanwhile.
    private func wentBack(later: Int) throws -> TestContainer {
        let container = TestContainer(.fail)
        var store = try container.open()
        for name in ["A", "B"] {
            let record = try store.add(name)
            try store.save(record, activity(0))
            try store.save(record, activity(1))
        }
        try store.close()
        let old = try Self.remember("state", in: container)
        store = try container.open()
        for name in ["A", "B"] {
            let record = try #require(try store.record(identifier: name))
            for number in 2..<2 + later {
                try store.save(record, activity(number))
            }
        }
        try store.close()
        try Self.putBack("state", from: old, in: container)
        return container
    }

    @Test(
        "R-26 a state that went back is missing, and the newest earlier one is withheld",
        // In a slot of its own, and in one that held another state before.
        arguments: [1, 2, 13, 40])
    func states(later: Int) throws {
        let container = try wentBack(later: later)
        var store = try container.open()
        let record = try #require(try store.record(identifier: "A"))
        #expect(try store.restorationActivity(key: record.key) == nil)
        #expect(try store.saveContext(key: record.key) == nil)
        let told = store.takeDiagnostics()
        #expect(told.map(\.code) == [.stateStale])
        #expect(told.first?.sessionIdentifier == "A")
        let session = try store.session(for: record)
        #expect(session.stateRestorationActivity == nil)
        #expect(session.withheldState == .lost)
        // Told once.
        #expect(store.takeDiagnostics().isEmpty)
        try store.history.withhold(key: record.key, .lost)
        try store.close()
        // What the session recorded of it is kept.
        let raw = try RawDatabase(container.folder.file())
        #expect(
            try raw.rows("SELECT table_name, row_id FROM quarantined_row")
                == [["session", "\(record.key)"]])
        store = try container.open()
        let again = try #require(try store.record(identifier: "A"))
        #expect(again.isStateWithheld)
        #expect(try store.restorationActivity(key: again.key) == activity(1))
        // Later saves are written beside it.
        for number in 100..<140 {
            try store.save(again, activity(number))
        }
        #expect(try store.history.takeBack(key: again.key))
        #expect(try store.restorationActivity(key: again.key) == activity(1))
        // The other session was not looked at, and is as it was.
        let other = try #require(try store.record(identifier: "B"))
        #expect(!other.isStateWithheld)
        #expect(try store.restorationActivity(key: other.key) == nil)
    }

    @Test("R-26 a session whose only state went back has nothing to be withheld")
    func onlyState() throws {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        try store.close()
        try RawDatabase(container.folder.file()).run("DELETE FROM state")
        store = try container.open()
        #expect(try store.restorationActivity(key: record.key) == nil)
        try store.history.withhold(key: record.key, .lost)
        #expect(try !store.history.takeBack(key: record.key))
        try store.save(record, activity(2))
        #expect(try store.restorationActivity(key: record.key) == activity(2))
    }

    @Test("S-22 R-26 the same state is saved once more when what lies in its place is older")
    func savedAgain() throws {
        let container = try wentBack(later: 13)
        let store = try container.open()
        let record = try #require(try store.record(identifier: "A"))
        #expect(try store.save(record, activity(14)))
        #expect(try store.restorationActivity(key: record.key) == activity(14))
        #expect(try !store.save(record, activity(14)))
        #expect(store.takeDiagnostics().map(\.code) == [.stateStale])
    }

    /// Sessions, or sessions and states together, as they were some saves ago.
    private func olderSessions(_ tables: [String]) throws -> (TestContainer, Int64) {
        let container = TestContainer(.fail)
        var store = try container.open()
        let record = try store.add("A")
        try store.save(record, activity(1))
        let other = try store.add("B")
        try store.save(other, activity(1))
        try store.close()
        let old = try tables.map { ($0, try Self.remember($0, in: container)) }
        store = try container.open()
        try store.save(record, activity(2))
        try store.close()
        for (table, path) in old {
            try Self.putBack(table, from: path, in: container)
        }
        return (container, record.key)
    }

    @Test("R-26 a save notices a session's row that is older than its states, and keeps the newest")
    func olderSession() throws {
        let (container, key) = try olderSessions(["session"])
        let store = try container.open()
        // The state that the older row binds is there: nothing tells yet.
        #expect(try store.restorationActivity(key: key) == activity(1))
        let record = try #require(try store.record(key: key))
        for number in 10..<50 {
            try store.save(record, activity(number))
        }
        let told = store.takeDiagnostics().filter { $0.code == .stateStale }
        #expect(told.map(\.sessionIdentifier) == ["A"])
        #expect(try store.history.takeBack(key: key))
        #expect(try store.restorationActivity(key: key) == activity(2))
    }

    @Test(
        "R-26 the first check in the background tells the scenes, keeps what they show and the file",
        arguments: [["session"], ["session", "state"]])
    func background(_ tables: [String]) throws {
        let (container, key) = try olderSessions(tables)
        var store = try container.open()
        #expect(try store.restorationActivity(key: key) == activity(1))
        let before = try store.read { reader in reader.store.openDigest }
        let told = try idle(store)
        #expect(told.map(\.code) == [.digestMismatch, .stateStale])
        #expect(told.last?.sessionIdentifier == "A")
        // What was shown outlives later saves.
        let record = try #require(try store.record(key: key))
        for number in 10..<50 {
            try store.save(record, activity(number))
        }
        #expect(try idle(store).isEmpty)
        let kept = try store.history.versions(key: key).map(\.generation)
        try store.close()
        // The digest was not rewritten without a record and a copy of the file.
        let raw = try RawDatabase(container.folder.file())
        #expect(
            try raw.rows("SELECT table_name, reason FROM quarantined_row") == [["store", "digest"]])
        let detail = try raw.value("SELECT detail FROM event WHERE kind = 'quarantine'")
        let name = try #require(detail.split(separator: " ").last.map(String.init))
        let copy = try RawDatabase(container.folder.file("quarantine/\(name)"))
        #expect(try copy.value("SELECT open_digest FROM store") == String(before))
        #expect(try copy.value("SELECT count(*) FROM session") == "2")
        // And the store does not count as sound until it is repaired.
        store = try container.open()
        #expect(try !store.verify(.full).isSound)
        #expect(try store.verify(.full).findings.map(\.code) == [.digestMismatch])
        #expect(try store.history.versions(key: key).map(\.generation) == kept)
        var shown = 0
        for generation in kept
        where try store.history.state(key: key, generation: generation) == activity(1) {
            shown += 1
        }
        #expect(shown == 1)
        try store.close()
        let report = try SceneSessionStore.repair(
            at: .directory(container.folder.path), options: container.options())
        #expect(report.findings.map(\.code) == [.digestMismatch])
        #expect(report.remaining.isEmpty)
        #expect(try container.open().verify(.full).isSound)
    }

    @Test("R-26 a loss is not accepted while the file can't be copied")
    func noEvidence() throws {
        let (container, _) = try olderSessions(["session"])
        try container.folder.write(.init(), "quarantine")
        var store = try container.open()
        let codes = try idle(store).map(\.code)
        #expect(codes.first == .digestMismatch)
        #expect(codes.count == 3)
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        #expect(try raw.value("SELECT count(*) FROM quarantined_row") == "0")
        // The next process finds the same.
        store = try container.open()
        #expect(try idle(store).first?.code == .digestMismatch)
        #expect(try !store.verify(.full).isSound)
    }

    @Test("R-26 S-41 what can't be accepted is tried once, and other sessions are no lost ones")
    func triedOnce() throws {
        let (container, _) = try olderSessions(["session"])
        try container.folder.write(.init(), "quarantine")
        let store = try container.open()
        func copying(_ told: [Diagnostic]) -> Int {
            told.count { $0.message.contains("can't be copied") }
        }
        #expect(copying(try idle(store)) == 1)
        // The next look finds the same again; nobody tries to copy the file once more.
        _ = try store.openRecords()
        let told = try idle(store)
        #expect(copying(told) == 0)
        #expect(told.map(\.code) == [.digestMismatch])
    }

    @Test("R-26 the count of a configuration's sessions is what is there, once a loss is accepted")
    func configurationCount() throws {
        let container = TestContainer(.fail)
        let store = try container.open()
        for name in ["A", "B", "C"] {
            _ = try store.add(name)
        }
        try store.close()
        let raw = try RawDatabase(container.folder.file())
        try raw.run("DELETE FROM session WHERE identifier = 'B'")
        let next = try container.open()
        #expect(!(try idle(next)).isEmpty)
        try next.close()
        #expect(try raw.rows("SELECT open_sessions FROM configuration") == [["2"]])
    }

    @Test(
        "S-22 R-26 a state that equals the older one in its place is saved once more",
        arguments: [13, 40], [0, 1])
    func equalsOlder(later: Int, number: Int) throws {
        let container = try wentBack(later: later)
        let store = try container.open()
        let record = try #require(try store.record(identifier: "A"))
        #expect(try store.save(record, activity(number)))
        #expect(try store.restorationActivity(key: record.key) == activity(number))
    }

    @Test("R-26 while the open sessions add up, no state that was shown is doubted")
    func otherRows() throws {
        let container = try TestContainer.filled()
        try RawDatabase(container.folder.file()).run("DELETE FROM session_value WHERE id & 255 = 2")
        let store = try container.open()
        for record in try store.openRecords() {
            #expect(try store.restorationActivity(key: record.key) != nil)
        }
        #expect(try idle(store).map(\.code) == [.digestMismatch])
    }

    @Test("R-26 every write that points a session at a state binds it")
    func binding() throws {
        let container = try TestContainer.filled()
        #expect(try Self.unbound(container) == "0")
        let store = try container.open()
        try store.launch()
        let record = try #require(try store.record(identifier: "A"))
        try store.history.checkout(
            key: record.key, generation: store.history.versions(key: record.key)[1].generation)
        // Confirmed under another version, in place.
        let other = try #require(try store.record(identifier: "B"))
        try store.save(
            [StateToSave(key: other.key, activity: activity(2, bytes: 300))],
            context: SaveContext(appVersion: "2", savedAt: 5))
        let third = try #require(try store.record(identifier: "C"))
        try store.history.withhold(key: third.key, .declined)
        try store.save(third, activity(50))
        #expect(try store.history.takeBack(key: third.key))
        for record in [record, other, third] {
            #expect(try store.restorationActivity(key: record.key) != nil)
        }
        #expect(try idle(store).isEmpty)
        try store.close()
        #expect(try Self.unbound(container) == "0")
        #expect(try container.open().verify(.full).isSound)
    }
}
