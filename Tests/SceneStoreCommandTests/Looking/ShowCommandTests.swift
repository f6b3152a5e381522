import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreValues
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("show")
struct ShowCommandTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture(
            """
            manifest many.plist
            app version=1.2
            delegate provider=Editor
            launch
            state A com.example.edit title=Groceries doc=note-1 n:i=1 on:b=true pi:d=3.5 when:t=2026-01-01T10:00:00Z link:u=https://example.com/x raw:x=00ff10 none:n= id:uuid=6BA7B810-9DAD-11D1-80B4-00C04FD430C8
            userinfo A color=blue
            store A zoom:d=1.5
            delegate can=never prefers="=note-1|^task" session=A
            background A
            kill
            """)
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.a))
            try store.values.setTitle("Shopping", key: record.key)
            try store.values.setPlacement(
                PlacementMemory(
                    ScenePlacement(x: 0, y: 10, width: 800, height: 600, display: "Main")),
                key: record.key)
            try store.values.setUserInfo(
                ["color": "blue", "tabs": ["one", ["a.b": 2]], "many": .array([])],
                key: record.key)
        }
    }

    @Test("everything about a session, its values as a tree that shows their types")
    func page() {
        #expect(
            fixture.run("show", "@last").output == """
                Session        \(Fixture.a)
                Title          Shopping
                State          disconnected
                Outcome        active: nothing was in front; it was active last
                Restoration    available: the state that was saved last
                Configuration  Editor, from the manifest
                Role           UIWindowSceneSessionRoleApplication
                Made of        delegate EditorDelegate
                Created        just now, active just now, saved just now
                Placement      800 × 600 at 0, 10 on Main, normal, in front then; stored just now, and the app reported no move since
                Conditions     can show none, prefers "note-1" or what begins with "task"
                History        1 state, 149 B, the oldest just now; saved under app 1.2
                userInfo  dictionary of 3
                  color  "blue"
                  many  empty array
                  tabs  array of 2
                    [0]  "one"
                    [1]  dictionary of 1
                      a.b  2
                storage  dictionary of 1
                  zoom  1.5
                activity  dictionary of 4
                  eligibility  array of 1
                    [0]  "handoff"
                  title  "Groceries"
                  type  "com.example.edit"
                  userInfo  dictionary of 9
                    doc  "note-1"
                    id  UUID 6BA7B810-9DAD-11D1-80B4-00C04FD430C8
                    link  URL https://example.com/x
                    n  1
                    none  null
                    on  true
                    pi  3.5
                    raw  data, 3 B: 00ff10
                    when  date 2026-01-01T10:00:00Z

                """)
    }

    @Test(
        "L-49 S-44 show and why tell where a window was with other displays, and when it was stored"
    )
    func places() throws {
        let fixture = try Fixture(Fixture.twoWindows)
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.a))
            let docked = ScenePlacement(x: 3_300, y: 60.5, width: 900, height: 700, display: "DP-3")
            let alone = ScenePlacement(x: 100, y: 100, width: 900, height: 700, display: "eDP-1")
            var memory = PlacementMemory(alone)
            memory.remember(docked, on: 1)
            memory.remember(alone, on: 2)
            try store.values.setPlacement(memory, key: record.key)
        }
        for command in ["show", "why"] {
            let lines = fixture.run(command, Fixture.a).lines
            let place = try #require(lines.firstIndex { $0.hasPrefix("Placement      ") })
            #expect(
                lines[place...].prefix(3) == [
                    "Placement      900 × 700 at 100, 100 on eDP-1, normal, in front then; stored just "
                        + "now, and the app reported no move since",
                    "               kept for other displays: 900 × 700 at 3300, 60.5 on DP-3",
                    "               taken only with displays of the same names; a dock may give a monitor "
                        + "another, and then the first line counts",
                ], "\(command): \(lines)")
        }
        let object = try #require(try fixture.run("show", Fixture.a, "--json").objects().first)
        #expect(object["arrangements"]?.arrayValue?.count == 2)
    }

    @Test(
        "S-44 S-70 show, why and doctor tell what is stored of a private window, and what removes it"
    )
    func ephemeral() throws {
        let fixture = try Fixture(Fixture.twoWindows)
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.a))
            try store.marks.setPrivacy(.ephemeral, key: record.key)
        }
        for command in ["show", "why"] {
            let run = fixture.run(command, Fixture.a)
            let line = try #require(run.lines.first { $0.hasPrefix("Private        ") })
            #expect(
                line.hasPrefix(
                    "Private        its title, text and state are never stored, only its kind, place and "
                        + "times; it comes back empty"), "\(line)")
            #expect(line.contains("'scenestore forget \(Fixture.a) --no-backup --store /"))
            #expect(!fixture.run(command, Fixture.b).output.contains("Private  "))
        }
        let rows = fixture.run("sessions").lines.filter { $0.contains("  it is private; ") }
        #expect(rows.count == 1 && rows.allSatisfy { $0.hasPrefix(Fixture.a) }, "\(rows)")
        let doctor = fixture.run("doctor")
        #expect(
            doctor.output.contains(
                "✓ 1 open session private (ephemeral): no title, text or state is stored, only kind, "
                    + "place and times; it comes back empty, because the app remembers private windows (\(Fixture.a))"
            ),
            "\(doctor.output)")
    }

    @Test("L-82 --json keeps the types that JSON does not have")
    func json() throws {
        let object = try #require(fixture.run("show", "@last", "--json").objects().first)
        #expect(
            object["savedActivity"]?.objectValue?["userInfo"] == [
                "doc": "note-1", "id": ["$uuid": "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"],
                "link": ["$url": "https://example.com/x"], "n": 1, "none": nil, "on": true,
                "pi": 3.5, "raw": ["$data": "AP8Q"], "when": ["$date": "2026-01-01T10:00:00Z"],
            ])
        #expect(
            object.members.map(\.key) == [
                "activity", "arrangements", "conditions", "configuration", "configurationParts",
                "crashes",
                "created", "discard",
                "heldByHand", "history", "inFront", "lastActive", "nextLaunch", "pinned",
                "placement", "presentedValue", "privacy", "restorationEnabled", "saved",
                "savedActivity", "savedUnder", "session", "stale", "state", "storage", "title",
                "userInfo",
            ])
        #expect(object["storage"] == ["zoom": 1.5])
        #expect(object.text("title") == "Shopping")
    }

    @Test("a dictionary that looks like a tagged value is told from one")
    func ambiguous() {
        let value: SceneStoreValues.Value = ["$date": "no date"]
        #expect(CanonicalJSON(stored: value) == ["$dictionary": ["$date": "no date"]])
        #expect(CanonicalJSON(stored: .set([2, 1])) == ["$set": [1, 2]])
    }

    @Test(
        "--key prints the value at a key path",
        arguments: [
            ("activity.userInfo.doc", #"activity.userInfo.doc  "note-1""#),
            ("userInfo.tabs[1][\"a.b\"]", #"userInfo.tabs[1]["a.b"]  2"#),
            ("storage.zoom", "storage.zoom  1.5"), ("title", #"title  "Shopping""#),
            ("configuration.name", #"configuration.name  "Editor""#),
        ])
    func key(path: String, line: String) {
        #expect(fixture.run("show", "@last", "--key", path).output == line + "\n")
    }

    @Test("a key path that leads nowhere answers no and says what there is")
    func missingKey() {
        let run = fixture.run("show", "@last", "--key", "userInfo.tab")
        #expect(run.status == .answeredNo)
        #expect(
            run.errors == """
                scenestore: the session has no value at 'userInfo.tab'
                hint: there is many, tabs, color

                """)
        let array = fixture.run("show", "@last", "--key", "userInfo.tabs[2]")
        #expect(array.errors.hasSuffix("hint: the array has the places 0 to 1\n"))
    }

    @Test("what is no key path is wrong usage", arguments: ["", ".a", "a..b", "a[", "a[x]", "a[0"])
    func malformedKey(path: String) {
        #expect(fixture.run("show", "@last", "--key", path).status == .usage)
    }

    @Test("--raw prints a value's own bytes, to a terminal only what is harmless")
    func raw() throws {
        let raw = fixture.run("show", "@last", "--key", "activity.userInfo.doc", "--raw")
        #expect(raw.output == "note-1\n")
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.a))
            try store.values.setTitle("a\u{1B}[31mb", key: record.key)
        }
        #expect(
            fixture.run("show", "@last", "--key", "title", "--raw").output == "a\u{1B}[31mb\n")
        var terminal = Terminal()
        terminal.isOutputTerminal = true
        #expect(
            fixture.run("show", "@last", "--key", "title", "--raw", terminal: terminal).output
                == "a\\u{1B}[31mb\n")
        #expect(
            fixture.run(
                "show", "@last", "--key", "activity.userInfo.raw", "--raw", terminal: terminal
            ).output == "00ff10\n")
    }

    @Test("--raw alone prints the state as CBOR that decodes to it")
    func rawState() throws {
        let output = CapturedBytes()
        let errors = CapturedBytes()
        let world = ToolWorld()
        let context = world.context(output, errors)
        let status = CommandLineTool(table: context.table).run(
            ["show", "@last", "--raw", "--store", fixture.path], context)
        #expect(status == .done)
        let activity = try ValueCodec.decodeActivity(output.bytes)
        #expect(activity.userInfo["doc"] == "note-1")
    }

    @Test("a session without a state says so, and --raw answers no")
    func noState() throws {
        let fixture = try Fixture("manifest many.plist\nlaunch\nkill")
        #expect(fixture.run("show", "@last").lines.last == "activity  no current state")
        #expect(fixture.run("show", "@last", "--raw").status == .answeredNo)
    }

    @Test("S-50 a discarded session is shown with its cause")
    func discarded() throws {
        let fixture = try Fixture("manifest many.plist\nlaunch\nnew-scene\nkill\nclose A")
        let run = fixture.run("show", String(Fixture.a.prefix(8)))
        #expect(run.lines.contains("State          discarded, closed just now (user)"))
        let object = try #require(
            fixture.run("show", Fixture.a, "--json").objects().first)
        #expect(object["discard"] == ["cause": "user", "closed": "2026-01-01T00:00:00.000Z"])
    }

    @Test("without SESSION the usage is shown")
    func usage() {
        let run = fixture.run("show")
        #expect(run.status == .usage)
        #expect(run.errors.contains("show needs SESSION"))
    }

    // HELP-BEGIN
    @Test("help show")
    func helpShow() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "show").output == #"""
                Usage: scenestore show SESSION [--key PATH] [--raw] [--json]

                Show everything about one session.

                Shows its configuration, userInfo, saved activity as a tree, scene storage,
                activation conditions, placement and history, and whether the next launch
                connects it. A window that is marked 'ephemeral' is private: its title, text and
                state are never stored.

                A key path such as activity.userInfo.tabs[3] or storage["a.b"] shows one value;
                'scenestore show SESSION --json' shows all key paths. If JSON has no type for a
                value, the value is an object with one key: $date, $data (Base64), $url, $uuid,
                $set.

                Arguments
                  SESSION  A title or a part of one, an identifier or its beginning, @last or
                           @foreground

                Options
                      --key PATH  Only the value at this key path
                      --raw       Print the value's own bytes; without --key the saved state as
                                  CBOR
                      --json      Print one JSON value a line, keys sorted

                Options of every command: see 'scenestore help'.

                Examples
                  scenestore show @last
                      The session that was active last
                  scenestore show 3F2A --key activity.userInfo.document
                      One value of its state
                  scenestore show @last --raw > state.cbor
                      The stored state

                """#)
    }

    // HELP-END
}
