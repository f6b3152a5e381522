import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand
import SceneStoreFormats

@Suite("size")
struct SizeCommandTests {
    @Test("by session: the current state, all states, and what they may be")
    func sessions() throws {
        let rows = try EditedFixture().run("size", "--by", "session", "--json").objects()
        #expect(
            rows.map { $0.text("session") } == [
                "letter-session", "draft-session", "blank-session",
            ])
        let letter = try #require(rows.first)
        let current = try #require(letter["stateBytes"]?.integerValue)
        let history = try #require(letter["historyBytes"]?.integerValue)
        #expect(letter["states"]?.integerValue == 2)
        #expect(current > 40)
        #expect(history == 2 * current)
        #expect(rows.last?["totalBytes"]?.integerValue == 0)
    }

    @Test("shares are sorted as the numbers that they are")
    func sortedShares() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let key = try #require(try store.record(identifier: "letter-session")).key
        var activity = try UserActivity(activityType: "com.example.letter")
        activity.userInfo = [
            "large": .string(String(repeating: "a", count: 2 << 20)),
            "small": .string(String(repeating: "a", count: 1 << 20)),
        ]
        try store.save(
            [StateToSave(key: key, activity: activity)],
            context: SaveContext(appVersion: "1", savedAt: fixture.clock.clock.now()))
        try store.close()
        let lines = fixture.run("size", "--by", "key", "--csv", "--sort=-largestShare").lines
        let keys = lines.dropFirst().prefix(2).map { $0.prefix { $0 != "," }.suffix(5) }
        #expect(keys == ["large", "small"], "\(lines)")
    }

    @Test("by key: how often, how much, the largest; names only, never values")
    func keys() throws {
        let fixture = try EditedFixture()
        let run = fixture.run("size", "--by", "key", "--json")
        let rows = try run.objects()
        let text = try #require(rows.first { $0.text("key") == "activity.userInfo.text" })
        #expect(text["count"]?.integerValue == 2)
        // A byte of head and 13 letters, twice.
        #expect(text["bytes"]?.integerValue == 28)
        #expect(text["largest"]?.integerValue == 14)
        #expect(!run.output.contains("private words"))
        #expect(fixture.run("size", "--by", "key", "--limit", "1").lines.count == 2)
    }

    @Test("by key: paths as 'show --key' takes them, and none of a private session")
    func keyPaths() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let draft = try #require(try store.record(identifier: "draft-session"))
        let letter = try #require(try store.record(identifier: "letter-session"))
        for key in [draft.key, letter.key] {
            try store.values.setStorage(["a.b": .string("abc")], key: key)
        }
        try store.marks.setPrivacy(.redacted, key: draft.key)
        try store.close()
        let rows = try fixture.run("size", "--by", "key", "--json").objects()
        let own = rows.filter { $0.text("key") != "private sessions" }
        #expect(own.count == 4 && own.allSatisfy { $0["count"] == 1 })
        for path in own.compactMap({ $0.text("key") }) where !path.hasSuffix("(the rest)") {
            #expect(fixture.run("show", "letter", "--key", path).status == .done, "\(path)")
        }
        #expect(rows.count == 5)
    }

    @Test("by type: everything together is what the container takes")
    func types() throws {
        let fixture = try EditedFixture()
        let rows = try fixture.run("size", "--json").objects()
        let total = rows.reduce(0) { $0 + ($1["bytes"]?.integerValue ?? 0) }
        let files = fixture.files.values.reduce(0) { $0 + Int64($1.count) }
        #expect(total == files)
        let states = try #require(rows.first { $0.text("type") == "states" })
        #expect(states["count"]?.integerValue == 2)
        #expect(states["limit"]?.integerValue == 100_000)
        let history = try #require(rows.first { $0.text("type") == "history" })
        #expect(history["count"]?.integerValue == 1)
        #expect(fixture.run("size").lines.last?.hasPrefix("total ") == true)
    }

    @Test("scene storage counts by its keys")
    func storage() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let record = try #require(try store.record(identifier: "letter-session"))
        try store.values.setStorage(["column": .string("abc")], key: record.key)
        try store.close()
        let rows = try fixture.run("size", "--by", "key", "--json").objects()
        let key = try #require(rows.first { $0.text("key") == "storage.column" })
        #expect(key["bytes"]?.integerValue == 4)
    }
}
