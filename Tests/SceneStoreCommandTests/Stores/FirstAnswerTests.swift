import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// The first answer of `doctor` and `why` names the cause, and the way back.
@Suite("the first answer")
struct FirstAnswerTests {
    /// A link of which two processes died.
    static let fatalLink = """
        manifest many.plist
        delegate provider=Editor
        policy inbox=on
        launch
        wait 20s
        quit
        launch url=app://join
        wait 1s
        kill
        launch
        wait 1s
        kill
        launch
        wait 20s
        quit

        """

    /// The number of the payload that is set aside.
    private func setAside(_ fixture: Fixture) throws -> Int64 {
        var number: Int64?
        try fixture.edit { number = try $0.inbox.pending().first?.id }
        return try #require(number)
    }

    @Test(
        "S-44 L-65 doctor, why, info, plan and log name a payload that is set aside, and its cause")
    func payload() throws {
        let fixture = try Fixture(Self.fatalLink)
        let doctor = fixture.run("doctor", "--json")
        #expect(doctor.status == .answeredNo)
        let finding = try #require(
            try doctor.objects().first { $0.text("code") == "SS039" }, "\(doctor.output)")
        #expect(finding.text("session") == Fixture.a)
        let number = try setAside(fixture)
        #expect(
            finding.text("message")
                == "a link, payload \(number), is set aside: two processes died while they delivered it"
        )
        #expect(finding.text("fix")?.contains("release --payload \(number)") == true)
        let why = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        #expect(why["findings"]?.arrayValue?.first?.objectValue?.text("code") == "SS039")
        let info = try #require(try fixture.run("info", "--json").objects().first)
        #expect(info["healthy"] == false)
        #expect(info["payloadsSetAside"] == 1 && info["waitingPayloads"] == 0)
        #expect(fixture.run("info").lines.contains("Waiting        1 payload set aside"))
        let plan = try fixture.run("plan", "--json").objects().filter {
            $0.text("step") == "payload"
        }
        #expect(plan.map { $0.text("outcome") } == ["set-aside"])
        #expect(
            plan.first?.text("reason") == "a link: two processes died while they delivered it")
        let log = try fixture.run("log", "--json").objects().filter { $0.text("event") == "inbox" }
        #expect(log.allSatisfy { $0.text("session") == Fixture.a }, "\(log)")
        let ended = log.filter { $0.text("outcome") == "delivery ended" }
        #expect(
            ended.map { $0.text("reason") } == [
                "a process died while it delivered the payload",
                "two processes died while they delivered it",
            ])
    }

    @Test(
        "S-44 L-65 release lets the next launch deliver a payload that was set aside, and undo not")
    func releasedPayload() throws {
        let fixture = try Fixture(Self.fatalLink)
        let number = String(try setAside(fixture))
        func outcomes() throws -> [String?] {
            try fixture.run("plan", "--json").objects().filter { $0.text("step") == "payload" }
                .map { $0.text("outcome") }
        }
        #expect(fixture.run("release", "--payload", "999", "--yes").status == .noStore)
        #expect(fixture.run("release", Fixture.a, "--payload", number, "--yes").status == .usage)
        #expect(fixture.run("release").status == .usage)
        #expect(fixture.run("release", "--payload", number, "--dry-run").status == .done)
        #expect(try outcomes() == ["set-aside"])
        let run = fixture.run("release", "--payload", number, "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(try outcomes() == ["connect"])
        #expect(fixture.run("doctor").isSound)
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(try outcomes() == ["set-aside"])
    }

    @Test("S-44 S-50 a window that was left behind is parked in every command, until a day")
    func leftBehind() throws {
        let scenario = """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            background A
            kill
            policy launch=fresh
            launch
            wait 20s
            quit
            policy launch=restore
            launch
            wait 20s
            quit

            """
        let fixture = try Fixture(scenario)
        let finding = try #require(
            try fixture.run("doctor", "--json").objects().first { $0.text("code") == "SS036" })
        #expect(finding.text("session") == Fixture.a)
        #expect(
            finding.text("message")?.hasPrefix(
                "parked: launch 2, after launch 1 died, opened a new window instead of it; its state "
                    + "was saved at 2026-01-01T00:00:00.000Z; it stays at least until 2026-01-15T")
                == true,
            "\(finding)")
        #expect(finding.text("fix")?.contains("reopen \(Fixture.a)") == true)
        let info = try #require(try fixture.run("info", "--json").objects().first)
        #expect(info["counts"]?.objectValue?["parked"] == 1)
        #expect(!fixture.run("info").output.contains("evicted"))
        let session = try fixture.run("sessions", "--state", "parked", "--json").objects()
        #expect(session.map { $0.text("session") } == [Fixture.a])
        #expect(session.first?.text("outcome") == "parked")
        let why = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        #expect(why["next"] == finding["fix"])
        let launches = why["launches"]?.arrayValue?.compactMap { $0.objectValue?.text("outcome") }
        #expect(launches == ["parked", "parked"])
        #expect(fixture.run("reopen", Fixture.a, "--yes").status == .done)
        // What past launches did is not changed by it.
        let since = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        #expect(since["launches"] == why["launches"])
        #expect(fixture.run("doctor").isSound)
    }

    @Test(
        "S-44 doctor names windows with a state before empty ones, and one command for all of them")
    func leftBehindWithState() throws {
        let scenario =
            Fixture.twoWindows + "launch\nnew-scene\nwait 1s\nkill\npolicy launch=fresh\nlaunch\n"
            + "wait 20s\nquit\n"
        let fixture = try Fixture(scenario)
        let found = try fixture.run("doctor", "--json").objects().filter {
            $0.text("code") == "SS036"
        }
        #expect(found.map { $0.text("session") }.last == Fixture.c, "\(found)")
        #expect(found.last?.text("fix")?.contains("brings it back, empty") == true)
        let both = found.prefix(2).compactMap { $0.text("session") }
        #expect(Set(both) == [Fixture.a, Fixture.b])
        let lines = fixture.run("doctor").lines
        #expect(
            lines.contains {
                $0.hasPrefix("    'scenestore reopen \(both.joined(separator: " ")) --store")
            }, "\(lines)")
    }

    @Test("S-44 of two groups that were left behind only the newer one stays longer")
    func twoGroups() throws {
        let scenario = """
            manifest many.plist
            delegate provider=Editor
            launch
            kill
            policy launch=fresh
            launch
            kill
            launch
            wait 20s
            quit

            """
        let fixture = try Fixture(scenario)
        let found = try fixture.run("doctor", "--json").objects().filter {
            $0.text("code") == "SS036"
        }
        func stays(_ session: String) -> String? {
            found.first { $0.text("session") == session }?.text("message")
        }
        #expect(stays(Fixture.a)?.contains("; it stays until 2026-01-15T") == true, "\(found)")
        #expect(stays(Fixture.b)?.contains("; it stays at least until 2026-01-15T") == true)
    }

    @Test(
        "S-44 doctor and why name a window that is held by hand, since when, and what releases it")
    func heldByHand() throws {
        let fixture = try Fixture(Fixture.twoWindows)
        #expect(fixture.run("hold", Fixture.a, "--yes").status == .done)
        let run = fixture.run("doctor", "--json")
        #expect(run.status == .done)
        #expect(fixture.run("doctor").errors == "nothing wrong; 1 window above is not as usual\n")
        let finding = try #require(try run.objects().first { $0.text("code") == "SS018" })
        #expect(finding.text("session") == Fixture.a)
        #expect(
            finding.text("message")?.hasPrefix("held: it is held by hand since 20") == true,
            "\(finding)")
        #expect(finding.text("fix")?.hasPrefix("'scenestore release \(Fixture.a) ") == true)
        let why = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        #expect(why["next"] == finding["fix"])
        // What somebody meant is no fault.
        #expect(finding.text("severity") == "ok")
        #expect(try fixture.run("info", "--json").objects().first?["healthy"] == true)
    }

    @Test("S-44 why says of the only window that a quit closes none, and of another nothing")
    func onlyWindow() throws {
        let scenario =
            Fixture.twoWindows + "launch\nwait 1s\nclose A\nwait 1s\nquit\nlaunch\nwait 1s\nquit\n"
        let fixture = try Fixture(scenario)
        let why = try #require(try fixture.run("why", Fixture.b, "--json").objects().first)
        let reasons = why["launches"]?.arrayValue?.compactMap { $0.objectValue?.text("reason") }
        let text = "it was the only window when the app quit, which closes no window"
        #expect(reasons == [text, text])
        let two = try Fixture(Fixture.twoWindows + "launch\nwait 20s\nquit\n")
        #expect(!two.run("why", Fixture.a).output.contains("only window"))
    }

    @Test(
        "S-44 S-50 why names the windows that were closed with one, until when, and the app's version"
    )
    func closedTogether() throws {
        let scenario = """
            manifest many.plist
            delegate provider=Editor
            app version=2.4
            launch
            wait 1s
            new-scene
            wait 1s
            new-scene
            wait 20s
            close B C
            quit
            update version=3.0
            launch
            wait 20s
            quit

            """
        let fixture = try Fixture(scenario)
        let why = try #require(try fixture.run("why", Fixture.b, "--json").objects().first)
        #expect(why["closedWith"] == [.string(Fixture.c)])
        #expect(why.text("until")?.hasPrefix("2026-01-15T00:00:2") == true)
        #expect(why.text("next")?.contains("reopen \(Fixture.b) \(Fixture.c) ") == true)
        #expect(why.text("next")?.contains(", at least until 2026-01-15T") == true)
        let page = fixture.run("why", Fixture.b).lines
        #expect(page.contains("Closed with    Editor \(Fixture.c.prefix(8))"), "\(page)")
        let other = fixture.run("why", Fixture.a).output
        #expect(other.contains("app 3.0)"), "\(other)")
        let log = try fixture.run("log", "--json").objects().filter { $0.text("event") == "launch" }
        #expect(log.map { $0.text("appVersion") } == ["2.4", "3.0"])
        #expect(fixture.run("log").output.contains("first, quit, app 2.4"))
        #expect(
            fixture.run("timeline").lines.last == "app 2.4 from launch 1, app 3.0 from launch 2")
        let marks = try fixture.run("timeline", "--json").objects()
        #expect(
            Set(marks.map { $0.text("appVersion") })
                == (marks.contains { $0["launch"] == 2 } ? ["2.4", "3.0"] : ["2.4"]))
    }

    @Test("S-44 what a cleared state means is told: the app returned none, and nothing is restored")
    func cleared() throws {
        let fixture = try Fixture(Self.clearing)
        let log = try fixture.run("log", "--json").objects()
        let clear = try #require(log.first { $0.text("event") == "clear" })
        #expect(clear.text("reason") == "the app returned no state")
        let restored = try #require(log.last { $0.text("event") == "restoration" })
        #expect(restored.text("outcome") == "nothing")
        #expect(restored.text("reason") == "it has no current state")
        let why = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        #expect(
            why["launches"]?.arrayValue?.first?.objectValue?.text("reason") == "it had no state")
    }

    /// A window that had a state, and whose app returned none when it was asked again.
    static let clearing = """
        manifest many.plist
        delegate provider=Editor
        launch
        state A com.example.edit title="Sonata" n:i=1
        background A
        wait 1s
        foreground A
        state A nil
        background A
        quit
        launch
        wait 20s
        quit

        """

    @Test("S-44 a damaged state is called damaged in every command that lists it")
    func damaged() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite(
            "UPDATE state SET payload = zeroblob(length(payload)) WHERE id = "
                + "(SELECT state_id FROM session WHERE identifier = 'letter-session')")
        for command in ["sessions", "plan"] {
            let row = try #require(
                try fixture.run(command, "--json").objects().first {
                    $0.text("session") == "letter-session"
                })
            #expect(row.text("restoration") == "damaged", "\(command)")
        }
        for command in ["why", "show"] {
            let page = try #require(
                try fixture.run(command, "letter-session", "--json").objects().first)
            #expect(
                page["nextLaunch"]?.objectValue?.text("restoration") == "damaged", "\(command)")
        }
        let history = try fixture.run("history", "letter-session", "--json").objects()
        #expect(history.first?["damaged"] == true)
        let other = try fixture.run("history", "draft-session", "--json").objects()
        #expect(other.allSatisfy { $0["damaged"] == false } && !other.isEmpty)
    }

    @Test(
        "S-44 a window without a state that had one is no fault, and doctor names the earlier one")
    func noState() throws {
        let fixture = try Fixture(Self.clearing)
        let run = fixture.run("doctor", "--json")
        #expect(run.status == .done)
        let finding = try #require(try run.objects().first { $0.text("code") == "SS040" })
        #expect(finding.text("session") == Fixture.a)
        #expect(
            finding.text("message")?.hasPrefix(
                "it has no current state, because the app returned no state at 2026-01-01T00:00:")
                == true, "\(finding)")
        let generation = try #require(
            try fixture.run("history", Fixture.a, "--json").objects().first?["generation"]?
                .integerValue)
        let why = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
        #expect(
            why.text("next")?.hasPrefix("'scenestore checkout \(Fixture.a)@\(generation) ") == true)
        // One that never had a state is as it should be.
        let other = try Fixture("manifest many.plist\nlaunch\nquit\n")
        #expect(!other.run("doctor").output.contains("SS040"))
    }

    @Test("S-44 a title that only an earlier state has leads to its session")
    func earlierTitle() throws {
        let fixture = try Fixture(Self.clearing)
        for word in ["sonata", "title:Son"] {
            let why = fixture.run("why", word)
            #expect(why.status == .done && why.output.contains(Fixture.a), "\(why.errors)")
            #expect(
                why.errors
                    == "an earlier state of Editor \(Fixture.a.prefix(8)) has that title\n")
        }
        #expect(fixture.run("why", "id:sonata").status == .noStore)
        let find = fixture.run("find", "Sonata")
        #expect(
            find.status == .answeredNo
                && find.errors.contains("an earlier state of \(Fixture.a) has that title"))
        #expect(fixture.run("why", "minuet").status == .noStore)
        let hold = fixture.run("hold", "sonata", "--yes")
        #expect(hold.status == .usage && hold.errors.contains("write the identifier \(Fixture.a)"))
    }

    @Test("S-44 why, plan and sessions assume a launch that restores, and say so after another one")
    func begunAnew() throws {
        let life = Fixture.twoWindows + "policy launch=fresh\nlaunch\nwait 20s\nquit\n"
        let fixture = try Fixture(life)
        let assumption = "the last launch began with a window of its own"
        #expect(
            fixture.run("why", "@last").output.contains("assuming that it restores; \(assumption)"))
        #expect(
            fixture.run("plan").output.contains(
                "planned as a launch that restores, but \(assumption); --behaviour fresh plans one")
        )
        #expect(!fixture.run("plan", "--behaviour", "fresh").output.contains(assumption))
        #expect(fixture.run("sessions").errors.contains(assumption))
        #expect(!fixture.run("sessions", "--json").errors.contains(assumption))
        let restored = try Fixture(life + "policy launch=restore\nlaunch\nwait 20s\nquit\n")
        for words in [["why", "@last"], ["plan"], ["sessions"]] {
            let run = ToolWorld().run(words + ["--store", restored.path])
            #expect(!(run.output + run.errors).contains(assumption), "\(words)")
        }

        // An app of one window has nothing left behind: what the new window displaced returns.
        let single = try Fixture(
            "manifest single.plist\nlaunch\nquit\npolicy launch=fresh\nlaunch\nwait 20s\nquit\n")
        #expect(single.run("why", "@last").output.contains(assumption))
    }

    @Test("S-44 S-63 after an import why leaves out what launches did with the row it replaced")
    func imported() throws {
        let fixture = try Fixture(
            Fixture.twoWindows + "launch\nbackground A\nwait 20s\nquit\nlaunch\nwait 20s\nquit\n")
        func launches() throws -> [String?] {
            let why = try #require(try fixture.run("why", Fixture.a, "--json").objects().first)
            return why["launches"]?.arrayValue?.map { $0.objectValue?.text("outcome") } ?? []
        }
        #expect(try launches() == ["evicted", "restored"])
        let file = try fixture.file("all.ndjson", fixture.run("export").output)
        let run = fixture.run("import", file, "--conflict", "replace", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(try launches() == [])
    }

    @Test("S-44 one death that holds a window is told as one")
    func heldOnce() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            policy hold-after=1
            launch
            state A com.example.edit n:i=1
            background A
            foreground A
            quit
            crash restoring=A
            launch

            """)
        let why = fixture.run("why", Fixture.a).output
        #expect(why.contains("it is held: the process that restored it died\n"), "\(why)")
    }

    @Test(
        "S-44 doctor says that a backup beside the store is of another store, and info which it is")
    func otherStore() throws {
        let (own, other) = (try EditedFixture(), try EditedFixture(seed: 2))
        #expect(own.run("backup").status == .done)
        #expect(own.run("doctor").isSound)
        let before = try #require(try own.run("info", "--json").objects().first?.text("uuid"))
        #expect(own.run("info").lines.contains("Identity       \(before)"))
        for name in ["scenes.sqlite", "scenes.sqlite-wal", "scenes.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: "\(own.path)/\(name)")
        }
        try FileManager.default.copyItem(
            atPath: other.path + "/scenes.sqlite", toPath: own.path + "/scenes.sqlite")
        // The app goes on with it: only the backup is left of what was there.
        try own.open(.owner).close()
        let run = own.run("doctor", "--json")
        #expect(run.status == .answeredNo)
        let finding = try #require(try run.objects().first { $0.text("code") == "SS032" })
        #expect(
            finding.text("message")?.contains(
                "a backup of another store, \(before.prefix(8)), which had 3 open sessions")
                == true,
            "\(finding)")
        #expect(finding.text("fix")?.contains("'scenestore restore \(own.path)/backups/") == true)
    }

    @Test(
        "S-44 SS005 doctor names a sync tool's copy of the store, its sessions, and how to join them"
    )
    func conflictCopy() throws {
        let fixture = try EditedFixture()
        let name = "scenes.sync-conflict-20261124.sqlite"
        try FileManager.default.copyItem(
            atPath: fixture.path + "/scenes.sqlite", toPath: fixture.file(name))
        #expect(fixture.run("discard", "letter-session", "--yes", "--no-backup").status == .done)
        try FileManager.default.moveItem(
            atPath: fixture.file(name), toPath: "\(fixture.path)/\(name)")
        for (other, text) in [("owner.sync-conflict.lock", "x"), ("a.sqlite", "SQLite format 3\0")]
        {
            let file = URL(filePath: "\(fixture.path)/\(other)")
            try Data(text.utf8).write(to: file)
        }
        let found = try fixture.run("doctor", "--json").objects().filter {
            $0.text("code") == "SS005"
        }
        #expect(found.count == 2)
        let copy = try #require(found.first)
        #expect(
            copy.text("message")?.contains(
                "3 open sessions, 1 of them not open here: letter-session") == true, "\(copy)")
        let fix = try #require(copy.text("fix"))
        let path = "\(fixture.path)/\(name)"
        #expect(
            fix.hasPrefix(
                "don't delete it; 'scenestore import \(path) --conflict newest --store /"), "\(fix)"
        )
        #expect(
            found.last?.text("message") == "not the store's: a.sqlite and owner.sync-conflict.lock")
        let plan = fixture.run("import", path, "--conflict", "replace", "--dry-run")
        #expect(plan.lines.contains("  replaces letter-session"), "\(plan.output)")
        #expect(!plan.output.contains("private words"))
        // It brings in what its export would.
        let lines = fixture.file("copy.ndjson")
        #expect(ToolWorld().run("export", "-o", lines, "--store", path).status == .done)
        let exported = fixture.run("import", lines, "--conflict", "replace", "--dry-run")
        #expect(exported.output == plan.output)
        let damaged = fixture.run("import", "\(fixture.path)/a.sqlite")
        #expect(damaged.status != .done && damaged.errors.contains("is not a store"), "\(damaged)")
    }

    @Test("S-44 doctor says that a backup is newer than an older file that came back with its lock")
    func olderFileAndLock() throws {
        let fixture = try EditedFixture()
        let earlier = fixture.file("earlier")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: earlier)
        #expect(fixture.run("discard", "letter-session", "--yes").status == .done)
        #expect(fixture.run("backup").status == .done)
        // What a command puts there is no older file.
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(!fixture.run("doctor").output.contains("SS032"))
        for name in ["scenes.sqlite", "owner.lock"] {
            try FileManager.default.removeItem(atPath: "\(fixture.path)/\(name)")
            try FileManager.default.copyItem(
                atPath: "\(earlier)/\(name)", toPath: "\(fixture.path)/\(name)")
        }
        let found = try fixture.run("doctor", "--json").objects().filter {
            $0.text("code") == "SS032"
        }
        #expect(found.count == 1)
        #expect(found.first?.text("message")?.contains("is a newer backup of this store") == true)
    }

    @Test("S-44 after a repair doctor takes the backups from before for the store's own")
    func ownBackup() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("backup").status == .done)
        let path = URL(filePath: fixture.path + "/scenes.sqlite")
        var bytes = try Data(contentsOf: path)
        bytes.replaceSubrange(4_096..<4_196, with: Data(repeating: 0x5A, count: 100))
        try bytes.write(to: path)
        #expect(fixture.run("repair", "--yes").status == .done)
        let doctor = fixture.run("doctor")
        #expect(!doctor.output.contains("SS032"), "\(doctor.output)")
    }

    @Test("S-44 L-70 open-url names a held window that prefers the link, and why it isn't asked")
    func preferringButHeld() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            delegate prefers="^app://return" session=A
            wait 1s
            new-scene
            wait 1s
            quit

            """)
        func kept() throws -> [CanonicalJSON.Object] {
            let run = fixture.run("open-url", "app://return/1", "--json")
            return try #require(try run.objects().first?["candidates"]?.arrayValue)
                .compactMap(\.objectValue).filter { $0["outcome"] != .null }
        }
        #expect(try kept().isEmpty)
        #expect(fixture.run("hold", Fixture.a, "--yes").status == .done)
        #expect(try kept().map { $0.text("session") } == [Fixture.a])
        #expect(try kept().first?.text("outcome") == "held")
        for options in [["--why"], ["--why", "--all"]] {
            var world = ToolWorld()
            world.terminal = Terminal()
            let run = world.run(
                ["open-url", "app://return/1"] + options + ["--store", fixture.path])
            #expect(
                run.output.contains(
                    "\(Fixture.a): prefers it, and isn't asked, because it is held: "),
                "\(run.output)")
        }
        #expect(!fixture.run("open-url", "app://other", "--why").output.contains("it is held"))
    }

    @Test("S-44 L-52 a state that the guard refused is not called available after checkout")
    func declinedCheckout() throws {
        let fixture = try Fixture(
            Fixture.twoWindows
                + "delegate restore=false\nlaunch\nstate A com.example.edit n:i=3\n"
                + "background A\nwait 20s\nquit\n")
        let refused = try #require(
            try fixture.run("history", Fixture.a, "--json").objects().first {
                $0["withheld"] == true
            }?["generation"]?.integerValue)
        func restoration() throws -> String? {
            try fixture.run("sessions", "--json").objects().first {
                $0.text("session") == Fixture.a
            }?.text("restoration")
        }
        #expect(try restoration() == "available")
        let finding = try #require(
            try fixture.run("doctor", "--json").objects().first { $0.text("session") == Fixture.a })
        let text =
            "the guard of the app refused an earlier state, which is kept; it was saved at 20"
        #expect(finding.text("message")?.hasPrefix(text) == true, "\(finding)")
        let fix = try #require(finding.text("fix"))
        #expect(fix.hasPrefix("'scenestore diff \(Fixture.a) ") && fix.contains(" \(refused) "))
        #expect(
            fix.contains("the guard is asked again: the same version of the app refuses it again"),
            "\(fix)")
        let current = try #require(
            try fixture.run("history", Fixture.a, "--json").objects().first {
                $0["current"] == true
            }?["generation"]?.integerValue)
        let run = fixture.run("checkout", "\(Fixture.a)@\(refused)", "--yes")
        #expect(run.status == .done && run.errors.contains("refused this state before"))
        #expect(try restoration() == "declined")
        // What is declined is not the state to go back to.
        let declined = fixture.run("doctor").output
        #expect(
            declined.contains("(session \(Fixture.a), back to @\(current))"), "\(declined)")
        let again = fixture.run("checkout", "\(Fixture.a)@\(refused)", "--yes")
        #expect(again.errors.contains("is the current state already"), "\(again.errors)")
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(try restoration() == "available")
    }
}
