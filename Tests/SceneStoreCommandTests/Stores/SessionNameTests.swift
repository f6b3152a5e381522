import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("names of windows")
struct SessionNameTests {
    let fixture: EditedFixture

    /// `letter` and `draft` have titles, `blank` none; a redacted and an ephemeral one, too.
    init() throws {
        fixture = try EditedFixture()
        let store = try fixture.open()
        let titles = [
            ("letter-session", "Travel to Lisbon"), ("draft-session", "Birthday of letter"),
            ("secret-session", "Tumour"),
        ]
        for (identifier, title) in titles {
            let record: SessionRecord
            if let found = try store.record(identifier: identifier) {
                record = found
            } else {
                record = try store.insertSession(
                    identifier: identifier,
                    configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
            }
            try store.values.setTitle(title, key: record.key)
            if identifier == "secret-session" {
                try store.marks.setPrivacy(.redacted, key: record.key)
            }
        }
        try store.close()
    }

    @Test("a session is its title, or a part of it, in any case of letters")
    func titles() {
        for word in ["Travel to Lisbon", "travel TO lisbon", "Lisb", "title:lisb", "id:letter"] {
            let run = fixture.run("show", word, "--key", "session", "--raw")
            #expect(run.output == "letter-session\n", "\(word): \(run.errors)")
        }
    }

    @Test("a word that is a part of a title and the beginning of an identifier lists both")
    func twoWays() {
        let run = fixture.run("show", "letter")
        #expect(run.status == .usage)
        // Titles are for a person at a terminal, not for a log.
        #expect(run.errors.contains("letter-session (Editor letter-s)"), "\(run.errors)")
        #expect(run.errors.contains("draft-session (Editor draft-se)"))
        let seen = fixture.run("show", "letter", answers: [])
        #expect(seen.errors.contains("letter-session (\"Travel to Lisbon\")"), "\(seen.errors)")
        #expect(seen.errors.contains("draft-session (\"Birthday of letter\")"))
        #expect(
            fixture.run("show", "title:letter", "--key", "session", "--raw").output
                == "draft-session\n")
    }

    @Test("S-70 operations name windows, also those that are gone, and no private title")
    func operations() throws {
        for line in [
            ["hold", "letter-session"], ["hold", "secret-session"], ["discard", "letter-session"],
            ["forget", "draft-session", "blank-session"],
        ] {
            #expect(
                fixture.run(line[0], line[1], line.count > 2 ? line[2] : "--yes", "--yes").status
                    == .done)
        }
        let rows = try fixture.run("operations", "--json").objects()
        #expect(
            rows.map { $0["titles"] } == [
                ["Birthday of letter", .null], ["Travel to Lisbon"], [.null], ["Travel to Lisbon"],
            ])
        #expect(
            rows.first?["sessions"] == ["draft-session", "blank-session"])
        let text = fixture.run("operations").output
        #expect(text.contains("  Birthday of letter, Editor blank-se  "), "\(text)")
        #expect(text.contains("  Editor secret-s  "))
        #expect(!text.contains("Tumour"))
        let log = fixture.run("log", "letter-session")
        #expect(log.output.contains("  Travel to Lisbon  "), "\(log.output)")
        #expect(try fixture.run("log", "draft-session", "--json").objects().last?["title"] == .null)
    }

    @Test("S-70 titles of private sessions are no names, and appear in no question")
    func privateTitles() {
        #expect(fixture.run("show", "Tumour").status == .noStore)
        #expect(fixture.run("show", "title:Tum").status == .noStore)
        let run = fixture.run("discard", "secret", answers: ["n"])
        #expect(run.errors.hasPrefix("Discard Editor secret-s ("), "\(run.errors)")
    }

    @Test("S-70 R-41 the name of a private session has no title, whoever gives it one")
    func privateNames() throws {
        for privacy in [PrivacyClass.standard, .redacted] {
            let store = try SceneSessionStore.open(at: .memory)
            let key = try store.insertSession(
                identifier: "secret-session",
                configuration: SceneConfiguration(name: "Editor", role: .windowApplication)
            ).key
            try store.marks.setPrivacy(privacy, key: key)
            let record = try #require(try store.record(key: key))
            let name = SessionName(record, title: "Tumour")
            #expect(name.text == (privacy == .standard ? "Tumour" : "Editor secret-s"))
        }
    }

    @Test("a part of a title is enough for a writing command only where a person is asked")
    func partOfTitle() {
        let refused = fixture.run("hold", "Lisbon", "--yes")
        #expect(refused.status == .usage)
        #expect(
            refused.errors.contains("'Lisbon' is only a part of the title of Editor letter-s"))
        #expect(fixture.run("hold", "Lisbon").status == .usage)
        #expect(fixture.run("hold", "Lisbon", "--dry-run").status == .usage)
        let asked = fixture.run("hold", "Lisbon", answers: ["y"])
        #expect(asked.status == .done, "\(asked.errors)")
        #expect(asked.errors.contains("Hold \"Travel to Lisbon\" (2 states, last used 4 min ago)?"))
        #expect(asked.output == "held letter-session\n")
        #expect(fixture.run("release", "travel to lisbon", "--yes").status == .done)
    }

    @Test("a window without a title of its own is called like its activity, else its configuration")
    func fallbacks() throws {
        let store = try fixture.open()
        let record = try #require(try store.record(identifier: "letter-session"))
        try store.values.setTitle(nil, key: record.key)
        var activity = try UserActivity(activityType: "com.example.letter")
        activity.title = "Dear Ada"
        try store.save(
            [StateToSave(key: record.key, activity: activity)],
            context: SaveContext(appVersion: "1", savedAt: fixture.clock.clock.now()))
        let blank = try #require(try store.record(identifier: "blank-session"))
        #expect(try store.name(of: blank).quoted == "Editor blank-se")
        #expect(
            try store.name(of: try #require(try store.record(identifier: "letter-session")))
                .quoted == "\"Dear Ada\"")
        try store.close()
        #expect(fixture.run("discard", "Dear Ada", "--yes").status == .done)
        #expect(fixture.run("reopen", "dear ada", "--yes").status == .done)
    }
}
