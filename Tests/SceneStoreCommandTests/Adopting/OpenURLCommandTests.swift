import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreLinks
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("open-url")
struct OpenURLCommandTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            delegate can=never prefers="^notes://note/1" session=A
            new-scene
            background A
            kill
            """)
    }

    @Test("L-60 L-70 a cold app: the session that prefers the link, and its callbacks")
    func cold() {
        let run = fixture.run("open-url", "notes://note/1", "--manifest", fixture.manifest("many"))
        #expect(run.status == .done)
        #expect(
            run.output == """
                Filter         accepted, the link is the app's
                Route          not known here; the app's router decides which screen
                Session        \(Fixture.a): its conditions prefer the target
                Delivered      in the options of its connection; the app is launched (app state cold)
                               application(_:willFinishLaunchingWithOptions:)
                               application(_:didFinishLaunchingWithOptions:)
                               scene(_:willConnectTo:options:) \(Fixture.a) ← the link
                               scene(_:restoreInteractionStateWith:) \(Fixture.a)
                               sceneWillEnterForeground(_:) \(Fixture.a)
                               sceneDidBecomeActive(_:) \(Fixture.a)
                               1 other window: scene(_:willConnectTo:options:) and sceneWillEnterForeground(_:); --all lists them

                """)
    }

    @Test("L-60 of many windows open-url counts the callbacks of those that don't get the link")
    func many() throws {
        let count = 30
        let fixture = try Fixture(
            "manifest many.plist\ndelegate provider=Editor\nlaunch\n"
                + String(repeating: "new-scene\n", count: count - 1) + "kill\n")
        let run = fixture.run("open-url", "notes://x")
        #expect(run.lines.count == 11, "\(run.output)")
        #expect(
            run.lines.last
                == "               29 other windows: 29 × scene(_:willConnectTo:options:) and 29 × "
                + "sceneWillEnterForeground(_:); --all lists them")
        let short = try #require(fixture.run("open-url", "notes://x", "--json").objects().first)
        let session = short.text("session")
        let calls = try #require(short["callbacks"]?.arrayValue).compactMap(\.objectValue)
        #expect(calls.count == 5)
        #expect(calls.allSatisfy { [nil, session].contains($0.text("session")) })
        let others = try #require(short["others"]?.objectValue)
        #expect(others["count"] == 29)
        #expect(
            others["callbacks"]?.arrayValue?.map { $0.objectValue?["count"] ?? .null } == [29, 29])
        let all = try #require(
            fixture.run("open-url", "notes://x", "--json", "--all").objects().first)
        #expect(all["others"] == .null && all["callbacks"]?.arrayValue?.count == 5 + 2 * 29)
        #expect(fixture.run("open-url", "notes://x", "--all").lines.count == 10 + 2 * 29)
    }

    private func callbacks(_ words: String...) throws -> [String] {
        let words = ["open-url", "--json", "--all", "--store", fixture.path] + words
        let object = try #require(ToolWorld().run(words).objects().first)
        return object["callbacks"]?.arrayValue?.compactMap(\.objectValue).map { callback in
            (callback.text("name") ?? "") + (callback["link"] == true ? "!" : "")
                + (callback.text("session").map { ":" + ($0 == Fixture.a ? "A" : "B") } ?? "")
        } ?? []
    }

    @Test("L-61 a warm app: by callback when its scene is connected, else by its connection")
    func warm() throws {
        #expect(try callbacks("notes://x", "--app-state", "foreground") == ["url!:B"])
        #expect(
            try callbacks("notes://x", "--app-state", "background")
                == ["url!:B", "fg:B", "active:B"])
        #expect(
            try callbacks("notes://note/1", "--app-state", "foreground")
                == ["connect!:A", "restore:A", "fg:A", "inactive:B", "active:A"])
    }

    @Test("L-70 a window is called by its title")
    func title() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let record = try #require(try store.record(identifier: "letter-session"))
        try store.values.setTitle("Birthday", key: record.key)
        try store.close()
        let run = fixture.run("open-url", "notes://x")
        #expect(
            run.lines.contains { $0.hasPrefix("Session        Birthday (letter-session): ") },
            "\(run.output)")
    }

    @Test("L-60 L-79 the link is marked alone, and by the call that hands it over")
    func amongWaiting() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            policy inbox=on delivery=when-active
            launch
            shortcut s
            quit

            """)
        let run = fixture.run("open-url", "app://b")
        let marked = run.lines.filter { $0.contains("← the link") }
        #expect(marked.count == 1, "\(run.output)")
        #expect(marked.allSatisfy { $0.contains("scene(_:openURLContexts:)") })
        #expect(
            run.lines.contains(
                "Delivered      by callback; the app is launched (app state cold)"),
            "\(run.output)")
    }

    @Test(
        "L-70 of several that prefer a link, --why tells which was active last, and names the others"
    )
    func tie() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            delegate prefers="~notes" session=A
            new-scene
            delegate prefers="^notes://|=x" session=B
            new-scene
            wait 1s
            kill
            """)
        let run = fixture.run("open-url", "notes://x", "--why")
        let session = run.lines.first { $0.hasPrefix("Session        ") }
        #expect(
            session?.hasSuffix(
                ": its conditions prefer the target, and it was active last of the 2 windows whose "
                    + "conditions do") == true, "\(run.output)")
        let rules = run.lines.filter { $0.contains(": prefers it (") }
        #expect(rules.count == 2)
        #expect(rules.first?.contains(Fixture.b) == true)
        #expect(
            rules.first?.contains("prefers what begins with \"notes://\" or \"x\")") == true)
        #expect(rules.last?.contains("prefers what contains \"notes\")") == true)
        // Without --why the rule alone decides what is shown.
        #expect(!fixture.run("open-url", "notes://x").output.contains(Fixture.a + ": prefers"))
    }

    @Test("L-70 --why names a window that only can show the link, and who gets it after a discard")
    func next() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            delegate can="~notes" session=A
            new-scene
            delegate can=never prefers="^notes://2" session=B
            wait 1s
            kill
            """)
        let lines = fixture.run("open-url", "notes://21", "--why").lines
        #expect(lines.contains { $0.contains("\(Fixture.a): can show it (can show what contains") })
        let next = try #require(lines.first { $0.contains("the chosen window is open") })
        #expect(next.contains("'scenestore discard \(Fixture.b) --store /"), "\(next)")
        #expect(next.hasSuffix("closes it, and then \(Fixture.a) gets the link"), "\(next)")
        #expect(fixture.run("discard", Fixture.b, "--yes").status == .done)
        let after = fixture.run("open-url", "notes://21", "--why").lines
        #expect(after.contains { $0.hasPrefix("Session        \(Fixture.a): ") }, "\(after)")
        #expect(!after.contains { $0.contains("gets the link") })
    }

    @Test("L-70 --why names the chosen session, and with --all every one, with its conditions")
    func why() {
        let chosen = fixture.run("open-url", "notes://x", "--why").lines
        #expect(!chosen.contains { $0.contains("\(Fixture.a): cannot") })
        let lines = fixture.run("open-url", "notes://x", "--why", "--all").lines
        #expect(
            lines.contains(
                "               \(Fixture.a): cannot "
                    + "(can show none, prefers what begins with \"notes://note/1\")"))
        #expect(
            lines.contains(
                "               \(Fixture.b): can show it (no conditions of its own)"))
        #expect(lines.contains { $0.contains("· scheme: not asked; --manifest names") })
        #expect(lines.contains { $0.contains("its target(for:) may choose another window") })
    }

    @Test(
        "K-01 R-32 nobody gets a link that the filter refuses, and the answer says why",
        arguments: [
            ("javascript:alert(1)", "forbiddenScheme"), ("http://example.com", "insecureScheme"),
            ("other://x", "unknownScheme"), ("notes:// x", "notPrintable"), ("x", "missingScheme"),
            ("https://user@example.com/", "userInfo"),
        ])
    func refused(url: String, reason: String) throws {
        let words = [
            "open-url", url, "--manifest", fixture.manifest("many"), "--store", fixture.path,
        ]
        let run = ToolWorld().run(words)
        #expect(run.status == .answeredNo)
        #expect(run.output.hasPrefix("Filter         refused, \(reason): "))
        #expect(run.lines.last == "Delivered      to nobody")
        let json = ToolWorld().run(words + ["--json"])
        #expect(json.status == .answeredNo)
        let object = try #require(json.objects().first)
        #expect(object.text("refusal") == reason)
        #expect(object["delivered"] == false)
        #expect(object["callbacks"] == [])
    }

    @Test("K-02 a universal link: the host's domain and the rules of its association file")
    func universal() throws {
        let file = try fixture.file("aasa.json", AssociationText.notes)
        func status(_ url: String, _ words: String...) -> SceneStoreCommand.ExitStatus {
            ToolWorld().run(
                ["open-url", url, "--aasa", file, "--store", fixture.path] + words
            ).status
        }
        #expect(status("https://example.com/n/1", "--domain", "example.com") == .done)
        #expect(status("https://example.com/n/1") == .done)
        #expect(status("https://example.com/private/1", "--domain", "example.com") == .answeredNo)
        #expect(status("https://other.com/n/1", "--domain", "example.com") == .answeredNo)
        #expect(
            status(
                "https://example.com/n/1", "--domain", "example.com", "--app-id", "ZZZZZ12345.x")
                == .answeredNo)
        #expect(status("https://example.com/n/1", "--domain", "http://x") == .usage)
    }

    @Test("L-61 a universal link comes by willContinue and continue, others by openURLContexts")
    func universalCallbacks() throws {
        #expect(
            try callbacks("https://example.com/n/1", "--app-state", "foreground")
                == ["willContinue:B", "continue!:B"])
        #expect(try callbacks("notes://n/1", "--app-state", "foreground") == ["url!:B"])
    }

    @Test("K-26 a near miss says which rule came nearest")
    func nearMiss() throws {
        let file = try fixture.file("aasa.json", AssociationText.notes)
        let run = fixture.run(
            "open-url", "https://example.com/N/1", "--domain", "example.com", "--aasa", file)
        #expect(run.status == .answeredNo)
        #expect(run.output.contains("closest miss: applinks.details[0].components[1]"))
        #expect(run.output.contains("hint: it differs in case only"))
    }

    @Test("L-70 a new session when none can show the link; the provider is asked")
    func newSession() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            delegate can=never session=A
            kill
            """)
        let run = fixture.run("open-url", "notes://x", "--manifest", fixture.manifest("many"))
        #expect(run.status == .done)
        #expect(
            run.lines.contains(
                "Session        a new one: no remembered session can show the target"))
        #expect(
            run.lines.contains(
                "               application(_:configurationForConnecting:options:)"))
        let car = fixture.run("open-url", "notes://x", "--manifest", fixture.manifest("car"))
        // That manifest declares no scheme, so the filter refuses before a session is asked.
        #expect(car.status == .answeredNo)
    }

    @Test("a single-scene app's one session takes everything")
    func singleScene() throws {
        let fixture = try Fixture(
            """
            manifest single.plist
            delegate provider=Editor
            launch
            delegate can=never session=A
            kill
            """)
        let manifest = try fixture.file(
            "one.plist", Manifests.make(["Editor"], isMultiple: false, schemes: ["notes"]))
        let object = try #require(
            fixture.run("open-url", "notes://x", "--manifest", manifest, "--json").objects().first)
        #expect(object.text("session") == Fixture.a)
        #expect(object.text("rule") == "onlySession")
    }

    @Test("the app's state comes from the store when it is not given")
    func guessedState() throws {
        let device = try SimulatedDevice(storage: .temporaryDirectory)
        let application = try device.launch { Recorder() }
        func state() throws -> String? {
            try ToolWorld().run("open-url", "notes://x", "--json", "--store", device.containerPath)
                .objects().first?.text("appState")
        }
        #expect(try state() == "foreground")
        try application.moveToBackground(
            application.connectedScenes.map(\.session.persistentIdentifier))
        #expect(try state() == "background")
        device.kill()
        #expect(try state() == "cold")
    }

    @Test("the filter's no needs no store, everything else does")
    func store() {
        let world = ToolWorld()
        #expect(world.run("open-url", "javascript:1", "--store", "/no").status == .answeredNo)
        #expect(world.run("open-url", "notes://x", "--store", "/no").status == .noStore)
    }

    @Test("R-41 errors hold nothing of a link but its scheme and host")
    func canary() {
        let world = ToolWorld()
        for words in [
            ["open-url", "https://u:SECRET@h.com/SECRET", "https://h.com/SECRET?SECRET"],
            ["open-url", "notes://h/SECRET", "--store", "/nowhere"],
            ["show", "https://h.com/SECRET", "--store", fixture.path],
            ["link", "match", "https://h.com/SECRET"],
        ] {
            let run = world.run(words)
            #expect(run.status != .done)
            #expect(!run.errors.contains("SECRET"))
        }
    }

    // HELP-BEGIN
    @Test("help open-url")
    func helpOpenUrl() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "open-url").output == #"""
                Usage: scenestore open-url URL [--manifest FILE] [--aasa FILE]
                           [--domain DOMAIN]… [--app-id ID] [--app-state STATE]
                           [--behaviour BEHAVIOUR] [--why] [--all] [--json]

                Show which window would get a link, and by which callbacks.

                Answers two questions without running the app. Does the link belong to the app?
                A custom scheme has to be in the Info.plist of --manifest; a web link has to fit
                the hosts of --domain and the rules of --aasa. Which window takes it? The store
                has activation conditions for each session, and the best match wins. The app
                decides which screen the window then shows. --why shows the rules and the chosen
                window's conditions, and with --all every session that was compared. It also
                names windows that prefer the link and are held or parked. The callbacks of
                other windows are counted; --all lists them.

                Without --manifest any custom scheme passes, and without --domain any host. The
                app counts as not running ('cold') unless it owns the store now; --app-state
                assumes another state. The exit status is 1 if no window gets the link. The
                command doesn't ask the app, whose target(for:) may choose another window.
                'deliver url' asks it.

                Arguments
                  URL  The link, as it arrives

                Options
                      --manifest FILE        The Info.plist of the app that launches next
                      --aasa FILE            The domains' association file
                      --domain DOMAIN        A domain of the app: example.com, *.example.com;
                                             may be repeated
                      --app-id ID            The app's identifier in that file: TEAMID.bundle.id
                      --app-state STATE      Assume this of the app when the link arrives: cold,
                                             background or foreground
                      --behaviour BEHAVIOUR  How the launch begins: restore, fresh, none or safe
                                             (default restore)
                      --why                  Show every rule that was asked, and the conditions
                                             of the window
                      --all                  Show every session that was compared, and every
                                             callback
                      --json                 Print one JSON value a line, keys sorted

                Options of every command: see 'scenestore help'.

                Examples
                  scenestore open-url 'notes://note/42' --manifest Info.plist
                      Which window takes a link with the app's own scheme
                  scenestore open-url https://example.com/n/42 --aasa aasa.json --domain example.com --why
                      Which one takes a web link, with every rule that was compared
                  scenestore open-url 'javascript:alert(1)'
                      No window gets such a link (exit status 1)

                """#)
    }

    // HELP-END
}
