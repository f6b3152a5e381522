import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("log")
struct LogCommandTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            new-scene
            background A
            wait 2s
            close B
            quit
            launch
            kill
            """)
    }

    private func rows(_ words: String...) throws -> [String] {
        var all = ["log", "--json", "--store", fixture.path]
        all += words
        // When a process opened the store is no matter here.
        return try ToolWorld().run(all).objects().filter { $0.text("event") != "open" }.map { row in
            [row.text("event"), row.text("call"), row.text("outcome")].map { $0 ?? "-" }
                .joined(separator: " ")
        }
    }

    @Test("S-42 the journal is told as callbacks and decisions, oldest first")
    func journal() throws {
        #expect(
            try rows("--launch", "1") == [
                "launch application(_:didFinishLaunchingWithOptions:) first",
                "launch-reason - first",
                "provider application(_:configurationForConnecting:options:) asked",
                "create scene(_:willConnectTo:options:) -",
                "target - new-window",
                "provider application(_:configurationForConnecting:options:) asked",
                "create scene(_:willConnectTo:options:) -",
                "mark sceneDidEnterBackground(_:) background",
                "save stateRestorationActivity(for:) com.example.edit, 32 bytes",
                "discard - user",
                "discard-delivered application(_:didDiscardSceneSessions:) -",
                "end - quit",
            ])
    }

    @Test("--launch of a launch that the journal does not have is answered no")
    func unknownLaunch() throws {
        for words in [["--json"], []] {
            let run = ToolWorld().run(["log", "--launch", "99", "--store", fixture.path] + words)
            #expect(run.status == .answeredNo)
            #expect(run.output.isEmpty)
        }
        let known = ToolWorld().run(["log", "--launch", "2", "--store", fixture.path])
        #expect(known.status == .done)
    }

    @Test("--launch last is the newest launch alone")
    func lastLaunch() throws {
        #expect(try rows("--launch", "last") == (try rows("--launch", "2")))
        #expect(try rows("--launch", "2").first?.hasPrefix("launch ") == true)
        #expect(try rows("--launch", "99") == [])
    }

    @Test("SESSION shows one session, also one that only the journal still knows")
    func session() throws {
        #expect(
            try rows(Fixture.b) == [
                "provider application(_:configurationForConnecting:options:) asked",
                "create scene(_:willConnectTo:options:) -",
                "discard - user",
                "discard-delivered application(_:didDiscardSceneSessions:) -",
            ])
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.b))
            try store.forget([record.key])
        }
        #expect(try rows(String(Fixture.b.prefix(8))).last == "forget - -")
        #expect(fixture.run("log", "FFFFFFFF").status == .noStore)
    }

    @Test("S-42 a discard is told once, with its reason")
    func discardOnce() throws {
        let told = try fixture.run("log", Fixture.b, "--json").objects().filter {
            $0.text("event") == "discard"
        }
        #expect(told.map { $0.text("outcome") } == ["user"])
        #expect(told.first?.text("reason") == "the user closed its window")
        let why = fixture.run("why", Fixture.b).output
        #expect(why.components(separatedBy: "  discard  ").count == 2, "\(why)")
    }

    @Test("L-52 S-42 a death that a session is blamed for is told before the next process opens")
    func blameFirst() throws {
        let fixture = try Fixture(Fixture.withheldState + "launch\n")
        let told = try fixture.run("log", "--json").objects().compactMap { row in
            ["open", "blame", "launch"].contains(row.text("event"))
                ? "\(row.text("event") ?? "") \(row["launch"]?.integerValue ?? 0)" : nil
        }
        #expect(
            told == [
                "open 1", "launch 1", "open 2", "launch 2", "blame 2", "open 3", "launch 3",
            ])
    }

    @Test("a decision has its reason, an entry has none")
    func reasons() throws {
        let objects = try fixture.run("log", Fixture.b, "--json").objects()
        #expect(objects.first?.text("reason") == "the session is new")
        #expect(objects.first?.text("time") == "2026-01-01T00:00:00.000Z")
        #expect(objects.last?["reason"] == .null)
    }

    @Test("--graph draws a line for each session, which ends where the session does")
    func graph() {
        let lines = fixture.run("log", "--launch", "1", "--graph").lines
        let graph = lines.dropFirst().filter { !$0.contains("  open") }.map { line in
            String(line.dropFirst(29).prefix(5))
        }
        #expect(
            graph == [
                "     ", "     ", "◇    ", "○    ", "│    ", "│ ◇  ", "│ ○  ", "● │  ", "● │  ",
                "  ╵  ", "●    ", "     ",
            ])
    }

    @Test("the table for people")
    func table() {
        var terminal = Terminal()
        terminal.width = 96
        let run = fixture.run("log", "--launch", "2", terminal: terminal)
        #expect(run.status == .done)
        #expect(
            run.lines.first
                == "Time (UTC)           Launch  Event          Title          Call  Outcome        Reason"
        )
        #expect(run.lines.dropFirst().first?.hasPrefix("2026-01-01 00:00:02") == true)
    }

    @Test("at 80 columns the time stays")
    func narrow() throws {
        var terminal = Terminal()
        terminal.width = 80
        let run = fixture.run("log", terminal: terminal)
        #expect(run.lines.first?.hasPrefix("Time (UTC)           Event") == true, "\(run.output)")
        #expect(run.lines.allSatisfy { $0.count <= 80 })
    }

    @Test("the entry of opening the store is told with the launch that it led to")
    func opening() throws {
        let objects = try fixture.run("log", "--launch", "2", "--json").objects()
        #expect(objects.first?.text("event") == "open")
        #expect(objects.first?["launch"]?.integerValue == 2)
        let all = try fixture.run("log", "--json").objects().filter { $0.text("event") == "open" }
        #expect(all.map { $0["launch"]?.integerValue } == [1, 2])
    }

    @Test("a launch that is no number is wrong usage, and none to be the last answers no")
    func launches() throws {
        #expect(fixture.run("log", "--launch", "0").status == .usage)
        let empty = try Fixture("manifest many.plist\nlaunch\nreset\nquit")
        #expect(empty.run("log", "--launch", "last").status == .answeredNo)
    }

    @Test("more sessions than places for lines share the last one")
    func manyLanes() throws {
        try fixture.edit { store in
            var keys: [Int64] = []
            for index in 0..<20 {
                let record = try store.insertSession(
                    identifier: "session-\(index)",
                    configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
                keys.append(record.key)
            }
            for key in keys {
                try store.values.setTitle("title", key: key)
            }
        }
        let shared = fixture.run("log", "--graph").lines.filter { $0.contains(" +  ") }
        // Twelve have lines of their own, eight share a place.
        #expect(shared.count == 12)
    }

    // HELP-BEGIN
    @Test("help log")
    func helpLog() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "log").output == #"""
                Usage: scenestore log [SESSION] [--launch N|last] [--last N] [--graph]
                           [--json] [--csv]

                Show the journal: what happened, what was decided, and why.

                Lists the oldest entry first. Every committed change is an entry, including each
                save. Every decision is one, too: which session connects, which session takes a
                link, why a state is not restored. A decision is listed where it was stored.

                CALL is the callback that an entry belongs to, by the short name that 'simulate'
                uses; --json has the full name. For a launch, OUTCOME is its reason and how it
                ended.

                The journal has a limited size: new entries overwrite the oldest ones. The exit
                status is 1 if it has no entry of the launch that --launch names. The journal is
                not SQLite's write-ahead log.

                Arguments
                  [SESSION]  Only this session

                Options
                      --launch N|last  Only this launch, counted from 1
                      --last N         Only the newest N entries
                      --graph          Draw a line for each session
                      --json           Print one JSON value a line, keys sorted
                      --csv            Print the table as CSV

                Rows and columns: --limit, --since, --sort, --columns and --wide; see
                'scenestore help formats'. Options of every command: see 'scenestore help'.

                Examples
                  scenestore log --launch last
                      What the last launch did, and why
                  scenestore log --last 20
                      What happened last
                  scenestore log @last --graph
                      One session's life

                """#)
    }

    // HELP-END
}
