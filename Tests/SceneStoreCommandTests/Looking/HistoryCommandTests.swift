import SceneStore
import SceneStoreExchange
import Testing

@testable import SceneStoreCommand
import SceneStoreFormats

@Suite("history, diff and checkout")
struct HistoryCommandTests {
    private func generations(_ fixture: EditedFixture) throws -> [String] {
        try fixture.read { store throws in
            let record = try #require(try store.record(identifier: "letter-session"))
            return try store.history.versions(key: record.key).map { String($0.generation) }
        }
    }

    @Test("S-51 history lists the states, newest first, in every format")
    func history() throws {
        let fixture = try EditedFixture()
        let generations = try generations(fixture)
        let run = fixture.run("history", "letter", "--json")
        #expect(
            try run.objects().map { $0["generation"]?.integerValue.map(String.init) } == generations
        )
        #expect(try run.objects().map { $0["current"]?.booleanValue } == [true, false])
        #expect(fixture.run("history", "letter").lines.count == 3)
        #expect(fixture.run("history", "letter", "--csv").lines.count == 3)
        #expect(fixture.run("history", "blank").errors == "the session has no states\n")
    }

    @Test("S-51 checkout names the window as it is called with the state that it has then")
    func checkedOutTitle() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit title="First" n:i=1
            background A
            activate A
            state A com.example.edit title="Second" n:i=2
            background A
            quit

            """)
        let states = try fixture.run("history", Fixture.a, "--json").objects()
        let first = try #require(states.last?["generation"]?.integerValue)
        var terminal = Terminal()
        terminal.isOutputTerminal = true
        let run = fixture.run(
            "checkout", "\(Fixture.a)@\(first)", "--yes", terminal: terminal)
        #expect(run.output.hasSuffix(", of \(Fixture.a)  \"First\"\n"), "\(run.output)")
    }

    @Test("S-51 diff shows what changed by key path, and answers 1 when anything did")
    func diff() throws {
        let fixture = try EditedFixture()
        let generations = try generations(fixture)
        let run = fixture.run("diff", "letter", generations[1], generations[0])
        #expect(run.status == .answeredNo)
        #expect(run.output == "  activity.userInfo.number  0 -> 1\n")
        #expect(run.errors.hasPrefix("from \(generations[1]), saved at 2026-"), "\(run.errors)")
        #expect(run.errors.contains(", to \(generations[0]), saved at 2026-"), "\(run.errors)")
        let same = fixture.run("diff", "letter", generations[0], generations[0])
        #expect(same.status == .done)
        #expect(same.output.isEmpty)
        let json = fixture.run("diff", "letter", generations[1], generations[0], "--json")
        #expect(json.output == #"{"new":1,"old":0,"path":"activity.userInfo.number"}"# + "\n")
        #expect(fixture.run("diff", "letter", "x", "1").status == .usage)
        #expect(fixture.run("diff", "letter", "99999", "1").status == .answeredNo)
        #expect(fixture.run("diff", "letter").status == .usage)
    }

    @Test("diff --with compares two stores")
    func stores() throws {
        let fixture = try EditedFixture()
        let other = try EditedFixture()
        #expect(fixture.run("diff", "--with", other.path).status == .done)
        _ = other.run("hold", "letter", "--yes")
        _ = other.run("forget", "blank", "--yes")
        let run = fixture.run("diff", "--with", other.path)
        #expect(run.status == .answeredNo)
        #expect(
            run.output == "- blank-session\n  letter-session\n      held  false -> true\n")
        #expect(
            fixture.run("diff", "--with", other.path, "--json").lines == [
                #"{"changes":[],"fields":[],"kind":"only-first","session":"blank-session","title":null}"#,
                #"{"changes":[{"new":true,"old":false,"path":"held"}],"fields":["held"],"#
                    + #""kind":"changed","session":"letter-session","title":null}"#,
            ])
        #expect(fixture.run("diff", "--with", "/nowhere").status == .noStore)
        #expect(fixture.run("diff", "letter", "1", "2", "--with", other.path).status == .usage)
    }

    @Test("S-63 diff --with tells an earlier state and a saved activity that alone differ")
    func earlierStates() throws {
        for differs in [false, true] {
            let fixture = try EditedFixture()
            let other = try EditedFixture()
            for each in [fixture, other] {
                let store = try each.open(.owner)
                let key = try #require(try store.record(identifier: "letter-session")).key
                for text in [differs && each === other ? "yours" : "mine", "the last one"] {
                    var activity = try UserActivity(activityType: "com.example.letter")
                    activity.userInfo = ["text": .string(text)]
                    try store.save(
                        [StateToSave(key: key, activity: activity)],
                        context: SaveContext(appVersion: "1", savedAt: each.clock.clock.now()))
                }
                try store.close()
            }
            let run = fixture.run("diff", "--with", other.path)
            #expect(run.status == (differs ? .answeredNo : .done))
            #expect(
                run.output == (differs ? "  letter-session\n      earlier states\n" : ""))
        }
        let fixture = try EditedFixture()
        let other = try EditedFixture()
        let store = try other.open(.owner)
        try store.saveActivity(try UserActivity(activityType: "com.example.letter"))
        try store.close()
        let run = fixture.run("diff", "--with", other.path)
        #expect(run.status == .answeredNo)
        #expect(run.output == "  saved activities\n")
    }

    @Test("diff --with names another cause of a discard, and shows long texts where they part")
    func causesAndLongTexts() throws {
        let fixture = try EditedFixture()
        let other = try EditedFixture()
        let long = String(repeating: "the same beginning, ", count: 20)
        for (each, cause, end) in [
            (fixture, DiscardCause.user, "here"), (other, .app, "there"),
        ] {
            let store = try each.open(.owner)
            let blank = try #require(try store.record(identifier: "blank-session")).key
            try store.discard([blank], cause: cause, deliveredNow: true)
            let letter = try #require(try store.record(identifier: "letter-session")).key
            try store.values.setTitle(long + end, key: letter)
            try store.close()
        }
        let run = fixture.run("diff", "--with", other.path)
        #expect(run.status == .answeredNo)
        #expect(run.lines.contains { $0.hasPrefix("      closed  \"user\" -> ") }, "\(run.output)")
        let title = try #require(run.lines.first { $0.hasPrefix("      title  ") })
        #expect(title.hasPrefix("      title  …"))
        #expect(title.contains("here") && title.contains("there"))
    }

    @Test("diff --with names changed configurations and state by key path")
    func storesInDepth() throws {
        let fixture = try EditedFixture()
        let other = try EditedFixture()
        let store = try other.open(.owner)
        let record = try #require(try store.record(identifier: "letter-session"))
        var activity = try UserActivity(activityType: "com.example.lette")
        activity.userInfo = ["number": .integer(7), "fresh": true]
        try store.save(
            [StateToSave(key: record.key, activity: activity)],
            context: SaveContext(appVersion: "1", savedAt: other.clock.clock.now()))
        try store.configurations.adopt([
            record.key: SceneConfiguration(name: "Writer", role: .windowApplication)
        ])
        try store.values.setTitle("A title\u{1B}[2J", key: record.key)
        try store.close()
        let run = fixture.run("diff", "--with", other.path)
        #expect(run.status == .answeredNo)
        #expect(
            run.output == """
                  A title\\u{1B}[2J (letter-session)
                      configuration.name  "Editor" -> "Writer"
                    + activity.userInfo.fresh  true
                      activity.userInfo.number  1 -> 7
                    - activity.userInfo.text  "private words"
                      states  2 -> 3
                    + title  "A title\\u{1B}[2J"

                """)
        // The other way round the signs turn.
        let back = other.run("diff", "--with", fixture.path)
        #expect(back.output.contains("    - activity.userInfo.fresh  true\n"))
    }

    @Test("diff --with shows nothing of private sessions")
    func privateStores() throws {
        let fixture = try EditedFixture()
        let other = try EditedFixture()
        let store = try other.open(.owner)
        let record = try #require(try store.record(identifier: "letter-session"))
        try store.marks.setPrivacy(.redacted, key: record.key)
        try store.close()
        let run = fixture.run("diff", "--with", other.path)
        #expect(run.status == .answeredNo)
        #expect(run.output.contains(#"privacy  "standard" -> "redacted""#))
        let same = other.run("diff", "--with", other.path)
        #expect(same.status == .done)
        #expect(other.run("diff", "--with", fixture.path).output.contains("other words") == false)
    }

    @Test("S-44 L-52 history calls no state withheld that the next launch gives")
    func givenAgain() throws {
        for (since, isGiven) in [("", false), ("launch\nwait 60s\nkill\n", true)] {
            let fixture = try Fixture(Fixture.withheldState + since)
            let session = try #require(try fixture.run("sessions", "--json").objects().first)
            #expect(session.text("restoration") == (isGiven ? "available" : "withheld"))
            let state = try #require(
                try fixture.run("history", Fixture.a, "--json").objects().first)
            #expect(state["withheld"] == .boolean(!isGiven))
        }
    }

    @Test("S-51 checkout goes back to a state, and the history stays")
    func checkout() throws {
        let fixture = try EditedFixture()
        let generations = try generations(fixture)
        let run = fixture.run("checkout", "letter@\(generations[1])", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        try fixture.read { store throws in
            let record = try #require(try store.record(identifier: "letter-session"))
            let state = try store.restorationActivity(key: record.key)
            #expect(state?.userInfo["number"] == 0)
            #expect(try store.history.versions(key: record.key).count == 2)
        }
        #expect(fixture.run("checkout", "@last@\(generations[0])", "--yes").status == .done)
        let again = fixture.run("checkout", "@last@\(generations[0])", "--yes")
        #expect(again.errors == "generation \(generations[0]) is the current state already\n")
        #expect(fixture.run("checkout", "letter", "--yes").status == .usage)
        #expect(fixture.run("checkout", "letter@77777", "--yes").status == .answeredNo)
    }

    @Test("R-26 S-44 if the last state is lost, doctor names an earlier one, and checkout gives it")
    func lost() throws {
        let fixture = try EditedFixture()
        let generation = try generations(fixture)[0]
        let store = try fixture.open()
        let record = try #require(try store.record(identifier: "letter-session"))
        try store.using { db throws(SceneStoreError) in
            try db.write(.full) { transaction throws(SceneStoreError) in
                try transaction.withholdOlderState(of: record.key)
            }
        }
        try store.close()
        let told = fixture.run("doctor").output
        #expect(told.contains("its state is withheld: the state that was saved last is lost"))
        #expect(told.contains("checkout letter-session@\(generation)"), "\(told)")
        // One command for all such windows, which is no operation where there is none.
        #expect(told.contains("'scenestore checkout --lost --store /"), "\(told)")
        #expect(fixture.run("checkout", "letter", "--lost").status == .usage)
        let all = fixture.run("checkout", "--lost", "--yes")
        #expect(all.output.hasPrefix("checked out generation \(generation), saved at 2026-"))
        #expect(all.output.hasSuffix(", of letter-session\n"), "\(all.output)")
        #expect(fixture.run("checkout", "--lost", "--yes").errors.hasPrefix("no session has an"))
        #expect(fixture.run("undo", "--yes").status == .done)
        let run = fixture.run("checkout", "letter@\(generation)", "--yes")
        #expect(run.output.hasPrefix("checked out generation \(generation)"), "\(run.errors)")
        try fixture.read { store throws in
            #expect(try store.record(identifier: "letter-session")?.isStateWithheld == false)
        }
        #expect(!fixture.run("doctor").output.contains("SS019"))
    }
}
