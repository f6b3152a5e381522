import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("sessions")
struct SessionsCommandTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            new-scene
            new-scene role=CPTemplateApplicationSceneSessionRoleApplication
            new-scene
            background A
            kill
            close D
            """)
    }

    @Test("the table says which sessions the next launch connects, and why not")
    func table() {
        let run = fixture.run("sessions")
        #expect(run.status == .done)
        #expect(
            run.output == """
                Session                               Title            State         Configuration  Activity          Last active  Outcome       Restoration  Reason
                \(Fixture.c)  Editor \(Fixture.c.prefix(8))  disconnected  Editor                           just now     active        nothing      it was in front when it was last connected
                \(Fixture.b)  Editor \(Fixture.b.prefix(8))  disconnected  Editor                           just now     active        nothing      it was in front when it was last connected
                \(Fixture.a)  Editor \(Fixture.a.prefix(8))  disconnected  Editor         com.example.edit  just now     disconnected  available    it was not in front; it connects when it is activated

                """)
    }

    @Test(
        "a table for people takes every column that CSV has, and shows those of programs on demand")
    func columnsForPrograms() throws {
        let fixture = try EditedFixture()
        let heading = try #require(fixture.run("sessions", "--csv").lines.first)
        let run = fixture.run("sessions", "--columns", heading)
        #expect(run.status == .done, "\(run.errors)")
        #expect(!fixture.run("sessions").output.contains("UIWindowSceneSessionRoleApplication"))
        let some = fixture.run("sessions", "--columns", "role,session", "--sort", "session").lines
        #expect(some.first?.hasPrefix("Role ") == true)
        #expect(some.last?.hasPrefix("UIWindowSceneSessionRoleApplication  letter-session") == true)
        let log = fixture.run("log", "--columns", "event,generation").lines
        #expect(log.first?.hasSuffix("Generation") == true)
    }

    @Test("L-11 the only window was used last at the latest launch that showed it")
    func lastUse() throws {
        let launch = "launch\nwait 20s\nquit\n"
        for (wait, time) in [
            ("720h", "2026-01-31T00:00:20.000Z"), ("1m", "2026-01-01T00:00:00.000Z"),
        ] {
            let fixture = try Fixture(launch + "wait \(wait)\n" + launch)
            let session = try #require(try fixture.run("sessions", "--json").objects().first)
            #expect(session.text("lastActive") == time)
        }
    }

    @Test("S-23 S-41 the first sessions are found by index: what isn't shown isn't read")
    func limited() throws {
        let fixture = try EditedFixture()
        for format in ["--csv", "--json"] {
            let all = fixture.run("sessions", "--columns", "session,bytes", format).lines
            for limit in 0...4 {
                let some = fixture.run(
                    "sessions", "--columns", "session,bytes", format, "--limit", "\(limit)"
                ).lines
                #expect(some == Array(all.prefix(limit + (format == "--csv" ? 1 : 0))))
            }
        }
        // Of a few the plan of the next launch reads all (L-18).
        let store = try fixture.open(.owner)
        for number in 1...64 {
            _ = try store.insertSession(
                identifier: "more-\(number)",
                configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
        }
        try store.close()
        // Whoever reads all of them notices that one is gone.
        try fixture.sqlite("DELETE FROM session WHERE identifier = 'blank-session'")
        #expect(fixture.run("sessions", "--csv").errors.contains("lost"))
        let first = fixture.run("sessions", "--csv", "--limit", "1")
        #expect(first.lines.count == 2 && !first.errors.contains("lost"))
    }

    @Test("on a narrow terminal titles and reasons stay, rather than identifiers")
    func terminal() {
        var terminal = Terminal()
        terminal.width = 70
        terminal.isOutputTerminal = true
        let run = fixture.run("sessions", terminal: terminal)
        #expect(
            run.output == """
                Title            Outcome       Reason
                Editor \(Fixture.c.prefix(8))  active        it was in front when it was last conne…
                Editor \(Fixture.b.prefix(8))  active        it was in front when it was last conne…
                Editor \(Fixture.a.prefix(8))  disconnected  it was not in front; it connects when …

                """)
    }

    @Test("L-52 what the deaths of processes hold is held in every command's answer")
    func heldByDeaths() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = folder + "/store"
        let world = ToolWorld()
        func objects(_ line: String...) throws -> [CanonicalJSON.Object] {
            try world.run(line + ["--json", "--store", path]).objects()
        }
        #expect(
            world.run("fixture", "make", "--template", "held-after-crashes", "-o", path).status
                == .done)
        let held = try objects("sessions", "--state", "held")
        #expect(held.map { $0.text("title") } == ["Document 2"])
        let session = held.first?.text("session") ?? ""
        #expect(try objects("show", session).first?.text("state") == "held")
        #expect(try objects("find", "Document 2").first?.text("state") == "held")
        let counts = try objects("info").first?["counts"]?.objectValue
        #expect(counts?["held"]?.integerValue == 1)
        #expect(counts?["withheld"]?.integerValue == 0)
        let report = try objects("report")
        #expect(
            report.first { $0.text("title") == "Document 2" }?.text("outcome") == "held")
        #expect(
            report.last { $0.text("title") == "Document 2" }?.text("state") == "held")
    }

    @Test("L-18 a parked session is neither held nor disconnected, and is found by its state")
    func parked() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            new-scene
            new-scene
            quit
            update manifest=single.plist version=2
            launch
            quit
            """)
        func states(_ wanted: String) throws -> [String?] {
            try fixture.run("sessions", "--state", wanted, "--json").objects().map {
                $0.text("state")
            }
        }
        let parked = try states("parked")
        #expect(parked == ["parked", "parked"], "\(fixture.run("sessions").output)")
        #expect(try states("disconnected") == ["disconnected"])
        #expect(try states("held").isEmpty)
        #expect(try states("open").count == 3)
    }

    @Test("--json is an object a row with stable names")
    func json() throws {
        let rows = try fixture.run("sessions", "--json").objects()
        #expect(rows.compactMap { $0.text("session") } == [Fixture.c, Fixture.b, Fixture.a])
        #expect(
            rows.first?.members.map(\.key) == [
                "activity", "bytes", "cause", "closed", "configuration", "crashes", "created",
                "group", "inFront", "lastActive", "order", "outcome", "reason", "reconnects",
                "restoration", "role", "saved", "session", "state", "title",
            ])
        #expect(rows.map { $0["order"] } == [1, 2, .null])
        #expect(rows.last?["reconnects"] == false)
        #expect(rows.last?.text("restoration") == "available")
    }

    @Test("--csv has a heading line and a line a row")
    func csv() {
        let lines = fixture.run("sessions", "--csv").lines
        #expect(
            lines.first == """
                session,title,state,configuration,activity,lastActive,outcome,restoration,reason,\
                role,reconnects,order,inFront,crashes,bytes,saved,created,closed,cause,group
                """)
        #expect(lines.count == 4)
    }

    @Test("--all and --state discarded show what can be reopened, with its cause")
    func discarded() throws {
        let all = try fixture.run("sessions", "--all", "--json").objects()
        #expect(all.last?.text("session") == Fixture.d)
        let discarded = try fixture.run("sessions", "--state", "discarded", "--json").objects()
        #expect(discarded.compactMap { $0.text("session") } == [Fixture.d])
        #expect(discarded.first?.text("cause") == "user")
        #expect(discarded.first?["reconnects"] == false)
        #expect(fixture.run("sessions", "--state", "discarded").output.contains("discarded: user"))
    }

    @Test(
        "--role takes a role's whole name or a short one",
        arguments: ["carplay", "CPTemplateApplicationSceneSessionRoleApplication"])
    func role(word: String) throws {
        let rows = try fixture.run("sessions", "--role", word, "--json").objects()
        #expect(rows.compactMap { $0.text("session") } == [Fixture.c])
    }

    @Test("L-52 held sessions are told from others, and are open too")
    func held() throws {
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.b))
            try store.marks.setHeld(true, key: record.key)
        }
        let held = try fixture.run("sessions", "--state", "held", "--json").objects()
        #expect(held.compactMap { $0.text("session") } == [Fixture.b])
        #expect(held.first?.text("reason") == "it is held by hand")
        #expect(try fixture.run("sessions", "--state", "open", "--json").objects().count == 3)
    }

    @Test("sessions in front of a running app are connected, of one that died they are not")
    func connected() throws {
        let device = try SimulatedDevice(storage: .temporaryDirectory)
        _ = try device.launch { Recorder() }
        func states() throws -> [String] {
            try ToolWorld().run(
                "sessions", "--json", "--state", "connected", "--store", device.containerPath
            ).objects().compactMap { $0.text("state") }
        }
        #expect(try states() == ["connected"])
        device.kill()
        #expect(try states() == [])
    }

    @Test("a terminal gets the 1 000 windows used last, whether its width is known or not")
    func shortList() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let count = try store.openCount()
        for number in count..<1_000 {
            _ = try store.insertSession(
                identifier: "window-\(number)",
                configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
        }
        try store.close()
        func rows(_ terminal: Terminal) -> (count: Int, note: String) {
            var world = ToolWorld()
            world.terminal = terminal
            let run = world.run("sessions", "--store", fixture.path)
            return (run.lines.count - 1, run.errors)
        }
        var unknown = Terminal()
        unknown.isOutputTerminal = true
        var known = unknown
        known.width = 100
        #expect(rows(unknown) == (1_000, ""))
        let again = try fixture.open()
        _ = try again.insertSession(
            identifier: "one-more",
            configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
        try again.close()
        for terminal in [unknown, known] {
            let (count, note) = rows(terminal)
            #expect(count == 1_000)
            #expect(note.hasPrefix("the 1 000 windows used last; --limit N shows more"), "\(note)")
        }
        #expect(rows(Terminal()) == (1_001, ""))
    }

    @Test("an empty list is a word for people and nothing for programs")
    func empty() {
        let text = fixture.run("sessions", "--state", "held")
        #expect(text.output == "")
        #expect(text.errors == "no sessions\n")
        let json = fixture.run("sessions", "--state", "held", "--json")
        #expect(json.output == "")
        #expect(json.errors == "")
    }

    @Test("a state that does not exist is wrong usage")
    func wrongState() {
        #expect(fixture.run("sessions", "--state", "closed").status == .usage)
    }

    // HELP-BEGIN
    @Test("help sessions")
    func helpSessions() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "sessions").output == #"""
                Usage: scenestore sessions [--state STATE] [--withheld] [--role ROLE]
                           [--all] [--json] [--csv]

                List the sessions, and which the next launch connects.

                A session is the stored record of one window. The list begins with the session
                that was used last. A terminal gets 1 000 rows unless --limit or another option
                chooses. A session without a title is listed by its configuration and
                identifier.

                OUTCOME shows what the next launch does with the window: 'active', 'foreground'
                and 'background' open it, 'disconnected', 'held' and 'parked' do not. REASON
                says why. Both assume that the app's Info.plist stays as it is; 'plan
                --manifest' shows what an update changes.

                STATE is 'connected' while the window is in the foreground of a running app,
                'held' or 'parked' if the next launch won't open it by itself, and
                'disconnected' otherwise. The window of a 'discarded' session was closed;
                'reopen' brings it back.

                Options
                      --state STATE  Only sessions in this state: open, connected, disconnected,
                                     held, parked or discarded
                      --withheld     Only sessions whose state, or an earlier one, is declined,
                                     stale or withheld
                      --role ROLE    Only sessions of this role
                      --all          Include discarded sessions that can be reopened
                      --json         Print one JSON value a line, keys sorted
                      --csv          Print the table as CSV

                Rows and columns: --limit, --since, --sort, --columns and --wide; see
                'scenestore help formats'. Options of every command: see 'scenestore help'.

                Examples
                  scenestore sessions
                      What is open, and what comes back
                  scenestore sessions --state held --json
                      What is held, for scripts
                  scenestore sessions --store /nowhere
                      There is no store (exit status 3)

                """#)
    }

    // HELP-END
}
