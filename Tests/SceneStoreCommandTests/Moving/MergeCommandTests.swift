import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreSQLite
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("merge")
struct MergeCommandTests {
    /// All rows of a query over a merged database, the columns joined.
    private func rows(_ fixture: EditedFixture, _ sql: String) throws -> [String] {
        let path = URL(filePath: fixture.file("out/merged.sqlite")).resolvingSymlinksInPath()
            .path(percentEncoded: false)
        let connection = try Connection(path: path, options: Connection.Options(.immutable))
        var rows: [String] = []
        try connection.withStatement(text: sql) { statement throws(SQLiteError) in
            while try statement.step() {
                var cells: [String] = []
                for index in 0..<statement.columnCount {
                    switch statement.columnType(at: index) {
                    case .text: cells.append(try statement.text(at: index))
                    case .integer: cells.append(String(try statement.integer(at: index)))
                    default: cells.append("-")
                    }
                }
                rows.append(cells.joined(separator: "|"))
            }
        }
        try connection.close()
        return rows
    }

    private func merge(
        _ fixture: EditedFixture, _ words: String..., in world: ToolWorld = ToolWorld()
    ) -> ToolRun {
        world.run(["merge", "-o", fixture.file("out")] + words)
    }

    @Test("stores stand side by side, told apart by the column device; none of them changes")
    func merging() throws {
        let (first, second) = (try EditedFixture(), try EditedFixture(seed: 2))
        let before = (first.files, second.files)
        let run = merge(first, first.path, second.path + "/scenes.sqlite")
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.hasPrefix("2 stores, 6 sessions in "))
        #expect((first.files, second.files) == before)
        #expect(
            try rows(first, "SELECT device, count(*) FROM session GROUP BY device ORDER BY device")
                == ["\(first.path)|3", "\(second.path)|3"].sorted())
        #expect(
            try rows(
                first,
                """
                SELECT json_extract(state, '$.info.number'), current FROM activity
                WHERE session = 'letter-session' AND device = '\(second.path)'
                ORDER BY generation DESC
                """) == ["1|1", "0|0"])
        #expect(try rows(first, "SELECT count(*) FROM launch") == ["2"])
        #expect(try rows(first, "SELECT count(*) FROM event WHERE event = 'save'") == ["6"])
        #expect(
            try rows(first, "SELECT state FROM session WHERE session LIKE 'dr%'")
                == ["held", "held"])
        #expect(try rows(first, "PRAGMA integrity_check") == ["ok"])
        #expect(try rows(first, "SELECT count(*) FROM pragma_foreign_key_check") == ["0"])
    }

    @Test("a launch that died before its ledger expected nobody knows how many, not none")
    func unknownExpected() throws {
        let (place, died) = (try EditedFixture(), try Fixture(Fixture.withheldState))
        let run = merge(place, died.path)
        #expect(run.status == .done, "\(run.errors)")
        #expect(
            try rows(place, "SELECT launch, expected FROM launch ORDER BY launch").dropFirst().first
                == "2|-")
    }

    @Test("titles and states are those of 'sessions'")
    func sameAsSessions() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let key = try #require(try store.record(identifier: "letter-session")).key
        var activity = try UserActivity(activityType: "com.example.letter")
        activity.title = "Letter to Ann"
        try store.save(
            [StateToSave(key: key, activity: activity)], context: SaveContext(savedAt: 1))
        let blank = try #require(try store.record(identifier: "blank-session")).key
        try store.discard([blank], cause: .user, deliveredNow: true)
        try store.close()
        #expect(merge(fixture, fixture.path).status == .done)
        let sessions = try fixture.run("sessions", "--all", "--json").objects().map {
            "\($0.text("session") ?? "")|\($0.text("title") ?? "-")|\($0.text("state") ?? "")"
        }
        #expect(sessions.contains("letter-session|Letter to Ann|disconnected"))
        #expect(
            try rows(fixture, "SELECT session, title, state FROM session ORDER BY session")
                == sessions.sorted())
    }

    @Test("a store behind a link or of an older version is merged, with a warning that names it")
    func elsewhere() throws {
        let fixture = try EditedFixture()
        let link = fixture.file("link")
        try FileManager.default.createDirectory(
            atPath: link, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.createSymbolicLink(
            atPath: link + "/scenes.sqlite",
            withDestinationPath: fixture.path + "/scenes.sqlite")
        let older = fixture.file("older")
        try FileManager.default.createDirectory(
            atPath: older, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            atPath: fixture.path + "/scenes.sqlite", toPath: older + "/scenes.sqlite")
        let world = ToolWorld(migrations: MadeMigrations.all)
        #expect(world.run("doctor", "--fix", "--yes", "--store", fixture.path).isSound)
        let run = merge(fixture, fixture.path, link, older, in: world)
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.hasPrefix("3 stores, "))
        for device in [link, older] {
            #expect(run.errors.contains("warning: \(device): "), "\(run.errors)")
        }
        #expect(
            try rows(fixture, "SELECT count(*) FROM session WHERE device = '\(link)'") == ["3"])
    }

    @Test("nothing is merged into a container")
    func intoContainer() throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        let run = ToolWorld().run(["merge", "-o", fixture.path, fixture.path])
        #expect(run.status == .usage)
        #expect(run.errors.contains("is a container; -o names another directory"))
        #expect(fixture.files == before)
    }

    @Test("a merged file that is there is never overwritten")
    func overwriting() throws {
        let fixture = try EditedFixture()
        #expect(merge(fixture, fixture.path).status == .done)
        let before = try Data(contentsOf: URL(filePath: fixture.file("out/merged.sqlite")))
        let again = merge(fixture, fixture.path)
        #expect(again.status == .usage)
        #expect(again.errors.contains("exists"))
        #expect(try Data(contentsOf: URL(filePath: fixture.file("out/merged.sqlite"))) == before)
    }

    @Test("a damaged store is reported and skipped with 5, a missing one with 3")
    func skipping() throws {
        let (fixture, damaged) = (try EditedFixture(), try EditedFixture(seed: 2))
        try damaged.damage()
        let run = merge(fixture, damaged.path, fixture.path, "/nowhere")
        #expect(run.status == .damaged)
        #expect(run.errors.contains("skipped \(damaged.path): "))
        #expect(try rows(fixture, "SELECT count(*) FROM device") == ["1"])
        #expect(
            try rows(fixture, "SELECT device, status FROM skipped ORDER BY device")
                == ["\(damaged.path)|5", "/nowhere|3"].sorted())
        let other = try EditedFixture()
        #expect(merge(other, other.path, "/nowhere").status == .noStore)
        let none = try EditedFixture()
        #expect(merge(none, "/nowhere").status == .noStore)
        #expect(!FileManager.default.fileExists(atPath: none.file("out/merged.sqlite")))
        #expect(merge(none).status == .usage)
    }

    @Test("a damaged row is left out and counted, the rest is there; exit 5")
    func damagedRow() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite("UPDATE session SET is_front = 1 WHERE identifier = 'blank-session'")
        let run = merge(fixture, fixture.path)
        #expect(run.status == .damaged)
        #expect(try rows(fixture, "SELECT count(*) FROM session") == ["2"])
        #expect(try rows(fixture, "SELECT findings > 0 FROM device") == ["1"])
    }

    @Test("S-70 ephemeral sessions are never there, private ones without content, --redact less")
    func privacy() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        for (name, privacy) in [
            ("draft-session", PrivacyClass.redacted), ("blank-session", .ephemeral),
        ] {
            let key = try #require(try store.record(identifier: name)).key
            try store.values.setTitle("canary title", key: key)
            try store.marks.setPrivacy(privacy, key: key)
        }
        let key = try #require(try store.record(identifier: "letter-session")).key
        try store.values.setTitle("open title", key: key)
        try store.values.setStorage(["column": .string("canary stored")], key: key)
        try store.close()
        #expect(merge(fixture, fixture.path).status == .done)
        let bytes = try Data(contentsOf: URL(filePath: fixture.file("out/merged.sqlite")))
        #expect(bytes.firstRange(of: Data("canary title".utf8)) == nil)
        #expect(bytes.firstRange(of: Data("open title".utf8)) != nil)
        #expect(bytes.firstRange(of: Data("blank-session".utf8)) == nil)
        #expect(
            try rows(fixture, "SELECT session, privacy, activity FROM session ORDER BY session")
                == ["draft-session|redacted|-", "letter-session|standard|com.example.lette"])
        for (how, shows) in [("values", true), ("all", false)] {
            try FileManager.default.removeItem(atPath: fixture.file("out"))
            #expect(merge(fixture, fixture.path, "--redact", how).status == .done)
            let bytes = try Data(contentsOf: URL(filePath: fixture.file("out/merged.sqlite")))
            for secret in ["open title", "canary stored", "private words"] {
                #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(how) \(secret)")
            }
            let state = try rows(
                fixture,
                "SELECT json_extract(state, '$.info.text') FROM activity "
                    + "WHERE session LIKE 'letter%' LIMIT 1")
            #expect(state == (shows ? ["{\"$redacted\":\"string\"}"] : ["-"]))
        }
    }

    @Test("S-70 nor are values of redacted keys, whoever merges")
    func redactedKeys() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open { $0.redactedKeys = ["secret"] }
        let key = try #require(try store.record(identifier: "letter-session")).key
        let secret: ValueDictionary = ["secret": "canary", "kept": "open words"]
        try store.values.setUserInfo(secret, key: key)
        try store.values.setStorage(["secret": "canary"], key: key)
        let activity = try UserActivity(activityType: "com.example.letter", userInfo: secret)
        try store.save(
            [StateToSave(key: key, activity: activity)], context: SaveContext(savedAt: 1))
        try store.close()
        #expect(merge(fixture, fixture.path).status == .done)
        let bytes = try Data(contentsOf: URL(filePath: fixture.file("out/merged.sqlite")))
        #expect(bytes.firstRange(of: Data("canary".utf8)) == nil)
        #expect(bytes.firstRange(of: Data("63616e617279".utf8)) == nil)
        #expect(bytes.firstRange(of: Data("open words".utf8)) != nil)
        #expect(
            try rows(fixture, "SELECT json_extract(value, '$.$redacted') FROM storage")
                == ["string"])
        let shown = ToolWorld().run("show", "letter-session", "--store", fixture.path)
        #expect(shown.output.contains("canary"))
    }

    @Test("the stores may stand in a list; each counts once")
    func list() throws {
        let fixture = try EditedFixture()
        let list = fixture.file("stores.txt")
        try Data("\(fixture.path)\r\n\n\(fixture.path)/\n".utf8).write(to: URL(filePath: list))
        let run = merge(fixture, "--stores", list, "--json")
        #expect(try run.objects().first?["counts"]?.objectValue?["merged"] == 1)
    }

    @Test("Ctrl-C leaves no file, not even an unfinished one")
    func interruption() throws {
        let fixture = try EditedFixture()
        var world = ToolWorld()
        world.isInterrupted = { true }
        let run = world.run("merge", "-o", fixture.file("out"), fixture.path)
        #expect(run.status == .interrupted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.file("out")) == [])
    }

    @Test("progress with rate and time left, on a terminal's standard error alone")
    func progress() throws {
        let fixture = try EditedFixture()
        let copies = try (0..<8).map { number in
            let copy = fixture.file("copy\(number)")
            try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
            return copy
        }
        var world = ToolWorld()
        let clock = world.clock
        world.terminal.isErrorTerminal = true
        // Each question about Ctrl-C stands for a moment of work.
        world.isInterrupted = {
            clock.advance(.milliseconds(20))
            return false
        }
        let run = world.run(["merge", "-o", fixture.file("out")] + copies)
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.errors.contains("\rmerge ["))
        #expect(run.errors.contains(" sessions  "))
        #expect(run.errors.contains(" s left"))
    }
}
