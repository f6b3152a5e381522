import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("SESSION")
struct SessionArgumentTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            new-scene
            new-scene
            background C
            kill
            close A
            """)
    }

    private func shown(_ word: String) -> ToolRun {
        fixture.run("show", word, "--key", "session", "--raw")
    }

    @Test(
        "a session is an identifier, the beginning of one, @last or @foreground",
        arguments: [
            (Fixture.b, Fixture.b), (String(Fixture.b.prefix(4)), Fixture.b),
            (String(Fixture.b.lowercased().prefix(9)), Fixture.b), ("@last", Fixture.b),
            ("@foreground", Fixture.b),
        ])
    func resolves(word: String, identifier: String) {
        #expect(shown(word).output == identifier + "\n")
    }

    @Test("a session that was discarded is found as long as it can be reopened")
    func discarded() {
        #expect(shown(String(Fixture.a.prefix(6))).output == Fixture.a + "\n")
    }

    @Test("S-41 fewer than four characters of an identifier are none")
    func tooShort() {
        let run = shown(String(Fixture.b.prefix(3)))
        #expect(run.status == .noStore)
        #expect(
            run.errors == """
                scenestore: no session '\(Fixture.b.prefix(3))'
                hint: an identifier needs at least 4 characters

                """)
    }

    @Test("no session of a name exits with 3")
    func unknown() {
        let run = shown("FFFFFFFF")
        #expect(run.status == .noStore)
        #expect(
            run.errors == """
                scenestore: no session 'FFFFFFFF'
                hint: 'scenestore sessions --all --store \(fixture.path)' lists the sessions, \
                'scenestore log --store \(fixture.path)' earlier ones

                """)
    }

    @Test("a command that writes names the store, too, where no session has a name")
    func unknownToWriter() {
        let run = fixture.run("hold", "FFFFFFFF", "--yes")
        #expect(run.status == .noStore)
        #expect(run.errors.contains("'scenestore sessions --all --store \(fixture.path)' lists"))
    }

    @Test("another @word is wrong usage")
    func unknownWord() {
        #expect(shown("@first").status == .usage)
    }

    @Test("S-41 a beginning that several sessions have is wrong usage and names them")
    func ambiguous() throws {
        try fixture.edit { store in
            for name in ["twin-1", "twin-2"] {
                _ = try store.insertSession(
                    identifier: name,
                    configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
            }
        }
        let run = shown("twin")
        #expect(run.status == .usage)
        #expect(
            run.errors == """
                scenestore: 'twin' could be 2 sessions
                hint: twin-1 (Editor twin-1), twin-2 (Editor twin-2); id: and title: force a reading

                """)
        #expect(shown("twin-2").output == "twin-2\n")
    }

    @Test("@last and @foreground of a store without open sessions exit with 3")
    func none() throws {
        let empty = try Fixture("manifest many.plist\nlaunch\nclose A\nquit")
        #expect(empty.run("show", "@last").status == .noStore)
        #expect(empty.run("show", "@foreground").status == .noStore)
    }

    @Test("the shells complete the sessions of the store, most recently active first")
    func completion() {
        var world = ToolWorld()
        world.sources = AllCommands.completionSources
        let run = world.run(
            "__complete", "sessions", "--", "show", "--store", fixture.path,
            String(Fixture.b.prefix(2)))
        #expect(run.output == "\(Fixture.b)\tEditor, active just now\n")
        #expect(
            world.run("__complete", "sessions", "--", "show", "--store", "/nowhere", "@l").output
                == "@last\tactive most recently\n")
    }

    @Test("the shells complete titles, ignoring case, and what would be read as something else")
    func completedTitles() throws {
        let titled = try EditedFixture()
        let title = "Letter to Ida"
        let store = try titled.open()
        let record = try #require(try store.record(identifier: "letter-session"))
        try store.values.setTitle(title, key: record.key)
        try store.close()
        var world = ToolWorld()
        world.sources = AllCommands.completionSources
        func words(_ line: String...) -> [String] {
            world.run(["__complete", "sessions", "--", "--store", titled.path] + line).lines.map {
                String($0.prefix { $0 != "\t" })
            }
        }
        let all = words("show", "")
        #expect(all.contains(title))
        #expect(words("show", "LETTER T") == [title])
        #expect(words("show", "title:let") == ["title:" + title])
        #expect(words("show", "id:letter") == ["id:letter-session"])
        #expect(words("show", "letter-s") == ["letter-session"])
        // As long as nothing is typed, each session stands there once.
        #expect(Set(all).count == all.count)
        #expect(!all.contains("letter-session"))
        #expect(titled.run("show", title, "--key", "session", "--raw").status == .done)
    }

    @Test("release completes held sessions, checkout generations, and reopen no open ones")
    func completesByCommand() throws {
        let fixture = try EditedFixture()
        func words(_ command: String, _ typed: String = "") -> [String] {
            var world = ToolWorld()
            world.sources = AllCommands.completionSources
            return world.run(
                ["__complete", "sessions", "--", command, "--store=\(fixture.path)", typed]
            ).lines.compactMap { $0.split(separator: "\t").first.map(String.init) }
        }
        #expect(words("release").filter { !$0.hasPrefix("@") } == ["draft-session"])
        #expect(words("reopen").isEmpty)
        let states = words("checkout", "letter")
        #expect(states.count == 1 && states[0].hasPrefix("letter-session@"), "\(states)")
        #expect(words("checkout", "letter-session@") == states)
    }

    @Test("the shells complete generations of @last, and key paths that 'show' takes")
    func completedPaths() throws {
        let saved = try Fixture(
            """
            manifest many.plist
            launch
            state A com.example.edit n:i=1
            background A
            foreground A
            state A com.example.edit n:i=2 "a.b:i"=3
            background A
            quit
            """)
        func words(_ source: String, _ line: String...) -> [String] {
            var world = ToolWorld()
            world.sources = AllCommands.completionSources
            return world.run(["__complete", source, "--", "--store", saved.path] + line).lines
                .compactMap { $0.split(separator: "\t").first.map(String.init) }
        }
        let states = words("sessions", "checkout", "@last@")
        #expect(states.count == 1 && states[0].hasPrefix("@last@"), "\(states)")
        #expect(words("sessions", "checkout", "@foreground@").isEmpty)
        let paths = words("keys", "show", "@last", "--key", "activity.")
        #expect(paths.contains("activity.userInfo.n"), "\(paths)")
        #expect(paths == words("keys", "show", "@last", "--key=activity."))
        for path in words("keys", "show", "@last", "--key", "") {
            #expect(saved.run("show", "@last", "--key", path).status == .done, "\(path)")
        }
        #expect(words("keys", "show", "nobody", "--key", "").isEmpty)
        #expect(words("keys", "show", "--key", "").isEmpty)
    }

    @Test("reopen completes closed sessions, and other commands open ones")
    func completedClosed() throws {
        let closed = try Fixture("manifest many.plist\nlaunch\nnew-scene\nclose A\nquit")
        var world = ToolWorld()
        world.sources = AllCommands.completionSources
        func words(_ command: String) -> [String] {
            world.run(["__complete", "sessions", "--", command, "--store", closed.path, ""]).lines
                .map { String($0.prefix { $0 != "\t" }) }.filter { !$0.hasPrefix("@") }
        }
        #expect(words("reopen").count == 1)
        #expect(words("show").count == 1)
        #expect(words("reopen") != words("show"))
        let parked = try Fixture(Fixture.parked)
        let run = world.run(
            "__complete", "sessions", "--", "reopen", "--store", parked.path, "")
        let sessions = try parked.run("sessions", "--state", "parked", "--json").objects()
        #expect(run.lines.count == 1)
        #expect(run.output.hasPrefix(try #require(sessions.first?.text("session"))))
    }
}
