import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand
@testable import SceneStoreStorage

/// What several commands say of one thing is the same.
@Suite("one truth in every command")
struct OneTruthTests {
    @Test("reading commands read a backup, and through a link, as they read the store")
    func whatever() throws {
        let fixture = try EditedFixture()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        let link = fixture.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: fixture.path)
        let scenario = fixture.file("a.scenario")
        try Data("launch\nexpect-open A B C\n".utf8).write(to: URL(filePath: scenario))
        let lines = [
            ["doctor", "--full"], ["why", "letter"], ["operations"],
            ["simulate", scenario], ["info"],
            ["backup", "-o", fixture.file("again.sqlite"), "--force"],
        ]
        for path in [copy, link] {
            let before = fixture.files
            for line in lines {
                let run = ToolWorld().run(line + ["--store", path])
                let status = ToolWorld().run(line + ["--store", fixture.path]).status
                #expect(run.status == status, "\(line) \(path): \(run.errors)")
            }
            #expect(fixture.files == before)
        }
        #expect(ToolWorld().run("doctor", "--full", "--store", link).isSound)
        var bytes = try Data(contentsOf: URL(filePath: copy))
        bytes[bytes.count - 10] ^= 1
        try bytes.write(to: URL(filePath: copy))
        #expect(ToolWorld().run("doctor", "--store", copy).status == .damaged)
    }

    @Test("R-27 every reading command tells of an older file that took the store's place")
    func rolledBack() throws {
        let fixture = try EditedFixture()
        let file = URL(filePath: fixture.path + "/scenes.sqlite")
        let old = try Data(contentsOf: file)
        let store = try fixture.open(.owner)
        try FileManager.default.createDirectory(
            atPath: fixture.path + "/backups", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        let backups = ["a", "b", "c"].map { fixture.path + "/backups/\($0).sqlite" }
        // By time the second is the oldest, and by what stands in them the newest.
        for (backup, age) in zip([backups[0], backups[2], backups[1]], [5.0, 2, 9]) {
            _ = try store.insertSession(
                identifier: "later-\(age)",
                configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
            #expect(fixture.run("backup", "-o", backup).status == .done)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_767_000_000 - age)],
                ofItemAtPath: backup)
        }
        try store.close()
        try old.write(to: file)
        let scenario = fixture.file("a.scenario")
        try Data("launch\n".utf8).write(to: URL(filePath: scenario))
        for line in [["plan"], ["info"], ["sessions"], ["simulate", scenario]] {
            var world = ToolWorld()
            world.clock = fixture.clock
            let run = world.run(line + ["--store", fixture.path])
            #expect(run.status == .done, "\(line)")
            #expect((run.output + run.errors).contains("an older file was put in the place"))
        }
        let doctor = fixture.run("doctor")
        #expect(doctor.status == .answeredNo)
        #expect(doctor.output.contains("! SS032 an older file was put in the place"))
        #expect(
            doctor.output.contains(
                "'scenestore restore \(backups[1]) --store \(fixture.path)' puts "
                    + "the newest backup, last used at 2026-01-"),
            "\(doctor.output)")
        // Who goes on with it has accepted it.
        try fixture.open(.owner).close()
        #expect(fixture.run("doctor").status == .done)
    }

    @Test("R-09 info says that it read what could be salvaged, and whose it is")
    func salvaged() throws {
        let fixture = try EditedFixture()
        let sound = try #require(try fixture.run("info", "--json").objects().first)
        try fixture.damage()
        let run = fixture.run("info")
        #expect(run.output.contains("only what could be salvaged is shown"), "\(run.output)")
        #expect(run.output.contains("Identity       \(sound.text("uuid") ?? "")\n"))
        let json = try #require(try fixture.run("info", "--json").objects().first)
        #expect(json["healthy"] == false)
    }

    @Test("S-44 what a repair lost is told by every command until the window saves again")
    func lostStates() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("release", "draft", "--yes", "--no-backup").status == .done)
        try fixture.sqlite(
            "UPDATE state SET saved_at = saved_at + 1 WHERE id IN (SELECT state_id FROM session)")
        let repair = fixture.run("repair", "--yes")
        #expect(repair.output.contains("1 with an older state, 1 without their state"))
        #expect(!repair.errors.contains("error: "), "\(repair.errors)")
        #expect(fixture.run("checkout", "--lost", "--yes").status == .done)
        let lost = "the state that was saved last was lost in a salvage"
        let older = "an older one, because a salvage lost the one that was saved last"
        for (name, text) in [("letter", "available: \(older)"), ("draft", "nothing: \(lost)")] {
            let why = fixture.run("why", name).output
            #expect(why.contains("Restoration    \(text)\n"), "\(why)")
            #expect(!why.contains("evicted"))
        }
        let sessions = fixture.run("sessions").output
        #expect(sessions.contains("  \(older); ") && sessions.contains("  \(lost); "))
        let shown = fixture.run("show", "draft").output
        #expect(shown.contains("what was saved was lost in a salvage"))
        let doctor = fixture.run("doctor")
        #expect(doctor.output.contains("! SS040 \(lost), and none was saved since"))
        #expect(doctor.output.contains("(session draft-session)"), "\(doctor.output)")
        #expect(fixture.run("info").output.contains("Health         1 lost state; "))
        let store = try fixture.open(.owner)
        let context = SaveContext(appVersion: "2", savedAt: fixture.clock.clock.now())
        for name in ["letter-session", "draft-session"] {
            let key = try #require(try store.record(identifier: name)).key
            let activity = try UserActivity(activityType: "com.example.again")
            try store.save([StateToSave(key: key, activity: activity)], context: context)
        }
        try store.close()
        #expect(fixture.run("doctor").isSound)
        for command in [["why", "letter"], ["why", "draft"], ["sessions"], ["info"]] {
            let output = fixture.run(command).output
            #expect(!output.contains("lost"), "\(output)")
        }
    }

    @Test("S-44 report says of a damaged, a missing and an earlier state what show says")
    func statesInReport() throws {
        let current = "(SELECT state_id FROM session WHERE identifier = 'letter-session')"
        for (damage, restoration, reason) in [
            (
                "UPDATE state SET payload = zeroblob(length(payload)) WHERE id = \(current)",
                "damaged", "the state that was saved last is damaged"
            ),
            (
                "DELETE FROM state WHERE id = \(current)",
                "nothing", "the state that was saved last is not in the file"
            ),
            (nil, "available", "an earlier state was chosen"),
        ] {
            let fixture = try EditedFixture()
            if let damage {
                try fixture.sqlite(damage)
            } else {
                let store = try fixture.open(.owner)
                let key = try #require(try store.record(identifier: "letter-session")).key
                let oldest = try #require(try store.history.versions(key: key).last)
                try store.history.checkout(key: key, generation: oldest.generation)
                try store.close()
            }
            func says(_ told: CanonicalJSON.Object?) {
                #expect(told?.text("restoration") == restoration)
                #expect(told?.text("restorationReason") == reason)
            }
            let shown = try #require(try fixture.run("show", "letter", "--json").objects().first)
            says(shown["nextLaunch"]?.objectValue)
            for words in [[], ["--redact", "all"]] {
                let report = try fixture.run(["report", "--json"] + words).objects()
                says(
                    report.first {
                        $0.text("kind") == "window" && $0.text("session") == "letter-session"
                    })
            }
            if restoration != "nothing" {
                let plan = try fixture.run("plan", "--json").objects()
                let connecting = plan.first { $0.text("session") == "letter-session" }
                #expect(connecting?.text("reason")?.hasPrefix(reason + "; ") == true)
                #expect(fixture.run("report", "-o", "-").output.contains(reason))
            }
        }
    }

    @Test(
        "S-44 S-51 report counts the bytes of the state that the next launch gives, as sessions does"
    )
    func bytesInReport() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        let key = try #require(try store.record(identifier: "letter-session")).key
        let oldest = try #require(try store.history.versions(key: key).last)
        var activity = try UserActivity(activityType: "com.example.letter")
        activity.userInfo = ["text": "longer than the words of the earlier states"]
        let context = SaveContext(savedAt: fixture.clock.clock.now())
        try store.save([StateToSave(key: key, activity: activity)], context: context)
        func bytes(_ command: String) throws -> CanonicalJSON? {
            try fixture.run(command, "--json").objects().first {
                $0.text("session") == "letter-session" && $0["bytes"] != nil
            }?["bytes"]
        }
        try store.history.checkout(key: key, generation: oldest.generation)
        #expect(try bytes("report") == .count(oldest.byteCount))
        #expect(try bytes("sessions") == .count(oldest.byteCount))
        try store.save([StateToSave(key: key, activity: nil)], context: context)
        #expect(try bytes("report") == .null)
        #expect(try bytes("sessions") == .null)
        try store.close()
    }

    /// What keeps sessions or their states from coming back, with how many of two.
    private static let stores: [(scenario: String, kind: String, code: String, count: Int)] = [
        (Fixture.parked, "parked", "SS036", 1), (Fixture.stale, "stale", "SS037", 2),
        (Fixture.declined, "declined", "SS038", 2), (Fixture.failed, "withheld", "SS019", 2),
        (Fixture.failedAndSaved, "withheld", "SS019", 1),
    ]

    @Test(
        "S-44 doctor, info, report, sessions and why count the same windows, with cause and way back",
        arguments: stores)
    func obstacles(scenario: String, kind: String, code: String, count: Int) throws {
        let fixture = try Fixture(scenario)
        let doctor = fixture.run("doctor", "--json")
        #expect(doctor.status == .answeredNo)
        let named = try doctor.objects().filter { $0.text("code") == code }
        let found = named.filter { $0.text("severity") == "warning" }
        #expect(found.count == count, "\(doctor.output)")
        #expect(found.allSatisfy { $0.text("fix")?.isEmpty == false })
        let info = try #require(try fixture.run("info", "--json").objects().first)
        #expect(info["healthy"] == false)
        let counts = try #require(info["counts"]?.objectValue)
        let report = try fixture.run("report", "--json").objects()
        let reported = try #require(
            report.first { $0.text("kind") == "store" }?["counts"]?.objectValue)
        for other in ["held", "parked", "declined", "stale", "withheld"] {
            let expected = CanonicalJSON.count(other == kind ? count : 0)
            #expect(counts[other] == expected, "\(other)")
            #expect(reported[other] == expected, "\(other)")
        }
        #expect(report.contains { $0.text("kind") == "finding" && $0.text("code") == code })
        // A cause is told in words, and a state by the word that all commands have for it.
        let page = fixture.run("report", "-o", "-").output
        #expect(!page.contains("one-window") && !page.contains("state withheld: state "))
        #expect(page.contains(">is parked</span>") == (kind == "parked"))
        if kind == "stale" || kind == "declined" {
            #expect(page.contains(", not restored: state \(kind): "))
        }
        let listed =
            kind == "parked"
            ? fixture.run("sessions", "--state", "parked", "--json")
            : fixture.run("sessions", "--withheld", "--json")
        #expect(
            Set(try listed.objects().map { $0.text("session") })
                == Set(named.map { $0.text("session") }))
        for finding in named {
            let session = try #require(finding.text("session"))
            let why = try #require(try fixture.run("why", session, "--json").objects().first)
            let own = why["findings"]?.arrayValue?.compactMap { $0.objectValue }
            #expect(own?.first { $0.text("code") == code }?["fix"] == finding["fix"])
        }
    }

    @Test("S-44 an earlier state that is withheld is named with its cause, and is no fault")
    func earlierState() throws {
        let fixture = try Fixture(Fixture.failedAndSaved + "launch\nkill\n")
        let run = fixture.run("doctor", "--json")
        let earlier = try #require(
            try run.objects().first {
                $0.text("code") == "SS019" && $0.text("session") == Fixture.a
            })
        #expect(earlier.text("severity") == "ok")
        #expect(
            earlier.text("message")
                == "an earlier state is withheld: the app could not restore it; it was saved at "
                + "2026-01-01T00:00:21.000Z, and has 32 B")
        let generation = try #require(
            try fixture.run("history", Fixture.a, "--json").objects().first {
                $0["withheld"] == true
            }?["generation"]?.integerValue)
        #expect(
            earlier.text("fix")?.hasPrefix(
                "the window opens with another state; 'scenestore checkout "
                    + "\(Fixture.a)@\(generation) ") == true)
    }

    /// An update lacks the windows' configuration, and they saved empty states before it was missed.
    static let savedSince = """
        manifest many.plist
        delegate provider=Editor
        launch
        state A com.example.n t=a title=Alpha
        new-scene
        state B com.example.n t=b title=Beta
        wait 20s
        quit
        update manifest=renamed.plist version=2
        launch
        state A com.example.n t=empty
        state B com.example.n t=empty
        wait 20s
        quit

        """

    @Test("S-44 every command names the earlier states that can be brought back, and how")
    func savedSince() throws {
        let fixture = try Fixture(Self.savedSince)
        let doctor = fixture.run("doctor")
        #expect(doctor.status == .done)
        #expect(doctor.errors == "nothing damaged; 2 earlier states above are kept\n")
        let found = try fixture.run("doctor", "--json").objects().filter {
            $0.text("code") == "SS019"
        }
        #expect(Set(found.map { $0.text("session") }) == [Fixture.a, Fixture.b])
        for session in [Fixture.a, Fixture.b] {
            let generation = try #require(
                try fixture.run("history", session, "--json").objects().first {
                    $0["withheld"] == true
                }?["generation"]?.integerValue)
            let command = "'scenestore checkout \(session)@\(generation) "
            #expect(found.contains { $0.text("fix")?.contains(command) == true })
            #expect(doctor.output.contains("session \(session)@\(generation))"))
            let why = try #require(try fixture.run("why", session, "--json").objects().first)
            #expect(why.text("next")?.contains(command) == true)
        }
        #expect(!doctor.output.contains("SESSION@G"), "\(doctor.output)")
        let info = try #require(try fixture.run("info", "--json").objects().first)
        #expect(info["counts"]?.objectValue?["earlier"] == 2)
        let page = fixture.run("info").output
        #expect(
            page.contains(
                "Health         2 earlier states can be brought back; 'scenestore doctor "))
        #expect(!page.contains("nothing found"))
        let report = try fixture.run("report", "--json").objects()
        #expect(report.first?["counts"]?.objectValue?["earlier"] == 2)
        let finding = try #require(report.first { $0.text("kind") == "finding" })
        #expect(finding.text("code") == "SS019" && finding.text("severity") == "ok")
        #expect(finding.text("fix")?.contains("'scenestore checkout ") == true)
        let html = fixture.run("report", "-o", "-").output
        #expect(html.contains("<b>SS019</b>") && !html.contains("nothing wrong"))
        let withheld = try fixture.run("sessions", "--withheld", "--json").objects()
        #expect(withheld.count == 2)
        #expect(
            withheld.allSatisfy {
                $0.text("reason")?.hasSuffix(
                    "; an earlier state is withheld: its configuration was gone") == true
            })
        var terminal = Terminal()
        terminal.isOutputTerminal = true
        #expect(fixture.run("doctor", terminal: terminal).output.contains("(\"Alpha\", session "))
    }

    @Test("S-44 a held session's way back begins with another state, if there is one")
    func heldSession() throws {
        let scenario = """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            background A
            wait 1s
            activate A
            state A com.example.edit n:i=2
            background A
            quit

            """
        let crash = "crash restoring=A\nlaunch\n"
        let fixture = try Fixture(scenario + crash + crash + crash)
        let finding = try #require(
            try fixture.run("doctor", "--json").objects().first { $0.text("code") == "SS018" })
        let generations = try fixture.run("history", Fixture.a, "--json").objects()
            .compactMap { $0["generation"]?.integerValue }
        #expect(generations.count == 2)
        let fix = try #require(finding.text("fix"))
        #expect(fix.hasPrefix("'scenestore checkout \(Fixture.a)@\(generations[1]) "), "\(fix)")
        #expect(fix.contains("then 'scenestore release \(Fixture.a) "), "\(fix)")
        #expect(fixture.run("checkout", "\(Fixture.a)@\(generations[1])", "--yes").status == .done)
        #expect(fixture.run("release", Fixture.a, "--yes").status == .done)
        let session = try #require(try fixture.run("sessions", "--json").objects().first)
        #expect(session["reconnects"] == true)
        #expect(session.text("restoration") == "available")
    }

    @Test("L-18 reopen brings a parked window back, in an app of one window in the other's place")
    func reopenParked() throws {
        let fixture = try Fixture(Fixture.parked)
        let parked = try #require(
            try fixture.run("sessions", "--state", "parked", "--json").objects().first?
                .text("session"))
        let run = fixture.run("reopen", parked, "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.errors.contains("the next launch connects \(parked)"))
        let states = try fixture.run("sessions", "--json").objects()
        #expect(states.first { $0.text("session") == parked }?["reconnects"] == true)
        #expect(states.first { $0.text("session") != parked }?.text("state") == "parked")
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(
            try fixture.run("sessions", "--state", "parked", "--json").objects().first?
                .text("session") == parked)
    }

    @Test("S-05 info, report and doctor show the schema of the file, not of the migrated copy")
    func olderSchema() throws {
        let fixture = try EditedFixture()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        var world = ToolWorld(migrations: MadeMigrations.all)
        world.clock = fixture.clock
        for path in [fixture.path, copy] {
            let info = world.run("info", "--json", "--store", path)
            #expect(try info.objects().first?["schema"] == 1, "\(info.output)")
            let report = world.run("report", "--store", path).output
            #expect(report.contains("<dt>Schema</dt><dd><bdi>1, written by"))
        }
        #expect(world.run("doctor", "--store", copy).output.contains("schema 1, written by"))
    }

    @Test("R-63 sql reads what can be salvaged when it comes upon a damaged page")
    func salvagedQuery() throws {
        let fixture = try EditedFixture()
        let path = fixture.file("damaged")
        let world = ToolWorld()
        #expect(
            world.run("fixture", "make", "--template", "damaged-page", "-o", path).status == .done)
        let run = world.run(
            "sql", "SELECT s.title, h.payload FROM sessions s, state h", "--store", path)
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.errors.contains("salvaged"), "\(run.errors)")
        // Also of a store that is migrated to be read.
        let older = try EditedFixture()
        let migrated = ToolWorld(migrations: MadeMigrations.all).run(
            "sql", "SELECT session FROM sessions", "--csv", "--store", older.path)
        #expect(migrated.lines.count == 4, "\(migrated.errors)")
    }

    @Test("S-40 of a launch that died before its ledger nobody knows how many sessions it expected")
    func expected() throws {
        let fixture = try Fixture(
            """
            delegate provider=Editor
            manifest many.plist
            launch
            state A com.example.edit n:i=1
            wait 20s
            quit
            kill during=restore:A
            launch

            """)
        let info = try #require(try fixture.run("info", "--json").objects().first)
        let numbers = try fixture.run("report", "--json").objects()
            .filter { $0.text("kind") == "launch" }
        let died = try #require(numbers.first { $0["expected"] == .null })
        #expect(died.text("ending") == "died")
        #expect(numbers.first?["expected"] == 0)
        #expect(info["lastLaunch"]?.objectValue?["expected"] == numbers.last?["expected"])
        let queried = try fixture.run(
            "sql", "SELECT expected FROM launches ORDER BY launch", "--json"
        ).objects()
        #expect(queried.map { $0["expected"] } == numbers.map { $0["expected"] })
    }

    @Test("L-76 why says of no window that a launch restored it which died before that")
    func unfinished() throws {
        let fixture = try Fixture(
            """
            delegate provider=Editor
            manifest many.plist
            policy reconnect=all
            launch
            state A com.example.edit title="First" n:i=1
            wait 1s
            new-scene
            state B com.example.edit title="Second" n:i=2
            wait 20s
            quit
            kill during=restore:B
            launch

            """)
        let launches = try fixture.run("why", "First", "--json").objects().first?["launches"]?
            .arrayValue?.compactMap { $0.objectValue?.text("outcome") }
        #expect(launches == ["died"])
    }

    @Test("S-63 diff names a window by its title")
    func differingTitles() throws {
        let (first, second) = (try EditedFixture(), try EditedFixture())
        let store = try second.open()
        let record = try #require(try store.record(identifier: "letter-session"))
        try store.values.setTitle("Birthday", key: record.key)
        try store.close()
        let run = first.run("diff", "--with", second.path)
        #expect(run.lines.contains("  Birthday (letter-session)"), "\(run.output)")
        let json = try first.run("diff", "--with", second.path, "--json").objects()
        #expect(json.first { $0.text("session") == "letter-session" }?.text("title") == "Birthday")
    }

    @Test("R-07 a backup of a damaged store says so, and ends with 5")
    func damagedBackup() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite("UPDATE state SET saved_at = saved_at + 1")
        let run = fixture.run("backup", "-o", fixture.file("copy.sqlite"))
        #expect(run.status == .damaged)
        #expect(run.errors.contains("so is the backup"), "\(run.errors)")
        #expect(run.output.contains("copy.sqlite"))
    }

    @Test("what sessions calls withheld history calls withheld")
    func withheld() throws {
        let fixture = try Fixture(Fixture.withheldState)
        #expect(
            try fixture.run("sessions", "--json").objects().first?.text("restoration")
                == "withheld")
        let history = try fixture.run("history", Fixture.a, "--json").objects()
        #expect(history.first?["withheld"] == true)
    }

    @Test("S-44 why tells a launch that restored a window from one that left it without a scene")
    func why() throws {
        let fixture = try Fixture(
            """
            delegate provider=Editor
            manifest many.plist
            launch
            state A com.example.edit n:i=1
            wait 1s
            new-scene
            wait 1s
            background A
            quit
            wait 1m
            launch
            quit
            wait 1m
            launch
            activate A
            quit

            """)
        let page = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        let launches = page["launches"]?.arrayValue ?? []
        #expect(
            launches.map { $0.objectValue?["outcome"]?.stringValue } == ["restored", "evicted"])
        // What a salvage may have lost of the journal is no eviction.
        let file = URL(filePath: fixture.path + "/scenes.sqlite")
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(100..<4_096, with: Data(repeating: 0x5A, count: 3_996))
        try bytes.write(to: file)
        for repairs in [false, true] {
            if repairs {
                #expect(fixture.run("repair", "--yes").status == .done)
            }
            let run = fixture.run("why", Fixture.a)
            #expect(run.status == .done && !run.output.contains("evicted"), "\(run.output)")
        }
    }

    @Test("size adds up what the files hold, also while the log holds most of it")
    func size() throws {
        let fixture = try EditedFixture()
        let path = fixture.file("held")
        #expect(
            ToolWorld().run("fixture", "make", "--template", "held-after-crashes", "-o", path)
                .status == .done)
        let rows = try ToolWorld().run("size", "--json", "--store", path).objects()
        let sum = rows.reduce(0) { $0 + ($1["bytes"]?.integerValue ?? 0) }
        let files = try FileManager.default.contentsOfDirectory(atPath: path).reduce(Int64(0)) {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\($1)")
            return $0 + (attributes[.size] as? NSNumber ?? 0).int64Value
        }
        #expect(sum == files)
    }

    @Test("K-01 plan refuses a link that open-url refuses")
    func links() throws {
        let fixture = try Fixture(
            "manifest many.plist\ndelegate provider=Editor\nlaunch\nquit\n")
        let manifest = fixture.manifest("many")
        for (url, more) in [
            ("javascript:alert(1)", [String]()), ("other://x", ["--manifest", manifest]),
            ("notes://x", ["--manifest", manifest]), ("other://x", []),
        ] {
            let asked = ToolWorld().run(["open-url", url] + more + ["--store", fixture.path])
            let planned = ToolWorld().run(
                ["plan", "--url", url] + more + ["--store", fixture.path])
            #expect(asked.status == planned.status, "\(url) \(more): \(planned.errors)")
        }
        #expect(fixture.run("plan", "--url", "javascript:alert(1)").status == .answeredNo)
    }

    @Test("a plan with another manifest keeps what else the last launch declared")
    func declared() throws {
        let fixture = try Fixture(
            """
            delegate provider=Editor
            manifest many.plist
            policy reconnect=all
            launch
            new-scene
            new-scene
            background B C
            quit

            """)
        func connecting(_ words: String...) throws -> Int {
            try ToolWorld().run(["plan", "--json", "--store", fixture.path] + words).objects()
                .count { $0.text("step") == "connect" }
        }
        #expect(try connecting() == 3)
        #expect(try connecting("--manifest", fixture.manifest("many")) == 3)
        #expect(try connecting("--reconnect", "first:2") == 2)
        #expect(try connecting("--reconnect", "foreground") == 1)
        for word in ["first", "first:x", "some", "all:1"] {
            #expect(fixture.run("plan", "--reconnect", word).status == .usage)
        }
        let cold = fixture.run("open-url", "notes://x", "--behaviour", "fresh", "--json")
        #expect(try cold.objects().first?["isNewSession"] == true, "\(cold.output)")
    }

    @Test("L-14 L-52 how each launch ended is one judgement, the last one's, too")
    func deaths() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = folder + "/held"
        let world = ToolWorld()
        #expect(
            world.run("fixture", "make", "--template", "held-after-crashes", "-o", path).status
                == .done)
        func rows(_ line: String...) throws -> [CanonicalJSON.Object] {
            try world.run(line + ["--json", "--store", path]).objects()
        }
        let endings = Array(repeating: "died", count: 4)
        let launches = try rows("report").filter { $0.text("kind") == "launch" }
        #expect(launches.map { $0.text("ending") } == endings)
        let queried = try rows("sql", "SELECT launch, ending FROM launches ORDER BY launch")
        #expect(queried.map { $0.text("ending") } == endings)
        let info = try #require(try rows("info").first)
        #expect(info["lastLaunch"]?.objectValue?.text("ending") == "died")
        #expect(info["healthy"] == false)
        let marks = try rows("timeline").filter { $0.text("mark") == "crash" }
        #expect(marks.map { $0["launch"]?.integerValue } == [1, 2, 3, 4])
        let logged = try rows("log").filter { $0.text("event") == "launch" }
        #expect(logged.map { $0.text("ending") } == endings)
        #expect(try rows("log").count { $0.text("ending") != nil } == 4)
        let log = world.run("log", "--launch", "last", "--store", path).output
        #expect(log.contains("  recover, died"), "\(log)")
        let dead = try rows("why", "Document 2").first?["launches"]?.arrayValue?
            .compactMap { $0.objectValue?.text("outcome") }
        #expect(dead == ["died", "died", "died"])
        let doctor = try rows("doctor").first { $0.text("code") == "SS020" }
        #expect(
            doctor?.text("message")
                == "the last 4 launches died: the app crashed, or was ended from outside")
        let page = world.run("report", "--store", path).output
        #expect(page.contains("<dt>Processes that died</dt><dd>4</dd>"))
        #expect(!page.contains("no end known"))
        let text = world.run("info", "--store", path).lines.filter { $0.hasPrefix("Health") }
        #expect(text.count == 1)
        #expect(
            text.first?.contains("1 session held after crashes and the last launches died") == true,
            "\(text)")
    }

    @Test("L-14 a launch that runs has no ending yet, and one without a note an unknown one")
    func endings() {
        func launch(_ number: Int64, _ end: ProcessEnd? = nil, died: Bool = false) -> LaunchRecord {
            LaunchRecord(
                number: number, reason: .launch, startedAt: 0, end: end, died: died,
                context: SaveContext(savedAt: 0), processIdentifier: 1, ledger: LaunchLedger())
        }
        let launches = [
            launch(5), launch(4), launch(3, died: true), launch(2, .forceQuit), launch(1, .quit),
        ]
        #expect(
            launches.endings(isOwned: true)
                == [1: .quit, 2: .forceQuit, 3: .died, 4: .unknown, 5: .running])
        #expect(launches.endings(isOwned: false)[5] == .died)
        #expect(LaunchEnding.running.word == nil)
        #expect(launches.prefix(1).diedInARow(isOwned: false) == 1)
        #expect(launches.diedInARow(isOwned: false) == 1)
        #expect(launches.diedInARow(isOwned: true) == 0)
    }

    @Test("L-52 what a launch makes of a window is one word in every command")
    func outcomes() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = folder + "/held"
        let world = ToolWorld()
        #expect(
            world.run("fixture", "make", "--template", "held-after-crashes", "-o", path).status
                == .done)
        func outcomes(_ line: [String], _ kind: String? = nil) throws -> [String: String?] {
            let rows = try world.run(line + ["--json", "--store", path]).objects()
            return Dictionary(
                rows.filter { $0.text("kind") == kind && $0.text("session") != nil }.map {
                    ($0.text("session") ?? "", $0.text("outcome"))
                }, uniquingKeysWith: { first, _ in first })
        }
        let sessions = try outcomes(["sessions"])
        #expect(Set(sessions.values.compactMap(\.self)) == ["active", "held"])
        #expect(try outcomes(["plan"]) == sessions)
        #expect(try outcomes(["report"], "window") == sessions)
        for (session, outcome) in sessions {
            for command in ["show", "why"] {
                let page = try world.run(command, session, "--json", "--store", path).objects()
                #expect(
                    page.first?["nextLaunch"]?.objectValue?.text("outcome") == outcome,
                    "\(command)")
            }
        }
    }

    @Test("L-14 a store whose log is missing is told from one that isn't there")
    func missingLog() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = folder + "/held"
        let world = ToolWorld()
        #expect(
            world.run("fixture", "make", "--template", "held-after-crashes", "-o", path).status
                == .done)
        try FileManager.default.removeItem(atPath: path + "/scenes.sqlite-wal")
        for line in [["info"], ["sessions"], ["doctor"]] {
            let run = world.run(line + ["--store", path])
            #expect(run.status == .noStore)
            #expect(run.errors.contains("has no tables"), "\(run.errors)")
            #expect(run.errors.contains("scenes.sqlite-wal is missing"))
        }
        let nowhere = world.run("info", "--store", folder + "/none")
        #expect(nowhere.errors.contains("there is no store at"))
    }

    @Test("L-77 a link isn't delivered when the command of --launch fails")
    func launchFails() throws {
        let fixture = try EditedFixture()
        let run = fixture.run("deliver", "url", "notes://x", "--launch", "false")
        #expect(run.status == .answeredNo)
        #expect(run.errors.contains("the link wasn't delivered"), "\(run.errors)")
        let found = fixture.run("deliver", "url", "notes://x", "--launch", "true")
        #expect(found.status == .done)
    }
}
