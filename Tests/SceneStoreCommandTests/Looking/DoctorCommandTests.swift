import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("doctor")
struct DoctorCommandTests {
    /// The codes of a run that are more than notes.
    func codes(_ run: ToolRun) throws -> [String] {
        try run.objects().filter { $0.text("severity") != "ok" }.compactMap { $0.text("code") }
    }

    private func chmod(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test("a sound store is found in order, and no byte changes")
    func sound() throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        let run = fixture.run("doctor")
        #expect(run.status == .done, "\(run.output)")
        #expect(run.lines.allSatisfy { $0.hasPrefix("✓ ") || $0.hasPrefix("    ") })
        #expect(run.errors == "nothing wrong; 1 window above is not as usual\n")
        // Of all codes those alone that are about the version of SQLite, and a session that
        // somebody holds by hand.
        let codes = try fixture.run("doctor", "--json").objects().compactMap { $0.text("code") }
        #expect(Set(codes).isSubset(of: ["SS018", "SS028"]))
        #expect(fixture.files == before)
        #expect(fixture.run("doctor", "--fix", "--yes").status == .done)
        #expect(fixture.files == before)
    }

    @Test("no store there is exit 3")
    func noStore() {
        let run = ToolWorld().run("doctor", "--store", "/nowhere/at/all")
        #expect(run.status == .noStore)
        #expect(run.errors.hasPrefix("scenestore: there is no store at '/nowhere/at/all'\n"))
    }

    @Test("SS001 a container that others may write into is not opened")
    func openContainer() throws {
        let fixture = try EditedFixture()
        try chmod(0o770, fixture.path)
        let run = fixture.run("doctor", "--json")
        #expect(run.status == .answeredNo)
        #expect(try codes(run) == ["SS001"])
        try chmod(0o750, fixture.path)
        #expect(try codes(fixture.run("doctor", "--json")) == ["SS001"])
    }

    @Test("SS030 S-01 a world-writable folder above is found, unless it has the sticky bit")
    func replaceableContainer() throws {
        let fixture = try EditedFixture()
        let parent = URL(filePath: fixture.path).deletingLastPathComponent().path
        try chmod(0o777, parent)
        #expect(try codes(fixture.run("doctor", "--json")) == ["SS030"])
        #expect(fixture.run("doctor", "--fix", "--yes").output.contains("sticky bit"))
        try chmod(0o1777, parent)
        #expect(fixture.run("doctor").status == .done)
        try chmod(0o700, parent)
    }

