import Foundation
import SceneStore
import SceneStoreExchange
import Testing

@testable import SceneStoreCommand
import SceneStoreFormats

@Suite("sql")
struct SQLCommandTests {
    @Test("a query over the documented views, for people, JSON and CSV")
    func views() throws {
        let fixture = try EditedFixture()
        let query = "SELECT session, state FROM sessions ORDER BY session LIMIT 2"
        #expect(
            fixture.run("sql", query).output == """
                session        state
                blank-session  disconnected
                draft-session  held

                """)
        #expect(
            fixture.run("sql", query, "--json").output == """
                {"session":"blank-session","state":"disconnected"}
                {"session":"draft-session","state":"held"}

                """)
        #expect(fixture.run("sql", query, "--csv").output.hasPrefix("session,state\n"))
        #expect(fixture.run("sql", "SELECT 1 WHERE 0").errors == "no rows\n")
    }

    @Test("a CSV row of one NULL is no empty line, which readers skip; among others it is nothing")
    func nullAlone() throws {
        let fixture = try EditedFixture()
        func csv(_ query: String) -> String {
            fixture.run("sql", query, "--csv").output
        }
        #expect(csv("SELECT NULL AS a") == "a\n\"\"\n")
        #expect(
            csv("SELECT 1 AS a UNION ALL SELECT NULL UNION ALL SELECT '' UNION ALL SELECT 2")
                == "a\n1\n\"\"\n\"\"\n2\n")
        #expect(csv("SELECT NULL AS a, NULL AS b") == "a,b\n,\n")
        #expect(csv("SELECT 1 AS a, NULL AS b, 2 AS c") == "a,b,c\n1,,2\n")
        #expect(csv("SELECT NULL AS a WHERE 0") == "a\n")
    }

    @Test(
        "every documented view can be read",
        arguments: [
            "sessions", "activities", "discards", "launches", "events",
        ])
    func view(name: String) throws {
        let run = try EditedFixture().run("sql", "SELECT count(*) AS n FROM \(name)", "--json")
        #expect(run.status == .done, "\(run.errors)")
        #expect(try run.objects().first?["n"]?.integerValue != nil)
    }

    @Test("a fact has one name in SQL, JSON and CSV; SQL writes it with underscores")
    func oneVocabulary() throws {
        let fixture = try EditedFixture()
        func keys(_ command: String...) throws -> Set<String> {
            try ToolWorld().run(command + ["--json", "--store", fixture.path]).objects().reduce(
                into: []) {
                    $0.formUnion($1.members.map(\.key))
                }
        }
        let launch = try #require(
            fixture.run("info", "--json").objects().first?["lastLaunch"]?.objectValue)
        let ledger = try #require(launch["ledger"]?.objectValue)
        let session = try keys("sessions", "--all").union(keys("show", "@last"))
        let known: [String: Set<String>] = [
            "sessions": session.union(["recency", "generation", "id"]),
            "activities": try keys("history", "@last").union(["session", "idiom", "id"]),
            "discards": session.union(["delivery", "canReopen", "generation", "id"]),
            "launches": Set(launch.members.map(\.key) + ledger.members.map(\.key)),
            "events": try keys("log"),
        ]
        for (view, words) in known {
            let head = fixture.run("sql", "SELECT * FROM \(view) LIMIT 0", "--csv").lines.first
            for column in try #require(head).split(separator: ",") {
                let parts = column.split(separator: "_")
                let word = parts.dropFirst().reduce(String(parts[0])) { $0 + $1.capitalized }
                #expect(words.contains(word), "\(view).\(column)")
            }
        }
    }

    @Test("a session has the title and the state that the command sessions gives it")
    func sessions() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let letter = try #require(try store.record(identifier: "letter-session"))
        var activity = try UserActivity(activityType: "com.example.letter")
        activity.title = "To Ada"
        try store.save(
            [StateToSave(key: letter.key, activity: activity)],
            context: SaveContext(savedAt: fixture.clock.clock.now()))
        let draft = try #require(try store.record(identifier: "draft-session"))
        try store.marks.setPrivacy(.redacted, key: draft.key)
        let blank = try #require(try store.record(identifier: "blank-session"))
        try store.discard([blank.key], cause: .user, deliveredNow: true)
        try store.close()
        let listed = try fixture.run("sessions", "--all", "--json").objects().map {
            [$0.text("session"), $0.text("title"), $0.text("state")]
        }
        let query = "SELECT session, title, state FROM sessions"
        let asked = try fixture.run("sql", query, "--json").objects().map {
            [$0.text("session"), $0.text("title"), $0.text("state")]
        }
        #expect(asked == listed)
        #expect(asked.contains(["letter-session", "To Ada", "disconnected"]))
        #expect(
            fixture.run("sql", "SELECT count(*) AS n FROM sessions WHERE state = 'held'", "--csv")
                .output == "n\n1\n")
        #expect(
            fixture.run("sql", "CREATE TEMP VIEW v AS SELECT 1; SELECT * FROM sessions").status
                == .usage)
    }

    @Test("the view of events divides a decision as the log does")
    func decisions() throws {
        let fixture = try Fixture("manifest many.plist\nlaunch\nnew-scene\nquit\nlaunch\nquit")
        let logged = try fixture.run("log", "--json").objects().map {
            [$0.text("event"), $0.text("outcome"), $0.text("reason")]
        }
        let query = "SELECT event, outcome, reason FROM events"
        let asked = try fixture.run("sql", query, "--json").objects().map {
            // Without a state there is nothing to restore; the view has the words of the journal.
            $0.text("reason") == "no state was saved"
                ? [$0.text("event"), "nothing", "it has no current state"]
                : [$0.text("event"), $0.text("outcome"), $0.text("reason")]
        }
        #expect(logged.contains { $0[2] != nil })
        #expect(Set(asked) == Set(logged))
        #expect(asked.count == logged.count)
    }

    @Test("payloads are decoded, by name of the column and by decoded()")
    func decoding() throws {
        let fixture = try EditedFixture()
        let plain = fixture.run(
            "sql", "SELECT payload FROM state WHERE activity_type = 'com.example.draft'", "--json")
        #expect(
            plain.output == """
                {"payload":{"info":{"number":0,"text":"private words"},"type":"com.example.draft"}}

                """)
        let extracted = fixture.run(
            "sql",
            "SELECT json_extract(decoded(payload), '$.info.number') AS n FROM state ORDER BY n",
            "--csv")
        #expect(extracted.output == "n\n0\n0\n1\n")
        let bytes = fixture.run("sql", "SELECT x'00ff' AS b, decoded(x'ff') AS d", "--json")
        #expect(bytes.output == "{\"b\":\"00ff\",\"d\":null}\n")
    }

    @Test("S-70 of the value of a redacted key the kind is decoded, whatever the column is called")
    func redactedValues() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open { $0.redactedKeys = ["secret"] }
        let key = try #require(try store.record(identifier: "letter-session")).key
        try store.values.setStorage(["secret": "canary"], key: key)
        try store.close()
        for column in ["payload", "payload AS p", "decoded(payload) AS p"] {
            let run = fixture.run("sql", "SELECT \(column) FROM scene_storage", "--json")
            #expect(run.output.contains("$redacted"))
            #expect(!run.output.contains("63616e617279") && !run.output.contains("canary"))
        }
    }

    @Test("columns of one name have keys of their own")
    func equalNames() throws {
        let run = try EditedFixture().run("sql", "SELECT 1 AS a, 2 AS a, 3 AS a", "--json")
        #expect(run.output == "{\"a\":1,\"a_2\":2,\"a_3\":3}\n")
    }

    @Test(
        "R-09 what would do more than read is refused, and no byte changes",
        arguments: [
            "DELETE FROM session", "UPDATE store SET generation = 0", "DROP TABLE event",
            "CREATE TABLE x (a)", "CREATE TEMP TABLE x (a)", "ATTACH 'other.sqlite' AS other",
            "PRAGMA user_version = 9", "PRAGMA journal_mode = DELETE", "PRAGMA wal_checkpoint",
            "VACUUM", "VACUUM INTO '/tmp/never.sqlite'", "BEGIN IMMEDIATE", "SAVEPOINT a",
            "SELECT load_extension('x')", "SELECT 1; DELETE FROM session", "SELEC", "",
            "-- nothing",
            "INSERT INTO session_value VALUES (1, 1, 1, x'00')", "REINDEX", "ANALYZE",
            "DETACH main",
        ])
    func readingOnly(query: String) throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        let run = fixture.run("sql", query)
        #expect(run.status == .usage, "\(run.output)")
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("scenestore: "))
        #expect(fixture.files == before)
    }

    private static let endless =
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(x) FROM c"

    @Test("a query that does not end is given up at the time limit")
    func timeLimit() throws {
        let run = try EditedFixture().run("sql", Self.endless, "--time-limit", "1s")
        #expect(run.status == .timeLimit)
        #expect(run.errors.contains("took longer than it may"))
    }

    @Test("S-62 a column that the file names as a statement runs nothing")
    func hostileColumn() throws {
        let fixture = try EditedFixture()
        let column = "1; \(Self.endless); --\"\""
        try fixture.sqlite(
            "DROP VIEW sessions; CREATE VIEW sessions AS SELECT identifier AS session, "
                + "is_open AS \"\(column)\" FROM session; PRAGMA user_version = 99")
        let run = fixture.run("sql", "SELECT * FROM sessions", "--json", "--time-limit", "5s")
        #expect(run.status == .done, "\(run.errors)")
        #expect(try run.objects().count == 3)
        let name = column.replacing("\"\"", with: "\"")
        #expect(try run.objects().first?[name]?.integerValue == 1, "\(run.output)")
    }

    @Test("Ctrl-C ends a query in its middle with 130")
    func interruption() throws {
        let fixture = try EditedFixture()
        var world = ToolWorld()
        let countdown = Countdown()
        world.isInterrupted = { countdown.isOver(after: 3) }
        let run = world.run("sql", Self.endless, "--store", fixture.path)
        #expect(run.status == .interrupted)
        #expect(run.errors.isEmpty)
    }

    @Test("R-40 names of columns and values are escaped for the terminal")
    func escaping() throws {
        let run = try EditedFixture().run("sql", "SELECT 'a' || char(27) || 'b' AS \"c\u{1B}[2J\"")
        #expect(run.output == "c\\u{1B}[2J\na\\u{1B}b\n")
    }
}
