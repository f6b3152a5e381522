import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// A field means the same in the JSON of every command.
@Suite("one meaning for each field")
struct OneFieldTests {
    private static let long = String(repeating: "about a table ", count: 12)
    private static let odd = "a\u{202E}b"

    /// A window whose activity has the title, one that has none, and one that is private.
    private func titled(_ title: String) throws -> Fixture {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            new-scene
            new-scene
            wait 1s
            quit

            """)
        try fixture.edit { store in
            for (place, record) in try store.openRecords().enumerated() where place < 2 {
                var activity = try UserActivity(activityType: "com.example.edit")
                activity.title = title
                try store.save(
                    [StateToSave(key: record.key, activity: activity)],
                    context: SaveContext(savedAt: VirtualClock.start))
                if place == 1 {
                    try store.marks.setPrivacy(.redacted, key: record.key)
                }
            }
        }
        return fixture
    }

    @Test(
        "R-41 a title is the same text in every command, and null where there is none",
        arguments: ["Letter", odd, long])
    func titles(_ title: String) throws {
        let fixture = try titled(title)
        func titles(_ line: [String], _ kind: String? = nil) throws -> [String: String?] {
            let rows = try ToolWorld().run(line + ["--json", "--store", fixture.path]).objects()
            return Dictionary(
                rows.filter { $0.text("kind") == kind && $0.text("session") != nil }.map {
                    ($0.text("session") ?? "", $0.text("title"))
                }, uniquingKeysWith: { first, _ in first })
        }
        let sessions = try titles(["sessions"])
        #expect(sessions.count == 3)
        #expect(sessions.values.compactMap(\.self) == [title])
        #expect(try titles(["report"], "window") == sessions)
        #expect(try titles(["report"], "session") == sessions)
        #expect(try titles(["timeline"]) == sessions)
        #expect(try titles(["plan"]) == sessions)
        #expect(try titles(["size", "--by", "session"]) == sessions)
        #expect(try titles(["log"]) == sessions)
        for (session, title) in sessions {
            #expect(try titles(["why", session]) == [session: title])
            #expect(try titles(["find", session]) == [session: title])
        }
        let csv = fixture.run("sessions", "--csv").output
        #expect(csv.contains(title == Self.odd ? "a\\u{202E}b" : title), "\(csv)")
        let found = try #require(
            try fixture.run("find", title, "--json").objects().first {
                $0.text("where") == "title"
            })
        let session = try #require(found.text("session"))
        #expect(fixture.run("show", session, "--key", "title", "--raw").output == title + "\n")
    }

    @Test("L-52 a session's state is the same word in size and in sessions")
    func states() throws {
        let path = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(path) }
        let store = path + "/store"
        let world = ToolWorld()
        #expect(
            world.run("fixture", "make", "--template", "held-after-crashes", "-o", store).status
                == .done)
        func states(_ line: String...) throws -> [String: String] {
            Dictionary(
                try world.run(line + ["--json", "--store", store]).objects().map {
                    ($0.text("session") ?? "", $0.text("state") ?? "")
                }, uniquingKeysWith: { first, _ in first })
        }
        let sessions = try states("sessions", "--all")
        #expect(sessions.values.contains("held"))
        #expect(try states("size", "--by", "session") == sessions)
    }

    @Test("export takes --json, which changes nothing")
    func export() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("export", "--json").output == fixture.run("export").output)
    }

    @Test("S-63 diff --with names what else differs than sessions, for scripts, too")
    func others() throws {
        let fixture = try EditedFixture()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        let store = try fixture.open()
        _ = try store.inbox.keep(
            .activity(try UserActivity(activityType: "com.example.edit")), dedupe: nil)
        try store.close()
        let run = fixture.run("diff", "--with", copy, "--json")
        #expect(run.status == .answeredNo)
        #expect(
            run.output
                == "{\"changes\":[],\"fields\":[],\"kind\":\"payload\",\"session\":null,\"title\":null}\n"
        )
        #expect(fixture.run("diff", "--with", copy).output == "  waiting payloads\n")
    }

    @Test("why tells a launch that began in the moment in which the session was made")
    func sameMoment() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            background A
            quit
            launch
            quit

            """)
        let page = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        let launches = page["launches"]?.arrayValue ?? []
        #expect(launches.map { $0.objectValue?["launch"]?.integerValue } == [2])
        #expect(launches.first?.objectValue?["outcome"]?.stringValue == "restored")
    }

    @Test("plan says once that restoration is switched off")
    func switchedOff() throws {
        let fixture = try titled("Letter")
        try fixture.edit { store in
            let record = try #require(try store.openRecords().last)
            try store.marks.setRestorationEnabled(false, key: record.key)
        }
        let forgotten = try fixture.run("plan", "--json").objects().filter {
            $0.text("step") == "forget"
        }
        #expect(
            forgotten.map { $0.text("reason") }
                == ["state disabled: restoration is switched off for the session"])
    }

    /// Commands that print JSON, the changing ones in an order in which each has something to do.
    private static let lines: [[String]] = [
        ["info"], ["sessions", "--all"], ["find", "letter"], ["log"], ["history", "@last"],
        ["timeline"], ["report"], ["size"], ["size", "--by", "session"], ["size", "--by", "key"],
        ["plan"], ["plan", "--url", "notes://note/1"], ["why", "@last"], ["doctor", "--full"],
        ["open-url", "notes://note/1"], ["--version"],
        ["hold", "letter", "--yes"], ["release", "draft", "--yes"], ["discard", "letter", "--yes"],
        ["reopen", "letter-session", "--yes"], ["operations"], ["undo", "--yes"],
        ["undo", "--redo", "--yes"], ["compact", "--yes"], ["forget", "--configurations", "--yes"],
        ["prune", "--older-than", "1s", "--yes"], ["reset", "--dry-run"], ["reset", "--yes"],
        ["restore", "COPY", "--yes"], ["simulate", "SCENARIO", "--in-place", "-n"], ["backup"],
        ["repair", "--dry-run"], ["operations"],
    ]

    @Test("a field at the top of a JSON value has one type in all commands")
    func types() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("backup", "-o", fixture.file("copy.sqlite")).status == .done)
        try Data("launch\nquit\n".utf8).write(to: URL(filePath: fixture.file("a.scenario")))
        func type(_ value: CanonicalJSON) -> String? {
            switch value {
            case .null: nil
            case .boolean: "boolean"
            case .integer, .double: "number"
            case .string: "text"
            case .array: "list"
            case .object: "object"
            }
        }
        var found: [String: [String: [String]]] = [:]
        for line in Self.lines {
            var world = ToolWorld()
            world.clock = fixture.clock
            let files = ["COPY": "copy.sqlite", "SCENARIO": "a.scenario"]
            let words = line.map { word in files[word].map(fixture.file) ?? word }
            let run = world.run(words + ["--json", "--store", fixture.path])
            #expect([.done, .answeredNo].contains(run.status), "\(line): \(run.errors)")
            // Where there is nothing to tell, nothing is printed.
            for object in try run.output.isEmpty ? [] : run.objects() {
                for member in object.members {
                    if let type = type(member.value) {
                        found[member.key, default: [:]][type, default: []].append(line[0])
                    }
                }
            }
        }
        for (field, types) in found.sorted(by: { $0.key < $1.key }) {
            #expect(types.count == 1, "\(field): \(types)")
        }
    }
}