    @Test("SS002 SS003 SS004 SS005 files that should not be as they are, and --fix")
    func files() throws {
        let fixture = try EditedFixture()
        let store = fixture.path + "/scenes.sqlite"
        try chmod(0o644, store)
        try FileManager.default.linkItem(atPath: store, toPath: fixture.file("second"))
        for name in [".scenestore.1.1.tmp", "notes.txt"] {
            try Data("x".utf8).write(to: URL(filePath: "\(fixture.path)/\(name)"))
            try chmod(0o600, "\(fixture.path)/\(name)")
        }
        #expect(
            try codes(fixture.run("doctor", "--json")) == ["SS002", "SS003", "SS004", "SS005"])
        let before = fixture.files
        let plan = fixture.run("doctor", "--fix", "--dry-run")
        #expect(plan.lines.map { $0.prefix(16) } == ["would fix SS002:", "would fix SS004:"])
        #expect(fixture.run("doctor", "--fix").status == .needsConfirmation)
        #expect(fixture.files == before)
        let run = fixture.run("doctor", "--fix", "--yes", "--no-backup", "--json")
        #expect(try codes(run) == ["SS003", "SS005"])
        #expect(run.errors.contains("1 file or folder made private to this user"), "\(run.errors)")
        #expect(run.status == .answeredNo)
    }

    @Test("SS006 SS007 SS010 a store that does not open is a finding, with what to do")
    func unreadable() throws {
        let damaged = try EditedFixture()
        try damaged.damage()
        #expect(try codes(damaged.run("doctor", "--json")) == ["SS006"])
        let foreign = try EditedFixture()
        try foreign.sqlite("CREATE TABLE evil (a)")
        let run = foreign.run("doctor", "--json")
        #expect(try codes(run) == ["SS007"])
        #expect(run.status == .damaged)
        let orphan = try EditedFixture()
        let store = orphan.path + "/scenes.sqlite"
        try FileManager.default.moveItem(atPath: store, toPath: store + "-wal")
        #expect(try codes(orphan.run("doctor", "--json")) == ["SS010"])
    }

    @Test("SS008 a newer version's feature that may be ignored; R-21 SS027 a tolerated table")
    func versions() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        let run = fixture.run("doctor")
        #expect(run.status == .done)
        #expect(run.output.contains("✓ SS027 another tool's table is in the store"))
        let newer = try EditedFixture()
        try newer.sqlite("CREATE TABLE later (a); PRAGMA user_version = 99")
        #expect(try codes(newer.run("doctor", "--json")) == ["SS008"])
    }

    @Test("SS013 a process that died is told and mended")
    func diedOwner() throws {
        let fixture = try Fixture("launch\nbackground A\nkill")
        let before = try ContainerImage(of: fixture.path)
        let run = fixture.run("doctor", "--json")
        #expect(run.status == .done)
        let finding = try #require(try run.objects().first { $0.text("code") == "SS013" })
        #expect(finding.text("fix")?.hasPrefix("no action is needed") == true)
        #expect(try ContainerImage(of: fixture.path) == before)
        let mended = fixture.run("doctor", "--fix", "--yes", "--no-backup", "--wait", "5s")
        #expect(mended.status == .done, "\(mended.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: fixture.path).sorted()
        #expect(names.filter { $0 != "operations" } == ["owner.lock", "scenes.sqlite"])
        #expect(fixture.run("operations").output.isEmpty)
    }

    @Test("SS014 SS015 a damaged row, and the row once it was set aside")
    func damagedRow() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite(
            "UPDATE state SET saved_at = saved_at + 1 WHERE id IN (SELECT min(id) FROM state)")
        let run = fixture.run("doctor", "--json")
        #expect(try codes(run).contains("SS014"))
        // The row's number says whose state it is.
        let row = try #require(try run.objects().first { $0.text("cause") == "damagedRow" })
        #expect(row.text("session") == "draft-session", "\(run.output)")
        #expect(row.text("fix")?.hasPrefix("copy the container first") == true)
        #expect(row.text("fix")?.contains("'scenestore repair --store /") == true)
        let store = try fixture.open()
        _ = try store.verify()
        try store.upkeep.performAll()
        try store.close()
        #expect(try codes(fixture.run("doctor", "--json")).contains("SS015"))
    }

    @Test(
        "S-44 of one cause up to twenty findings are listed, of more the first and what lists all")
    func manyOfOneCause() throws {
        for (count, shown) in [(20, 20), (21, 5)] {
            let group = try #require(CauseGroup.groups(of: Array(0..<count)) { _ in 0 }.first)
            #expect(group.shown.count == shown)
            #expect((group.rest(listedBy: "--json") == nil) == (shown == count))
        }
    }

    @Test("SS014 findings of one cause are one entry with their number; --json has each of them")
    func causes() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite("UPDATE event SET serial = serial + 1")
        let each = try fixture.run("doctor", "--json").objects()
            .filter { $0.text("code") == "SS014" }
        #expect(each.count > 5)
        let run = fixture.run("doctor")
        #expect(run.status == .damaged)
        let bad = run.lines.filter { $0.hasPrefix("✗") }
        let rows = each.count { $0.text("cause") == "damagedRow" }
        #expect(rows > 5 && bad.first == "✗ SS014 damagedRow: \(rows) findings")
        #expect(bad.count == Set(each.map { $0.text("cause") }).count)
        let start = try #require(run.lines.firstIndex { $0.hasPrefix("✗") })
        let entry = run.lines[start...].dropFirst().prefix { $0.hasPrefix("    ") }
        #expect(entry.count == rows + 1)
        #expect(entry.last?.contains("'scenestore repair") == true)
        #expect(run.errors == "\(each.count) findings\n")
        // One window's page gives an example.
        let page = fixture.run("why", "id:draft-session")
        let why = page.lines.filter { $0.hasPrefix("Doctor") }
        #expect(why.count <= bad.count, "\(page.output)")
        #expect(why.first?.contains(" findings, such as: ") == true, "\(page.output)")
    }

    @Test("SS014 a store whose pages are damaged is a finding, not a failure; repair mends it")
    func damagedPage() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = "\(folder)/store"
        let world = ToolWorld()
        #expect(
            world.run("fixture", "make", "--template", "damaged-page", "-o", path).status == .done)
        let run = world.run("doctor", "--store", path, "--json")
        #expect(run.status == .damaged, "\(run.errors)")
        #expect(try codes(run).contains("SS014"))
        #expect(world.run("repair", "--store", path, "--yes").status == .done)
        #expect(try !codes(world.run("doctor", "--store", path, "--json")).contains("SS014"))
    }

    @Test("SS016 files in quarantine are counted with their size")
    func quarantine() throws {
        let fixture = try EditedFixture()
        let folder = fixture.path + "/quarantine"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try Data(count: 2_048).write(to: URL(filePath: folder + "/old.sqlite"))
        let run = fixture.run("doctor")
        #expect(run.output.contains("! SS016 1 file in quarantine, 2.0 KiB, the newest from "))
    }

    @Test("SS018 SS019 SS020 sessions that crash the app, and launches that die")
    func crashes() throws {
        var scenario = "manifest many.plist\ndelegate provider=Editor\nlaunch\n"
        scenario += "state A com.example.edit n:i=1\nbackground A\nquit\n"
        scenario += "crash restoring=A\nlaunch\n"
        let once = try Fixture(scenario)
        #expect(try codes(once.run("doctor", "--json")) == ["SS019"])
        for _ in 0..<2 {
            scenario += "crash restoring=A\nlaunch\n"
        }
        let thrice = try Fixture(scenario)
        let run = thrice.run("doctor", "--json")
        #expect(try codes(run) == ["SS018", "SS020"])
        #expect(try run.objects().contains { $0.text("session") == Fixture.a })
    }

    @Test("R-41 a finding names its window at a terminal, and nowhere else")
    func windows() throws {
        let fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit title="A letter" n:i=1
            background A
            quit
            crash restoring=A
            launch

            """)
        var terminal = Terminal()
        terminal.isOutputTerminal = true
        let shown = fixture.run("doctor", terminal: terminal).output
        #expect(shown.contains("this state (\"A letter\", session \(Fixture.a))"), "\(shown)")
        let piped = fixture.run("doctor").output
        #expect(piped.contains("this state (session \(Fixture.a))"), "\(piped)")
        #expect(!fixture.run("doctor", "--json").output.contains("letter"))
    }

    @Test("SS019 on a terminal a finding about an earlier state has the title of that state")
    func formerTitle() throws {
        let fixture = try Fixture(
            """
            app version=1
            manifest many.plist
            delegate provider=Editor restore=true
            launch
            state A com.example.edit title="Fuel and water" n:i=1
            background A
            quit
            update version=2
            delegate provider=Editor restore=same-version
            launch
            state A com.example.edit title="Untitled" n:i=2
            background A
            quit

            """)
        var terminal = Terminal()
        terminal.isOutputTerminal = true
        let shown = fixture.run("doctor", terminal: terminal).output
        #expect(shown.contains("(\"Fuel and water\", session \(Fixture.a)@"), "\(shown)")
    }

    @Test("SS021 SS022 what an update would do, with --manifest")
    func manifest() throws {
        let fixture = try Fixture(Fixture.oneState)
        func codes(_ manifest: String) throws -> [String] {
            try self.codes(
                fixture.run("doctor", "--manifest", fixture.manifest(manifest), "--json"))
        }
        #expect(try codes("many") == [])
        #expect(try codes("renamed") == ["SS021"])
        #expect(try codes("car") == ["SS022"])
        let single = try fixture.run("doctor", "--manifest", fixture.manifest("single"), "--json")
            .objects().first { $0.text("code") == "SS022" }
        let reopening = "'scenestore reopen \(Fixture.a) --store \(fixture.path)' brings one back"
        #expect(single?.text("fix")?.contains(reopening) == true, "\(single as Any)")
        // Without a manifest nothing is renamed.
        #expect(fixture.run("doctor", "--rename", "Editor:Writer").status == .usage)
    }

    @Test("L-50 doctor, lint, plan and why judge an update by the rename map of the last launch")
    func declaredRenames() throws {
        let fixture = try Fixture(
            Fixture.oneState + """
                update manifest=renamed.plist rename=Editor:Writer
                launch
                quit
                """)
        let old = fixture.manifest("renamed")
        #expect(try codes(fixture.run("doctor", "--manifest", old, "--json")) == [])
        let lint = ToolWorld().run("manifest", "lint", old, "--store", fixture.path)
        #expect(!lint.output.contains("staleConfiguration"), "\(lint.output)")
        #expect(!fixture.run("plan", "--manifest", old).output.contains("stale"))
        #expect(!fixture.run("why", Fixture.a, "--manifest", old).output.contains("stale"))
    }

    @Test("S-44 why tells what is wrong with a window under the manifest that it is given")
    func whyUpdated() throws {
        let fixture = try Fixture(Fixture.twoWindows)
        let why = fixture.run("why", Fixture.a, "--manifest", fixture.manifest("renamed"))
        #expect(why.lines.contains { $0.hasPrefix("Restoration    stale") }, "\(why.output)")
        #expect(why.output.contains("Doctor         SS037"), "\(why.output)")
        #expect(why.lines.contains { $0.hasPrefix("Next           ") && $0.contains("rename map") })
    }

    @Test("SS024 times after now")
    func clock() throws {
        let fixture = try EditedFixture()
        fixture.clock.advance(.seconds(-86_400))
        let run = fixture.run("doctor")
        #expect(run.output.contains("! SS024 "))
        #expect(run.status == .answeredNo)
    }

    @Test("SS024 times of discards and of the journal that lie after now")
    func clockOfRecords() throws {
        let fixture = try EditedFixture()
        fixture.clock.advance(.seconds(10 * 86_400))
        #expect(fixture.run("discard", "letter", "--yes").status == .done)
        fixture.clock.advance(.seconds(-10 * 86_400))
        let run = fixture.run("doctor")
        #expect(run.output.contains("! SS024 "), "\(run.output)")
        // Those of the tombstone and of the journal, each counted.
        #expect(run.output.contains("! SS024 3 times after now, the latest 2026-01-11T"))
    }

    @Test("SS024 a time of a damaged row counts, too, beside the damage")
    func clockOfDamagedRow() throws {
        let fixture = try EditedFixture()
        #expect(!fixture.run("doctor").output.contains("SS024"))
        try fixture.sqlite(
            "UPDATE state SET saved_at = 4000000000000 WHERE id IN (SELECT min(id) FROM state)")
        let run = fixture.run("doctor")
        #expect(run.output.contains("✗ SS014 damagedRow: row "), "\(run.output)")
        #expect(run.output.contains("! SS024 1 time after now, the latest 2096-10-02T"))
    }

    @Test(
        "SS037 a configuration that is gone is named with the one in its place, and how to map it")
    func renamed() throws {
        let fixture = try Fixture(Fixture.stale)
        let finding = try #require(
            try fixture.run("doctor", "--json").objects().first { $0.text("code") == "SS037" })
        #expect(
            finding.text("message")
                == "its state is stale: its configuration Editor is gone, and Writer is in its place"
        )
        #expect(finding.text("fix")?.contains("--rename Editor:Writer") == true, "\(finding)")
        let why = fixture.run("why", Fixture.a)
        #expect(
            why.lines.contains("Configuration  Writer, in the place of Editor"), "\(why.output)")
        #expect(why.lines.contains { $0.hasPrefix("Next           ") && $0.contains("rename map") })
    }

    @Test("backups are counted with the age of the newest")
    func backups() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("doctor").lines.contains("✓ no backups"))
        let now = Double(fixture.clock.clock.now()) / 1_000
        try FileManager.default.createDirectory(
            atPath: fixture.path + "/backups", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        // Neither the first nor the last by name is the newest.
        for (name, hours) in [("a", 5.0), ("b", 2.0), ("c", 9.0)] {
            let file = fixture.path + "/backups/\(name).sqlite"
            #expect(fixture.run("backup", "-o", file).status == .done)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: now - hours * 3_600)],
                ofItemAtPath: file)
        }
        let line = try #require(
            fixture.run("doctor").lines.first { $0.hasPrefix("✓ 3 backups, ") })
        #expect(line.hasSuffix(", the newest made 2 h ago"), "\(line)")
    }

    @Test(
        "SS041 manual backups of many times the store are found; size counts them without their sums"
    )
    func manyBackups() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("backup").status == .done)
        let name = try #require(fixture.backups.first)
        let size = try fixture.run("size", "--json").objects().first {
            $0.text("type") == "backups/"
        }
        #expect(size?["count"] == 1)
        #expect(fixture.run("doctor").status == .done)
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(fixture.path)/\(name)"))
        // Room that no block is used for.
        for (bytes, isFound) in [(64 << 20, false), (64 << 20 + 1, true)] as [(UInt64, Bool)] {
            try handle.truncate(atOffset: bytes)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_767_000_000)],
                ofItemAtPath: "\(fixture.path)/\(name)")
            let found = try fixture.run("doctor", "--json").objects().filter {
                $0.text("code") == "SS041"
            }
            #expect(found.count == (isFound ? 1 : 0))
            let message = "1 backup made by 'scenestore backup' since 2025-12-29, 64 MiB, "
            #expect(found.allSatisfy { $0.text("message")?.hasPrefix(message) == true }, "\(found)")
        }
        try handle.close()
    }

    @Test("SS025 a state near its limit")
    func largeState() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open()
        let record = try #require(try store.record(identifier: "letter-session"))
        var activity = try UserActivity(activityType: "com.example.large")
        activity.userInfo = ["data": .data(Data(count: 14 << 20))]
        try store.save(
            [StateToSave(key: record.key, activity: activity)],
            context: SaveContext(savedAt: fixture.clock.clock.now()))
        try store.close()
        let rows = try fixture.run("doctor", "--json").objects()
        let finding = try #require(rows.first { $0.text("code") == "SS025" })
        #expect(finding.text("session") == "letter-session")
        #expect(finding.text("fix")?.hasPrefix("'scenestore size --by key --store /") == true)
    }

    @Test("SS026 more than four fifths of the sessions that a container may hold")
    func manySessions() throws {
        let fixture = try EditedFixture()
        let world = ToolWorld()
        let context = world.context(CapturedBytes(), CapturedBytes())
        let table = CommandTable(commands: AllCommands.commands)
        guard case .run(_, let invocation) = try CommandLineParser(table: table).parse(["doctor"])
        else {
            Issue.record("no command")
            return
        }
        func codes(_ most: Int) throws -> [DoctorCode] {
            var limits = Limits()
            limits.sessions = most
            var doctor = Doctor(
                context, at: fixture.path, manifest: nil, renames: [:],
                telling: Progress("doctor", invocation, context), limits: limits)
            return try doctor.examine().compactMap(\.code)
        }
        // Three are open.
        #expect(try codes(5).contains(.manySessions) == false)
        #expect(try codes(3).contains(.manySessions))
    }

    @Test("S-44 --list prints a line for each store, and goes on after one that can't be read")
    func list() throws {
        let sound = try EditedFixture()
        let damaged = try EditedFixture()
        try damaged.damage()
        let parked = try Fixture(Fixture.parked)
        var world = ToolWorld()
        world.clock = sound.clock
        let paths = ["/nowhere/at/all", damaged.path, parked.path, sound.path]
        let before = sound.files
        let run = world.run(["doctor", "--list"] + paths + ["--json"])
        #expect(run.status == .damaged, "\(run.errors)")
        let rows = try run.objects()
        #expect(rows.map { $0.text("path") } == paths)
        #expect(rows.map { $0.text("severity") } == ["error", "error", "warning", "ok"])
        #expect(
            rows.map { $0["codes"] } == [[], ["SS006"], ["SS036"], []], "\(run.output)")
        #expect(rows.map { $0["status"] } == [3, 5, 1, 0])
        let lines = world.run(["doctor", "--list"] + paths).lines
        #expect(lines.count == 4)
        #expect(lines[2].hasPrefix("! \(parked.path)  SS036  parked: "))
        #expect(lines[3] == "✓ \(sound.path)")
        #expect(sound.files == before)
        #expect(world.run("doctor", sound.path).status == .usage)
        #expect(world.run("doctor", "--list").status == .usage)
        #expect(world.run("doctor", "--list", sound.path, "--fix").status == .usage)
    }

    @Test("beside a running app --fix is exit 4, and looking changes nothing")
    func running() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        defer { try? store.close() }
        let run = fixture.run("doctor")
        #expect(run.status == .done, "\(run.output)")
        #expect(run.output.contains("✓ a living app owns it"))
    }
}
