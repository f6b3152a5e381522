import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("plan")
struct PlanCommandTests {
    private func fixture() throws -> Fixture {
        try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            new-scene
            state B com.example.edit n:i=2
            new-scene
            new-scene
            background A
            quit
            close D
            """)
    }

    private func rows(_ fixture: Fixture, _ words: String...) throws -> [String] {
        let words = ["plan", "--json", "--store", fixture.path] + words
        return try ToolWorld().run(words).objects().map { row in
            [
                row.text("step"), row.text("session").map { $0.prefix(8) }.map(String.init),
                row.text("outcome"), row.text("restoration"),
            ].compactMap(\.self).joined(separator: " ")
        }
    }

    private let a = Fixture.a.prefix(8)
    private let b = Fixture.b.prefix(8)
    private let c = Fixture.c.prefix(8)
    private let d = Fixture.d.prefix(8)

    @Test("L-52 the plan at the time of a death is what a launch then does, and a later one is not")
    func afterDeaths() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let store = folder + "container"
        let file = RepositoryFile.path("Tests/Scenarios/L-52-death-without-its-state.scenario")
        let world = ToolWorld()
        #expect(world.run("simulate", file, "--store", store).status == .done)
        func steps() throws -> [String] {
            try world.run("plan", "--json", "--store", store).objects()
                .compactMap { $0.text("step") }
        }
        #expect(try steps() == ["launch", "connect", "held"])
        // Nobody knows when a process died: by then it may have run for long.
        world.clock.advance(.seconds(60))
        #expect(try steps() == ["launch", "connect", "connect"])
    }

    @Test("L-11 L-37 the order, who comes how far, what stays, and why")
    func table() throws {
        let fixture = try fixture()
        var terminal = Terminal()
        terminal.width = 120
        let run = fixture.run("plan", "--reason", "launch", terminal: terminal)
        #expect(run.status == .done)
        #expect(
            run.output == """
                Launch 2 has the reason launch: as asked
                It is planned with the manifest that the last launch declared

                Step     #  Session   Title            Outcome     Restoration  Configuration  Role    Reason
                discard     \(d)  Editor \(d)  user                     Editor         window  the app was not told yet
                connect  1  \(c)  Editor \(c)  active      nothing      Editor         window  it was in front when it was last…
                connect  2  \(b)  Editor \(b)  foreground  available    Editor         window  it was in front when it was last…

                1 more session stays open until activated

                """)
    }

    @Test("--json is a row a step, those that stay too")
    func json() throws {
        #expect(
            try rows(fixture(), "--reason", "launch") == [
                "launch launch", "discard \(d) user", "connect \(c) active nothing",
                "connect \(b) foreground available", "stay \(a) disconnected available",
            ])
    }

    @Test("L-50 a manifest without the configurations: stale, and renamed with the rename map")
    func stale() throws {
        let fixture = try fixture()
        #expect(
            try rows(fixture, "--reason", "launch", "--manifest", fixture.manifest("renamed"))
                == [
                    "launch launch", "discard \(d) user", "connect \(c) active stale",
                    "connect \(b) foreground stale", "stay \(a) disconnected stale",
                ])
        #expect(
            try rows(
                fixture, "--reason", "launch", "--manifest", fixture.manifest("renamed"),
                "--rename", "Editor:Writer")
                == [
                    "launch launch", "discard \(d) user", "connect \(c) active nothing",
                    "connect \(b) foreground available", "stay \(a) disconnected available",
                ])
    }

    @Test("L-50 no entry for the role: parked, and a new session is made")
    func cannotDisplay() throws {
        let fixture = try fixture()
        #expect(
            try rows(fixture, "--reason", "launch", "--manifest", fixture.manifest("car"))
                == ["launch launch", "discard \(d) user", "new active"]
                + [
                    "park \(c) parked nothing", "park \(b) parked available",
                    "park \(a) parked available",
                ])
    }

    @Test("L-12 one scene: the most recently active one of the role returns, the others are parked")
    func singleScene() throws {
        let fixture = try fixture()
        #expect(
            try rows(fixture, "--reason", "launch", "--manifest", fixture.manifest("single"))
                == ["launch launch", "discard \(d) user", "connect \(c) active nothing"]
                + [b, a].map { "park \($0) parked available" })
    }

    @Test("L-52 a session that a process died restoring is withheld, then held")
    func crashes() throws {
        let once = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            background A
            quit
            crash restoring=A
            launch
            """)
        #expect(
            try rows(once, "--reason", "recover") == [
                "launch recover", "connect \(a) active withheld",
            ])
        #expect(
            once.run("plan", "--reason", "recover").lines.contains(
                "The last process died restoring \(Fixture.a); its count of crashes rises by one"))
        try once.edit { store in
            let record = try #require(try store.record(identifier: Fixture.a))
            try store.marks.setHeld(true, key: record.key)
        }
        #expect(
            try rows(once, "--reason", "recover") == [
                "launch recover", "new active", "held \(a) held held",
            ])
    }

    @Test("--reconnect all connects every session")
    func all() throws {
        #expect(
            try rows(fixture(), "--reason", "launch", "--reconnect", "all") == [
                "launch launch", "discard \(d) user", "connect \(c) active nothing",
                "connect \(b) foreground available", "connect \(a) background available",
            ])
    }

    @Test("L-16 --behaviour: what comes back when a launch begins without its windows")
    func behaviour() throws {
        let fixture = try fixture()
        let stay = [
            "stay \(c) disconnected nothing", "stay \(b) disconnected available",
            "stay \(a) disconnected available",
        ]
        let start = ["launch launch", "discard \(d) user"]
        #expect(
            try rows(fixture, "--reason", "launch", "--behaviour", "fresh").sorted()
                == (start + ["new active"] + stay).sorted())
        #expect(
            try rows(fixture, "--reason", "launch", "--behaviour", "none").sorted()
                == (start + stay).sorted())
        #expect(fixture.run("plan", "--behaviour", "gone").status == .usage)
    }

    @Test("L-65 --url: a line for each link, with who takes it and by which call")
    func links() throws {
        let fixture = try fixture()
        let links = ["--url", "notes://1", "--url", "notes://2"]
        func payloads(_ words: String...) throws -> [String] {
            let words = ["plan", "--json", "--store", fixture.path, "--reason", "launch"] + words
            return try ToolWorld().run(words + links).objects().compactMap { row in
                guard row.text("step") == "payload" else {
                    return nil
                }
                let session = row.text("session").map { String($0.prefix(8)) } ?? "new"
                return "\(session) \(row.text("outcome") ?? "")"
            }
        }
        #expect(try payloads() == ["\(c) connect", "\(c) connect"])
        #expect(try payloads("--behaviour", "fresh") == ["new connect", "new connect"])
        #expect(try payloads("--behaviour", "none") == ["\(c) connect", "\(c) connect"])
        let table = fixture.run("plan", "--reason", "launch", "--url", "notes://1")
        #expect(!table.output.contains("notes://"))
    }

    @Test("L-14 --reason first is a launch after a reset")
    func first() throws {
        #expect(try rows(fixture(), "--reason", "first") == ["launch first", "new active"])
    }

    @Test("L-14 without --reason the store and the machine say it")
    func guessed() throws {
        let died = try fixture()
        // The fixture's machine was another one.
        #expect(try rows(died).first == "launch restore")
        let device = try SimulatedDevice(storage: .temporaryDirectory)
        _ = try device.launch { Recorder() }
        let run = ToolWorld().run("plan", "--store", device.containerPath)
        #expect(
            run.lines.first
                == "Launch 2 has the reason launch: the app is running; this holds if it ends cleanly"
        )
    }

    @Test("what is wrong with the arguments")
    func usage() throws {
        let fixture = try fixture()
        #expect(fixture.run("plan", "--reason", "luck").status == .usage)
        #expect(fixture.run("plan", "--rename", "Editor").status == .usage)
        #expect(fixture.run("plan", "--manifest", "/nowhere.plist").status == .usage)
        let junk = try fixture.file("junk.plist", "not a property list")
        #expect(fixture.run("plan", "--manifest", junk).status == .usage)
    }

    // HELP-BEGIN
    @Test("help plan")
    func helpPlan() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "plan").output == #"""
                Usage: scenestore plan [--manifest FILE] [--rename OLD:NEW]…
                           [--reason REASON] [--reconnect POLICY] [--behaviour BEHAVIOUR]
                           [--url URL]… [--json] [--csv]

                Show what the next launch would do, and why.

                Lists what the launch does, in order. First the app is told which sessions were
                discarded. Then sessions connect, and each gets its window. OUTCOME shows
                whether the window becomes active, or stays in the foreground or background.
                Sessions that don't connect by themselves come last, each with the reason.

                --manifest plans an update: it reads the Info.plist of the new version, and
                shows which sessions get a renamed configuration, which lose theirs, and which
                can't be shown any more. Without --manifest, 'plan' uses the manifest that the
                app's last launch declared. Other options, such as how many sessions reconnect,
                are always those of the last launch. 'plan' can't know what the app's own code
                decides during the launch.

                --behaviour plans a launch that begins without its windows. --url plans a launch
                that a link starts. Each link, and each payload that waits in the inbox, has a
                line with the session that takes it. The line names no session if the payload
                gets a new one. OUTCOME is then the callback that delivers it, 'waiting' or
                'set-aside'. The exit status is 1 if 'open-url' would refuse a link.

                Options
                      --manifest FILE        The Info.plist of the app that launches next
                      --rename OLD:NEW       A configuration's old and new name, as in the
                                             rename map; may be repeated
                      --reason REASON        Assume this reason for the launch; else the
                                             store's: first, launch, recover or restore
                      --reconnect POLICY     Connect the sessions that were in front
                                             (foreground), all, or the last used N (first:N);
                                             else as the last launch did
                      --behaviour BEHAVIOUR  How the launch begins: restore, fresh, none or safe
                                             (default restore)
                      --url URL              A link that starts the app; may be repeated
                      --json                 Print one JSON value a line, keys sorted
                      --csv                  Print the table as CSV

                Rows and columns: --limit, --sort, --columns and --wide; see 'scenestore help
                formats'. Options of every command: see 'scenestore help'.

                Examples
                  scenestore plan
                      Which windows come back
                  scenestore plan --manifest New/Info.plist --rename Editor:Writer
                      Which windows come back after an update
                  scenestore plan --behaviour fresh --url notes://note/42
                      Who takes a link when no window comes back
                  scenestore plan --reason recover --json
                      What comes back after a crash, for scripts

                """#)
    }

    // HELP-END
}
