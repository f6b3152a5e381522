import Foundation
import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

extension CommandContext {
    /// The same world with another output.
    fileprivate func replacing(output: Output) -> CommandContext {
        CommandContext(
            output: output, errorOutput: errorOutput, terminal: terminal,
            environment: environment, clock: clock, currentDirectory: currentDirectory,
            readLine: readLine, isInterrupted: isInterrupted, table: table,
            completionSources: completionSources)
    }
}

/// What commands that write do with a store that is damaged.
@Suite("commands that write, on a damaged store")
struct DamagedStoreTests {
    /// Ways to damage a store that still opens.
    enum Damage: CaseIterable {
        /// A row fails its checksum.
        case row
        /// A page's free space overlaps.
        case page
    }

    private func damaged(_ damage: Damage) throws -> EditedFixture {
        let fixture = try EditedFixture()
        switch damage {
        case .row:
            try fixture.sqlite(
                "UPDATE state SET saved_at = saved_at + 1 WHERE id IN (SELECT min(id) FROM state)")
        case .page:
            let store = fixture.path + "/scenes.sqlite"
            var bytes = try Data(contentsOf: URL(filePath: store))
            // The last page that is a leaf: its first free block lies outside of it.
            let leaf = try #require(
                stride(from: bytes.count - 4_096, to: 0, by: -4_096).first { bytes[$0] == 0x0D })
            bytes[leaf + 1] = 0x0F
            bytes[leaf + 2] = 0xFF
            try bytes.write(to: URL(filePath: store))
        }
        #expect(fixture.run("doctor").status == .damaged)
        return fixture
    }

    @Test(
        "S-44 the error that a session isn't there names the damage", arguments: ["why", "show"])
    func missing(command: String) throws {
        let fixture = try EditedFixture()
        let sound = fixture.run(command, "letter-session-2")
        #expect(sound.status == .noStore && !sound.errors.contains("doctor"), "\(sound.errors)")
        try fixture.sqlite(
            "UPDATE session SET created_at = created_at + 1 WHERE identifier = 'letter-session'")
        let run = fixture.run(command, "letter")
        #expect(run.status == .noStore)
        #expect(
            run.errors.contains("hint: not all of the store can be read: row ")
                && run.errors.contains(" of table session fails its checksum"), "\(run.errors)")
        #expect(run.errors.contains("'scenestore doctor --store \(fixture.path)' names the damage"))
    }

    @Test("S-61 S-05 a damaged store of an older version is repaired, and a sound one is migrated")
    func older() throws {
        let world = ToolWorld(migrations: MadeMigrations.all)
        for damage in [nil, .row, .page] as [Damage?] {
            let fixture = try damage.map(damaged) ?? EditedFixture()
            let repair = world.run("repair", "--yes", "--store", fixture.path)
            guard let damage else {
                #expect(repair.status == .usage, "\(repair.errors)")
                #expect(repair.errors.contains("olderSchema"))
                continue
            }
            #expect(repair.status == .done, "\(damage): \(repair.errors)")
            #expect(world.run("doctor", "--full", "--store", fixture.path).isSound)
        }
    }

    @Test("S-61 prune refuses a damaged store also when it finds nothing to prune")
    func nothingToPrune() throws {
        for damage in Damage.allCases {
            let fixture = try damaged(damage)
            for more in ["--yes", "--dry-run"] {
                let run = fixture.run("prune", more)
                #expect(run.status == .damaged, "\(run.errors)")
                #expect(!run.errors.contains("nothing to prune"))
            }
        }
    }

    @Test("SS010 a log without its store: doctor, repair and salvage say and do the same")
    func logAlone() throws {
        for command in ["repair", "salvage"] {
            let fixture = try EditedFixture()
            let store = try fixture.open(.owner)
            let key = try #require(try store.record(identifier: "letter-session")).key
            try store.values.setTitle("Lisbon", key: key)
            let copy = fixture.file("copy")
            try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
            try store.close()
            try FileManager.default.removeItem(atPath: copy + "/scenes.sqlite")
            func run(_ words: String...) -> ToolRun {
                ToolWorld().run(words + ["--store", copy])
            }
            let doctor = run("doctor")
            #expect(doctor.status == .damaged)
            #expect(doctor.output.contains("scenestore repair"), "\(doctor.output)")
            let saved: ToolRun
            if command == "repair" {
                let plan = run("repair", "--dry-run")
                #expect(plan.status == .done, "\(plan.errors)")
                saved = run("repair", "--yes")
                #expect(saved.status == .done, "\(saved.errors)")
                #expect(
                    saved.errors.contains("the write-ahead log of the missing store: quarantine/"))
                #expect(run("sessions").status == .done)
            } else {
                saved = ToolWorld().run([
                    "salvage", copy + "/scenes.sqlite", "-o", fixture.file("rescued"),
                ])
                #expect(saved.status == .answeredNo, "\(saved.errors)")
            }
            #expect(saved.output.contains("open session"), "\(saved.output)")
        }
    }

    @Test(
        "S-61 a damaged store is refused with 5 before anything is asked or written",
        arguments: WritingCommandTests.lines.filter { $0.first != "checkout" }, Damage.allCases)
    func refused(_ line: [String], _ damage: Damage) throws {
        let fixture = try damaged(damage)
        let before = fixture.files
        for more in [["--yes"], ["--yes", "--no-backup"], ["--dry-run"], []] {
            var world = ToolWorld()
            world.clock = fixture.clock
            let run = world.run(line + more + ["--store", fixture.path])
            #expect(run.status == .damaged, "\(more) \(run.errors)")
            #expect(run.errors.contains("scenestore repair"), "\(more) \(run.errors)")
            #expect(!run.errors.contains("takes it back"))
        }
        #expect(fixture.files == before)
    }

    @Test("R-22 a state that is not in the file is available to no command, and each warns")
    func missingState() throws {
        let fixture = try EditedFixture()
        try fixture.sqlite(
            """
            DELETE FROM state WHERE id =
            (SELECT state_id FROM session WHERE identifier = 'letter-session')
            """)
        for line in [["sessions"], ["plan"], ["show", "letter-session"], ["why", "letter"]] {
            let run = ToolWorld().run(line + ["--json", "--store", fixture.path])
            let letter = try run.objects().first { $0.text("session") == "letter-session" }
            let found = try #require(letter, "\(line): \(run.output) \(run.errors)")
            let judged = found["nextLaunch"]?.objectValue ?? found
            #expect(judged.text("restoration") == "nothing", "\(line)")
            #expect((run.output + run.errors).contains("is not in the file"), "\(line)")
        }
    }

    @Test("R-22 an export of a damaged store warns, and exits with 5", arguments: Damage.allCases)
    func exported(_ damage: Damage) throws {
        let run = try damaged(damage).run("export")
        #expect(run.status == .damaged, "\(run.errors)")
        #expect(run.errors.contains("the store is damaged"), "\(run.errors)")
        #expect(run.output.contains("letter-session"))
    }

    @Test("an import and a play on the store itself are refused alike")
    func filesRefused() throws {
        let whole = try EditedFixture()
        let export = whole.file("all.ndjson")
        #expect(whole.run("export", "-o", export).status == .done)
        let scenario = whole.file("a.scenario")
        try Data("launch\nquit\n".utf8).write(to: URL(filePath: scenario))
        let fixture = try damaged(.row)
        let before = fixture.files
        for run in [
            fixture.run("import", export, "--conflict", "replace", "--yes"),
            fixture.run("simulate", scenario, "--in-place", "--yes"),
        ] {
            #expect(run.status == .damaged, "\(run.errors)")
        }
        #expect(fixture.files == before)
    }

    @Test("what can't be undone anyway is done: a damaged store is erased")
    func erased() throws {
        let fixture = try damaged(.row)
        #expect(fixture.run("reset", "--erase", "--yes").status == .done)
        #expect(fixture.run("doctor", "--full").isSound)
    }

    @Test("the repair of a store that does not open is undone byte for byte, and made again")
    func unreadable() throws {
        let fixture = try EditedFixture()
        let sound = fixture.run("export").output
        try fixture.damage()
        let damaged = fixture.files["scenes.sqlite"]
        #expect(fixture.run("repair", "--yes").status == .done)
        for _ in 0..<2 {
            let undone = fixture.run("undo", "--yes")
            #expect(undone.status == .done, "\(undone.errors)")
            #expect(fixture.files["scenes.sqlite"] == damaged)
            #expect(
                try fixture.run("operations", "--json").objects().map { $0.text("state") }
                    == ["undone"])
            let redone = fixture.run("undo", "--redo", "--yes")
            #expect(redone.status == .done, "\(redone.errors)")
            #expect(fixture.run("export").output == sound)
        }
        #expect(fixture.run("doctor", "--full").isSound)
    }

    @Test("a change whose reader went away is noted all the same", arguments: [true, false])
    func readerGone(isRepair: Bool) throws {
        let fixture = try isRepair ? damaged(.row) : EditedFixture()
        var world = ToolWorld()
        world.clock = fixture.clock
        let gone = world.context(CapturedBytes(), CapturedBytes()).replacing(
            output: Output { _ in .failure(.closed) })
        _ = CommandLineTool(table: gone.table).run(
            (isRepair ? ["repair"] : ["hold", "letter"]) + ["--yes", "--store", fixture.path], gone)
        #expect(
            try fixture.run("operations", "--json").objects().map { $0.text("state") } == ["done"])
        #expect(fixture.run("undo", "--yes").status == .done)
    }

    @Test("the repair of a store that opens is undone and made again, as often as one likes")
    func readable() throws {
        let fixture = try damaged(.row)
        let damaged = fixture.files["scenes.sqlite"]
        #expect(fixture.run("repair", "--yes").status == .done)
        let repaired = fixture.run("export").output
        for _ in 0..<2 {
            #expect(fixture.run("undo", "--yes").status == .done)
            #expect(fixture.files["scenes.sqlite"] == damaged)
            let redone = fixture.run("undo", "--redo", "--yes")
            #expect(redone.status == .done, "\(redone.errors)")
            #expect(fixture.run("export").output == repaired)
        }
    }
}
