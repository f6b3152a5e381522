import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("backup, restore, export, import, migrate")
struct BackupCommandTests {
    @Test(
        "R-07 a backup goes where it is told, or into the container, and overwrites nothing unasked"
    )
    func backup() throws {
        let fixture = try EditedFixture()
        let target = fixture.file("copy.sqlite")
        let run = fixture.run("backup", "-o", target)
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.contains(target))
        #expect(FileManager.default.fileExists(atPath: target + ".xxh64"))
        #expect(fixture.run("backup", "-o", target).status == .usage)
        #expect(fixture.run("backup", "-o", target, "--force").status == .done)
        #expect(
            fixture.run("backup", "-o", fixture.path + "/scenes.sqlite", "--force").status
                == .usage)
        let owner = try fixture.open(.owner)
        let json = fixture.run("backup", "--json")
        #expect(try json.objects().first?["checksum"]?.stringValue?.utf8.count == 16)
        try owner.close()
        #expect(fixture.backups.count == 1)
    }

    /// Ways to make a store one that SQLite can't copy.
    enum Damage: CaseIterable {
        case firstPage, header, cut
    }

    @Test(
        "R-07 R-24 a damaged store is copied byte for byte, and exits with 5",
        arguments: Damage.allCases)
    func damaged(_ damage: Damage) throws {
        let fixture = try EditedFixture()
        let expected = fixture.run("sessions", "--csv", "--columns", "session").lines.sorted()
        let file = URL(filePath: fixture.path + "/scenes.sqlite")
        switch damage {
        case .header: try fixture.damage()
        case .firstPage:
            var bytes = try Data(contentsOf: file)
            bytes.replaceSubrange(0..<4_096, with: Data(count: 4_096))
            try bytes.write(to: file)
        case .cut:
            let bytes = try Data(contentsOf: file)
            try bytes.dropLast(1_000).write(to: file)
        }
        let stored = try Data(contentsOf: file)
        let copy = fixture.file("copy.sqlite")
        try Data("an old log".utf8).write(to: URL(filePath: copy + "-wal"))
        let run = fixture.run("backup", "-o", copy, "--force", "--json")
        #expect(run.status == .damaged, "\(run.errors)")
        #expect(try run.objects().first?["damaged"] == true)
        #expect(run.errors.contains("scenestore salvage \(copy) -o DIR"), "\(run.errors)")
        #expect(try Data(contentsOf: URL(filePath: copy)) == stored)
        #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
        #expect([.damaged, .usage].contains(fixture.run("restore", copy, "--yes").status))
        let rescued = fixture.file("rescued")
        let salvage = ToolWorld().run("salvage", copy, "-o", rescued)
        #expect([.done, .answeredNo].contains(salvage.status), "\(salvage.errors)")
        let found = ToolWorld().run("sessions", "--csv", "--columns", "session", "--store", rescued)
        #expect(found.lines.sorted() == expected)
        #expect(fixture.run("backup").status == .damaged)
        let names = fixture.backups.filter { $0.hasPrefix("backups/damaged-") }
        #expect(names.count == 1, "\(fixture.backups)")
        #expect(fixture.files[names.first ?? ""] == stored)
    }

    @Test("R-07 an older schema is copied as it is, also into the container")
    func olderSchema() throws {
        let path = try EditedFixture().file("old")
        #expect(
            ToolWorld().run("fixture", "make", "--template", "three-windows", "-o", path).status
                == .done)
        let world = ToolWorld(migrations: MadeMigrations.all)
        let schema = { (path: String) in
            try world.run("info", "--json", "--store", path).objects().first?["schema"]
        }
        let old = try schema(path)
        let copy = path + "-copy.sqlite"
        for line in [["backup", "-o", copy], ["backup"]] {
            let run = world.run(line + ["--store", path])
            #expect(run.status == .done, "\(run.errors)")
            #expect(run.errors.contains("an older version wrote the store"), "\(run.errors)")
        }
        #expect(try schema(copy) == old)
        #expect(try schema(path) == old)
        let back = path + "-back"
        #expect(world.run("restore", copy, "--to", back, "--yes").status == .done)
        #expect(
            world.run("sessions", "--csv", "--store", back).output
                == world.run("sessions", "--csv", "--store", path).output)
    }

    @Test("restore says what a store in use is, and what helps against a damaged backup")
    func noBackup() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        let key = try #require(try store.record(identifier: "letter-session")).key
        try store.values.setTitle("Lisbon", key: key)
        let inUse = fixture.run("restore", fixture.path + "/scenes.sqlite", "--dry-run")
        #expect(inUse.status == .usage, "\(inUse.errors)")
        #expect(inUse.errors.contains("is a store in use, not a backup"))
        #expect(inUse.errors.contains("scenestore backup -o FILE"))
        try store.close()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        try Data("0000000000000000  copy.sqlite\n".utf8).write(
            to: URL(filePath: copy + ".xxh64"))
        let damaged = fixture.run("restore", copy, "--yes")
        #expect(damaged.status == .damaged, "\(damaged.errors)")
        #expect(damaged.errors.contains("scenestore salvage \(copy) -o DIR"), "\(damaged.errors)")
    }

    @Test("restore asks, sets the old store aside, and refuses what is no backup")
    func restore() throws {
        let fixture = try EditedFixture()
        let expected = try fixture.read { try $0.export() }
        let target = fixture.file("copy.sqlite")
        _ = fixture.run("backup", "-o", target)
        _ = fixture.run("forget", "letter", "--yes", "--no-backup")
        let asked = fixture.run("restore", target, answers: ["n"])
        #expect(asked.status == .answeredNo)
        #expect(
            asked.errors.contains(
                "Replace 2 sessions, 1 with state, newest 5 min old by a backup of 3 sessions?"),
            "\(asked.errors)")
        #expect(fixture.run("restore", target, "--dry-run").output == "would restore 3 sessions\n")
        let run = fixture.run("restore", target, "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(try fixture.read { try $0.export() } == expected)
        #expect(fixture.files.keys.contains { $0.hasPrefix("quarantine/") })
        let place = fixture.file("elsewhere")
        #expect(fixture.run("restore", target, "--to", place, "--yes").status == .done)
        #expect(ToolWorld().run("export", "--store", place).output.utf8.elementsEqual(expected))
        try Data("junk".utf8).write(to: URL(filePath: target))
        #expect(fixture.run("restore", target, "--yes").status == .damaged)
        #expect(fixture.run("restore", fixture.file("none"), "--yes").status == .usage)
    }

    @Test("S-63 export and import, to a file and back")
    func exportAndImport() throws {
        let fixture = try EditedFixture()
        let file = fixture.file("all.ndjson")
        let run = fixture.run("export", "-o", file)
        #expect(run.status == .done, "\(run.errors)")
        #expect(fixture.run("export", "-o", file).status == .usage)
        let text = fixture.run("export").output
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        #expect(text.split(separator: "\n").count == 4)
        let one = fixture.run("export", "--session", "letter").output
        #expect(one.split(separator: "\n").count == 2)
        let shape = fixture.run("export", "--redact", "values").output
        #expect(!shape.contains("private words"))
        let refused = fixture.run("import", file, "--yes")
        #expect(refused.status == .answeredNo)
        #expect(
            refused.errors.contains("takenIdentifier") || refused.errors.contains("exists already"))
        #expect(refused.errors.contains("--conflict"))
        let cut = fixture.file("cut.ndjson")
        try text.prefix { $0 != "\n" }.write(toFile: cut, atomically: true, encoding: .utf8)
        let short = fixture.run("import", cut, "--yes")
        #expect(short.status == .usage)
        #expect(short.errors.contains("cut short"))
        #expect(!short.errors.contains("--conflict"))
        _ = fixture.run("reset", "--yes", "--no-backup")
        #expect(
            Set(fixture.run("import", file, "--dry-run").lines) == [
                "would import 3 sessions with 3 states", "  adds blank-session",
                "  adds draft-session", "  adds letter-session",
            ])
        let back = fixture.run("import", file, "--yes")
        #expect(back.status == .done, "\(back.errors)")
        #expect(fixture.run("export").output == text)
        let twice = fixture.run("import", file, "--conflict", "keep", "--yes")
        #expect(twice.status == .done && twice.output.isEmpty)
        #expect(twice.errors.contains("the store already has everything; nothing to do"))
        #expect(fixture.run("import", fixture.file("none"), "--yes").status == .usage)
    }

    @Test("S-63 an import tells what the store used later, and what only the import has closed")
    func leftOut() throws {
        let fixture = try EditedFixture()
        let other = fixture.file("other")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: other)
        let file = fixture.file("other.ndjson")
        for words in [
            ["discard", "draft-session", "--yes", "--no-backup"], ["export", "-o", file],
        ] {
            #expect(ToolWorld().run(words + ["--store", other]).status == .done)
        }
        let store = try fixture.open()
        let key = try #require(try store.record(identifier: "letter-session")).key
        try store.save(
            [StateToSave(key: key, activity: UserActivity(activityType: "com.example.again"))],
            context: SaveContext(appVersion: "2", savedAt: fixture.clock.clock.now()))
        try store.close()
        let words = ["import", file, "--conflict", "newest", "--yes"]
        let nothing = fixture.run(words)
        #expect(
            nothing.errors.hasPrefix(
                "nothing to do; 3 left out, of which the store has 2 already, and used 1 later\n"),
            "\(nothing.errors)")
        let closed =
            "closed in the import, and still open here: Editor draft-se; 'scenestore discard "
            + "draft-session --store \(fixture.path)' closes it here, too\n"
        #expect(nothing.errors.contains(closed), "\(nothing.errors)")
        #expect(fixture.run("forget", "blank-session", "--yes", "--no-backup").status == .done)
        let run = fixture.run(words)
        #expect(
            run.lines.suffix(2) == ["  adds blank-session", "  leaves out letter-session"],
            "\(run.output)")
        #expect(run.errors.contains(closed))
        let json = fixture.run(
            "import", file, "--conflict", "newest", "--dry-run", "--json")
        #expect(json.status == .done)
        #expect(fixture.run("undo", "--yes").status == .done)
        let plan = try #require(
            try fixture.run("import", file, "--conflict", "newest", "--dry-run", "--json").objects()
                .first)
        #expect(plan["closed"] == ["draft-session"])
        #expect(plan["counts"]?.objectValue?["newer"] == 1)
        // A sync tool's copy tells the same.
        try FileManager.default.copyItem(
            atPath: other + "/scenes.sqlite", toPath: fixture.path + "/scenes.conflict.sqlite")
        let doctor = fixture.run("doctor").output
        #expect(doctor.contains("; closed there, and open here: draft-session\n"), "\(doctor)")
    }

    @Test("S-63 log tells saves that came with an import with no launch of this store")
    func importedSaves() throws {
        let fixture = try EditedFixture()
        let file = fixture.file("all.ndjson")
        #expect(fixture.run("export", "-o", file).status == .done)
        let words = ["import", file, "--conflict", "replace", "--yes"]
        #expect(fixture.run(words).status == .done)
        let store = try fixture.open()
        let key = try #require(try store.record(identifier: "draft-session")).key
        try store.save(
            [StateToSave(key: key, activity: UserActivity(activityType: "com.example.again"))],
            context: SaveContext(appVersion: "2", savedAt: fixture.clock.clock.now()))
        try store.close()
        for words in [["log", "--json"], ["log", "draft-session", "--json"]] {
            let saves = try fixture.run(words).objects().filter { $0.text("event") == "save" }
            #expect(saves.dropLast().allSatisfy { $0["launch"] == .null }, "\(saves)")
            #expect(
                saves.map { $0.text("reason") }
                    == Array(repeating: "it came with an import", count: saves.count - 1) + [nil])
            #expect(saves.count > 1 && saves.last?["launch"] == 1)
        }
    }

    @Test("S-61 a damaged store with an older schema is not migrated, and stays as it is")
    func damagedOlder() throws {
        let fixture = try EditedFixture()
        for (number, page) in [nil, 8, 19].enumerated() {
            let path = fixture.file("old-\(number)")
            let made = ToolWorld().run("fixture", "make", "--template", "three-windows", "-o", path)
            #expect(made.status == .done)
            let store = URL(filePath: path + "/scenes.sqlite")
            var bytes = try Data(contentsOf: store)
            if let page {
                bytes.replaceSubrange(
                    (page - 1) * 4_096..<page * 4_096, with: Data(count: 4_096))
                try bytes.write(to: store)
            }
            for words in [["doctor", "--fix", "-n"], ["doctor", "--fix", "--yes"]] {
                let run = ToolWorld(migrations: MadeMigrations.all).run(words + ["--store", path])
                #expect((run.status == .damaged) == (page != nil), "\(words): \(run.errors)")
                #expect((run.status == .done) == (page == nil), "\(words): \(run.errors)")
            }
            #expect(try (Data(contentsOf: store) == bytes) == (page != nil))
        }
    }

    @Test(
        "S-61 doctor --fix brings the schema up to date, says that it can't be undone, and which backup an older version needs"
    )
    func migrated() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let path = folder + "/old"
        #expect(
            ToolWorld().run("fixture", "make", "--template", "three-windows", "-o", path).status
                == .done)
        let old = try Data(contentsOf: URL(filePath: path + "/scenes.sqlite"))
        let world = ToolWorld(migrations: MadeMigrations.all)
        let asked = world.run("doctor", "--fix", "--store", path)
        #expect(asked.status == .needsConfirmation)
        let planned = world.run("doctor", "--fix", "-n", "--store", path)
        #expect(planned.output.contains("would fix SS009: "), "\(planned.output)")
        #expect(
            planned.output.contains(
                "it lacks \(MadeMigrations.all.map(\.name).listed(with: "and"))"))
        #expect(try Data(contentsOf: URL(filePath: path + "/scenes.sqlite")) == old)
        let run = world.run("doctor", "--fix", "--yes", "--store", path)
        #expect(
            run.errors.hasPrefix(
                """
                schema 1 -> 3; this can't be undone
                the old schema: backups/schema-0001.sqlite; for an older version of the app, move \
                scenes.sqlite, scenes.sqlite-wal and scenes.sqlite-shm elsewhere while no app \
                runs, and copy it to scenes.sqlite

                """), "\(run.errors)")
        #expect(run.isSound)
        let kept = try Data(contentsOf: URL(filePath: path + "/backups/schema-0001.sqlite"))
        #expect(kept.count == old.count)
    }
}
