import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("timeline")
struct TimelineCommandTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit title="A letter" n:i=1
            wait 2s
            new-scene
            wait 5s
            background A
            wait 2s
            close B
            quit
            wait 3h
            launch url=notes://note/1
            wait 4s
            kill
            wait 1h
            launch
            quit
            """)
    }

    private func run(
        _ words: String..., width: Int? = 80, locale: [String: String] = ["LANG": "C.UTF-8"],
        isColored: Bool = false
    ) -> ToolRun {
        var world = ToolWorld()
        world.terminal.width = width
        world.terminal.isOutputColored = isColored
        world.environment = locale
        return world.run(["timeline", "--store", fixture.path] + words)
    }

    @Test("a row is a session, a band a launch, and marks stand where they happened")
    func lanes() {
        let run = run()
        #expect(run.status == .done)
        #expect(run.errors.isEmpty)
        #expect(
            run.output == """
                                    1 Jan
                                    1         2    3
                Process             ───────── ──✸─ ───
                A letter             ○━──●─┄┄ ┄◆▲━ ┄▲┄
                Editor BEEB8DA1        ○━━━✕

                ○ created  ▲ restored  ◆ link or activity  ● saved  ✕ discarded  ✸ process died
                ━━ in front  ── connected  ┄┄ remembered

                """)
    }

    @Test(
        "another locale than UTF-8 gets plain signs",
        arguments: [[:], ["LANG": "C"], ["LC_ALL": "POSIX", "LANG": "de_DE.UTF-8"]])
    func plain(locale: [String: String]) {
        let run = run(locale: locale)
        #expect(run.output.utf8.allSatisfy { $0 < 0x80 })
        #expect(run.output.contains("@^"))
        #expect(TimelineText.isUnicode(Environment(["LC_CTYPE": "en_US.utf8"])))
    }

    @Test("colour is only where it is asked for")
    func color() {
        #expect(!run().output.contains("\u{1B}"))
        #expect(run(isColored: true).output.contains("\u{1B}[32m▲\u{1B}[0m"))
    }

    @Test("no line is wider than the terminal", arguments: [1, 40, 80, 200, 5_000])
    func widths(width: Int) {
        let most = min(max(width, 40), 200)
        let widths = run(width: width).lines.map(DisplayWidth.columns)
        #expect(widths.count > 5)
        #expect(widths.allSatisfy { $0 <= most }, "\(widths)")
    }

    @Test("--json and --csv give everything that happened, a row each")
    func rows() throws {
        let rows = try run("--json").objects().map { row in
            [
                row["launch"]?.integerValue.map(String.init), row.text("mark"),
                row.text("title"),
            ].map { $0 ?? "-" }.joined(separator: " ")
        }
        #expect(
            rows == [
                "1 create A letter", "1 create -", "1 save A letter", "1 discard -",
                "2 link A letter", "2 restore A letter", "2 crash -", "3 restore A letter",
            ])
        let csv = run("--csv").lines
        #expect(csv.count == 9)
        #expect(csv.first == "time,launch,mark,session,title,outcome,appVersion")
    }

    @Test(
        "a death is told in the launch that died, whenever it was found out, and whom it is laid to"
    )
    func deaths() throws {
        let fixture = try Fixture(
            Fixture.oneState + """
                crash restoring=B
                wait 1h
                launch
                close A
                wait 3h
                launch
                quit
                """)
        let store = try SceneSessionStore.open(
            at: .directory(fixture.path), options: Self.reading)
        defer { try? store.close() }
        let story = try StoreStory(reading: store, redaction: .none, now: 0)
        let start = VirtualClock.start
        #expect(story.launches.map(\.ending) == [.quit, .died, .quit])
        #expect(story.launches.map(\.lastAt) == [start, start + 3_600_000, start + 14_400_000])
        let told = story.marks.filter { $0.launch == 2 }.map { mark in
            "\(mark.kind) \(mark.session.map { story.sessions[$0].identifier } ?? "-")"
        }
        #expect(
            told == [
                "other \(Fixture.b)", "blame \(Fixture.b)", "crash -", "discard \(Fixture.a)",
            ])
    }

    @Test("what a launch planned that died before its ledger is told as 'why' tells it")
    func planned() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            new-scene
            state B com.example.edit n:i=2
            quit
            crash restoring=B
            launch

            """)
        func marks(_ launch: Int64) throws -> [String] {
            try fixture.run("timeline", "--json").objects()
                .filter { $0["launch"]?.integerValue == launch }
                .map { "\($0.text("mark") ?? "") \($0.text("outcome") ?? "")" }
        }
        let died = "died: the process died while it launched, perhaps before this window"
        #expect(try marks(2).filter { $0 == "other \(died)" }.count == 2)
        #expect(try !marks(2).contains { $0.hasPrefix("restore") })
        #expect(fixture.run("why", Fixture.a).output.contains(died))
        // One that lived tells what it did.
        let lived = try Fixture(Fixture.twoWindows + "launch\nwait 20s\nkill\n")
        #expect(lived.run("timeline", "--csv").output.contains("2,restore,"))
    }

    private static var reading: SceneSessionStore.Options {
        var options = SceneSessionStore.Options.seeded()
        options.access = .reader
        return options
    }

    @Test("below 40 columns it stays as it is at 40, above 200 as at 200")
    func extremes() {
        #expect(run(width: 10).output == run(width: 40).output)
        #expect(run(width: 5_000).output == run(width: 200).output)
        #expect(run(width: 40).output != run(width: 80).output)
    }

    @Test("launches and sessions that share a row or a band are counted on standard error")
    func shared() throws {
        let launches = String(repeating: "launch\nquit\n", count: 60)
        let fixture = try Fixture("manifest many.plist\ndelegate provider=Editor\n" + launches)
        let run = fixture.run("timeline")
        #expect(run.errors.hasPrefix("the first "), "\(run.errors)")
        #expect(run.errors.contains(" launches share bands; --launches N shows the newest\n"))
        #expect(fixture.run("timeline", "--launches", "5").errors.isEmpty)
    }

    private static func marks(_ fixture: Fixture) throws -> [StoryMark] {
        let context = ToolWorld().context(CapturedBytes(), CapturedBytes())
        let store = try context.openStore(at: fixture.path)
        defer { try? store.close() }
        return try StoreStory(reading: store, redaction: .none, now: 0).marks
    }

    @Test("a window that was asked for is no link; a link that makes one is")
    func linksAndWindows() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            new-scene
            quit
            """)
        let marks = try Self.marks(fixture)
        #expect(marks.contains { $0.kind == .create })
        #expect(!marks.contains { $0.kind == .link })
        let linked = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            delegate can=never session=A
            open-url notes://n/1
            quit
            """)
        let found = try Self.marks(linked)
        #expect(found.count { $0.kind == .link } == 1, "\(found)")
    }

    @Test("days are those of the person, with their years if there are several")
    func days() throws {
        var world = ToolWorld()
        world.zone = TimeText.Zone { _ in -3_600_000 }
        let words = ["timeline", "--store", fixture.path]
        #expect(!world.run(words).output.contains("Dec"))
        // In UTC all of it is of January.
        let local = world.run(words + ["--local"])
        #expect(local.output.contains("31 Dec 2025"), "\(local.output)")
    }

    @Test("--launches shows the newest alone")
    func newest() throws {
        #expect(try run("--launches", "1", "--json").objects().count == 1)
        #expect(run("--launches", "1").lines.dropFirst().first?.hasSuffix(" 3") == true)
        #expect(run("--launches", "0").status == .usage)
    }

    @Test("a store that has seen no launch has nothing to draw")
    func nothing() throws {
        let empty = try Fixture("manifest many.plist\nlaunch\nreset\nquit")
        let run = empty.run("timeline")
        #expect(run.status == .done)
        #expect(run.output.isEmpty)
        #expect(run.errors == "the store has seen no launch\n")
        let report = empty.run("report")
        #expect(report.status == .done)
        #expect(report.output.contains("The store has seen no launch."))
    }

    @Test("S-72 what is hidden in a report is hidden whatever the store holds")
    func redaction() throws {
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.a))
            try store.values.setTitle("canary title", key: record.key)
        }
        #expect(fixture.run("report").output.contains("canary title"))
        let values = fixture.run("report", "--redact", "values").output
        #expect(!values.contains("canary"))
        #expect(!values.contains("A letter"))
        let all = fixture.run("report", "--redact", "all").output
        #expect(!all.contains("canary"))
        #expect(!all.contains("com.example.edit"))
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.a))
            try store.marks.setPrivacy(.redacted, key: record.key)
        }
        let hidden = fixture.run("report").output
        #expect(!hidden.contains("canary"))
        #expect(!hidden.contains("A letter"))
        #expect(hidden.contains("private, disconnected"))
        #expect(!fixture.run("timeline", "--json").output.contains("A letter"))
    }

    @Test("R-09 drawing a store changes no byte of it")
    func readsOnly() throws {
        let before = try ContainerImage(of: fixture.path)
        _ = run()
        _ = fixture.run("report")
        #expect(try ContainerImage(of: fixture.path) == before)
    }

    // HELP-BEGIN
    @Test("help timeline")
    func helpTimeline() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "timeline").output == #"""
                Usage: scenestore timeline [--launches N] [--json] [--csv]

                Draw the sessions as lanes over the launches.

                Each row is a session, and each numbered band a launch. Time runs to the right
                and continues below. Where the locale is not UTF-8, the picture is drawn in
                ASCII. If there are more launches or sessions than fit, the older ones share a
                place, and a line below says so.

                --json and --csv print a line for everything that happened, and leave nothing
                out; --limit, --since, --sort and --columns choose among those lines. 'report'
                draws the same picture on a page.

                Options
                      --launches N  Only the newest N launches
                      --json        Print one JSON value a line, keys sorted
                      --csv         Print the table as CSV

                Rows and columns: --limit, --since, --sort, --columns and --wide; see
                'scenestore help formats'. Options of every command: see 'scenestore help'.

                Examples
                  scenestore timeline
                      All launches
                  scenestore timeline --launches 5
                      The newest five
                  scenestore timeline --csv
                      For a spreadsheet

                """#)
    }

    // HELP-END
}
