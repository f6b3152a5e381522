import Foundation
import SceneStore
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("reading whatever is there")
struct FoundStoreTests {
    let fixture: EditedFixture

    init() throws {
        fixture = try EditedFixture()
    }

    /// What a reading command prints of a path, and what it warns of.
    private func sessions(_ path: String, _ world: ToolWorld = ToolWorld()) -> (
        names: [String], errors: String, status: SceneStoreCommand.ExitStatus
    ) {
        var world = world
        world.clock = fixture.clock
        let run = world.run("sessions", "--csv", "--columns", "session", "--store", path)
        return (Array(run.lines.dropFirst()).sorted(), run.errors, run.status)
    }

    private static let all = ["blank-session", "draft-session", "letter-session"]

    @Test("a backup under any name, and a store's file by itself, are read from a copy")
    func looseFile() throws {
        let copy = fixture.file("mailed by Ada.db")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        let before = try Data(contentsOf: URL(filePath: copy))
        let found = sessions(copy)
        #expect(found.names == Self.all)
        #expect(found.errors == "warning: a copy of the file '\(copy)' is read\n")
        #expect(try Data(contentsOf: URL(filePath: copy)) == before)
        let single = fixture.file("alone")
        try FileManager.default.createDirectory(
            atPath: single, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(
            atPath: fixture.path + "/scenes.sqlite", toPath: single + "/scenes.sqlite")
        #expect(sessions(single).names == Self.all)
        // What is no store stays none.
        let junk = fixture.file("junk.db")
        try Data(repeating: 7, count: 9_000).write(to: URL(filePath: junk))
        #expect(sessions(junk).status == .noStore)
        #expect(sessions(fixture.file("missing")).status == .noStore)
    }

    @Test(
        "R-05 S-62 what is too large for a store, or has no end, is refused before it is read",
        arguments: [["sessions"], ["plan"], ["export"], ["info"]])
    func tooLarge(_ words: [String]) throws {
        func refusal(_ path: String) -> String {
            var world = ToolWorld()
            world.clock = fixture.clock
            let run = world.run(words + ["--store", path])
            #expect(run.status == .noStore)
            return run.errors
        }
        let sparse = fixture.file("sparse")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: sparse)
        let file = try #require(FileHandle(forWritingAtPath: sparse + "/scenes.sqlite"))
        try file.truncate(atOffset: 1 << 40)
        try file.close()
        #expect(refusal(sparse).contains("too large"))
        let device = fixture.file("device")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: device)
        try FileManager.default.removeItem(atPath: device + "/scenes.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: device + "/scenes.sqlite", withDestinationPath: "/dev/zero")
        #expect(refusal(device).contains("not a regular file"))
        // At once, although nobody writes into it.
        try FileManager.default.removeItem(atPath: device + "/scenes.sqlite")
        try #require(mkfifo(device + "/scenes.sqlite", 0o600) == 0)
        #expect(refusal(device).contains("not a regular file"))
    }

    @Test("R-05 every command takes a link to a container for the container")
    func link() throws {
        let link = fixture.file("link")
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: fixture.path)
        #expect(sessions(link).names == Self.all)
        for path in [link, link + "/", link + "/scenes.sqlite"] {
            for line in [
                ["repair", "--yes"], ["hold", "@last", "--yes"], ["undo", "--yes"],
                ["backup"], ["doctor", "--fix", "--yes"],
                ["watch", "--timeout", "0s"],
            ] {
                let run = ToolWorld().run(line + ["--store", path])
                #expect(
                    run.status == ToolWorld().run(line + ["--store", fixture.path]).status,
                    "\(line) \(path): \(run.errors)")
                #expect(run.status != .noStore && run.status != .damaged)
                #expect(!run.errors.contains("destroyed"), "\(run.errors)")
            }
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == fixture.path)
        // What leads nowhere is not followed, and nothing is made there.
        let nowhere = fixture.file("nowhere")
        try FileManager.default.removeItem(atPath: link)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: nowhere)
        #expect(ToolWorld().run("hold", "@last", "--yes", "--store", link).status != .done)
        #expect(!FileManager.default.fileExists(atPath: nowhere))
    }

    @Test("R-05 a store's file that is a link is read and copied, named by doctor, not written")
    func linkedFile() throws {
        let target = fixture.file("elsewhere.sqlite")
        let file = fixture.path + "/scenes.sqlite"
        try FileManager.default.moveItem(atPath: file, toPath: target)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        #expect(sessions(fixture.path).names == Self.all)
        let doctor = fixture.run("doctor")
        #expect(doctor.status == .answeredNo, "\(doctor.errors)")
        #expect(doctor.output.contains("✗ SS031 scenes.sqlite is a symbolic link to '\(target)'"))
        #expect(doctor.output.contains("every page, row and reference is in order"))
        let copy = fixture.file("copy.sqlite")
        let backup = fixture.run("backup", "-o", copy)
        #expect(backup.status == .done, "\(backup.errors)")
        #expect(sessions(copy).names == Self.all)
        for words in [["repair", "-n"], ["hold", "@last", "--yes"], ["backup"]] {
            let run = ToolWorld().run(words + ["--store", fixture.path])
            #expect(run.status == .usage, "\(words): \(run.errors)")
            #expect(run.errors.contains("is a symbolic link"), "\(run.errors)")
            #expect(run.errors.contains("move '\(target)' to its place"), "\(run.errors)")
        }
        // Damage behind the link is found, too.
        var bytes = try Data(contentsOf: URL(filePath: target))
        bytes.replaceSubrange(0..<4_096, with: Data(repeating: 0x5A, count: 4_096))
        try bytes.write(to: URL(filePath: target))
        let damaged = fixture.run("doctor")
        #expect(damaged.status == .damaged)
        #expect(!damaged.output.contains("is in order"), "\(damaged.output)")
        // A folder in the place of the file is no store to anybody.
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(
            atPath: file, withIntermediateDirectories: false)
        for words in [
            ["sessions"], ["doctor"], ["hold", "@last", "--yes"], ["doctor", "--fix"],
        ] {
            let run = ToolWorld().run(words + ["--store", fixture.path])
            #expect(run.status == .usage, "\(words): \(run.errors)")
        }
    }

    @Test("R-05 a container that others may write into is read from a copy, and not written")
    func groupWritable() throws {
        for (path, mode) in [("", 0o775), ("/scenes.sqlite", 0o664)] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: fixture.path + path)
            let found = sessions(fixture.path)
            #expect(found.names == Self.all)
            #expect(found.errors.contains("a copy of the store is read"), "\(found.errors)")
            let copy = fixture.run("backup", "-o", fixture.file("open\(mode).sqlite"))
            #expect(copy.status == .done, "\(copy.errors)")
        }
        #expect(fixture.run("hold", "@last", "--yes").status == .usage)
        // The doctor makes it private, and then it is written.
        let fixed = fixture.run("doctor", "--fix", "--yes", "--no-backup")
        #expect(!fixed.output.contains("SS001"), "\(fixed.output)")
        #expect(!fixed.output.contains("SS002"))
        #expect(fixture.run("hold", "@last", "--yes").status == .done)
    }

    @Test("S-05 an older schema is read through a migrated copy, and stays as it is")
    func olderSchema() throws {
        let path = fixture.file("old")
        #expect(
            ToolWorld().run("fixture", "make", "--template", "three-windows", "-o", path).status
                == .done)
        let before = try ContainerImage(of: path)
        let world = ToolWorld(migrations: MadeMigrations.all)
        let found = sessions(path, world)
        #expect(found.names.count == 3)
        #expect(found.errors.contains("an older version wrote the store: a migrated copy is read"))
        #expect(try ContainerImage(of: path) == before)
        #expect(world.run("hold", "@last", "--yes", "--store", path).status != .done)
    }

    /// A store of a version that is yet to come, with a column and a table of its own.
    private func newer() throws -> String {
        try fixture.sqlite(
            "ALTER TABLE session ADD COLUMN mood TEXT; CREATE TABLE later (a); "
                + "PRAGMA user_version = 99")
        return fixture.path
    }

    @Test(
        "S-05 a newer version's store that asks to be refused is read as far as it is known",
        arguments: [
            ["sessions", "--csv"], ["show", "letter-session"], ["plan"], ["log"],
            ["timeline"], ["size"], ["find", "letter"], ["history", "letter"],
            ["why", "letter-session"], ["info"], ["sql", "SELECT session FROM sessions"],
        ])
    func newerSchema(_ words: [String]) throws {
        let expected = fixture.run(words)
        let path = try newer()
        let before = fixture.files
        let run = fixture.run(words)
        #expect(run.status == .done, "\(run.errors)")
        switch words[0] {
        case "info":
            #expect(run.output.contains("3 open"), "\(run.output)")
            #expect(run.output.contains("only what this version knows is shown"))
        case "why":
            #expect(run.output.contains("it connects as number 1"))
            #expect(run.output.contains("SS008"), "\(run.output)")
        case "size": #expect(run.lines.count == expected.lines.count)
        default: #expect(run.output == expected.output, "\(path)")
        }
        let warning = "a copy is read, and only what this version knows is shown"
        #expect(run.errors.contains(warning), "\(run.errors)")
        #expect(fixture.files == before)
    }

    @Test("S-05 what writes, judges or keeps refuses a newer version's store with exit status 6")
    func newerSchemaRefused() throws {
        let path = try newer()
        let before = fixture.files
        let scenario = fixture.file("a.scenario")
        try Data("launch\n".utf8).write(to: URL(filePath: scenario))
        for words in [
            ["hold", "letter", "--yes"], ["reopen", "letter", "--yes"], ["prune", "--yes"],
            ["compact", "--yes"], ["repair", "--yes"],
            ["doctor"], ["simulate", scenario], ["undo", "--yes"], ["reset", "--yes"],
            ["salvage", path + "/scenes.sqlite", "-o", fixture.file("saved")],
        ] {
            let run = fixture.run(words)
            #expect(run.status == .newerSchema, "\(words): \(run.output)\(run.errors)")
        }
        let watch = fixture.run("watch", "--timeout", "1s")
        #expect(watch.status == .timeLimit, "\(watch.errors)")
        #expect(watch.errors.contains("only what this version knows is shown"))
        let export = fixture.run("export")
        #expect(export.status == .newerSchema)
        #expect(export.lines.count == 4, "\(export.output)")
        #expect(fixture.files == before)
        // A backup is the file as it is, and is read as the store is.
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        #expect(sessions(copy).names == Self.all)
        var world = ToolWorld()
        world.clock = fixture.clock
        #expect(world.run("doctor", "--store", copy).status == .newerSchema)
    }

    @Test("R-24 a destroyed first page is read through salvage, damage to verify, and repaired")
    func firstPage() throws {
        let store = fixture.path + "/scenes.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: store))
        bytes.replaceSubrange(0..<4_096, with: Data(repeating: 0x5A, count: 4_096))
        try bytes.write(to: URL(filePath: store))
        try Data("by hand".utf8).write(to: URL(filePath: fixture.path + "/notes.txt"))
        #expect(fixture.run("size", "--csv").output.contains("\nnotes.txt,"))
        #expect(fixture.run("report").output.contains(">\(fixture.path)<"))
        let info = try #require(try fixture.run("info", "--json").objects().first)
        #expect(info.text("path") == fixture.path)
        try FileManager.default.removeItem(atPath: fixture.path + "/notes.txt")
        let found = sessions(fixture.path)
        #expect(found.names == Self.all, "\(found.errors)")
        #expect(found.errors.contains("3 open sessions salvaged into a copy are read"))
        for words in [["doctor"], ["doctor", "--full"]] {
            var world = ToolWorld()
            world.clock = fixture.clock
            let run = world.run(words + ["--store", fixture.path])
            #expect(run.status == .damaged, "\(words): \(run.errors)")
            #expect(run.output.contains("first page is destroyed"))
        }
        let before = fixture.files
        for words in [
            ["hold", "@last", "--yes"], ["undo", "--yes"],
            ["prune", "--yes"],
        ] {
            var world = ToolWorld()
            world.clock = fixture.clock
            let run = world.run(words + ["--store", fixture.path])
            #expect(run.status == .damaged, "\(words): \(run.errors)")
            #expect(run.errors.contains("'scenestore repair --store \(fixture.path)'"))
        }
        #expect(fixture.run("repair", "-n").output == "would rebuild the store\n")
        #expect(fixture.files == before)
        #expect(fixture.run("repair", "--yes").status == .done)
        #expect(fixture.run("doctor", "--full").isSound)
        #expect(sessions(fixture.path).names == Self.all)
    }

    @Test("R-09 a page destroyed in the middle ends no reading command: what is left is read")
    func middlePage() throws {
        let store = fixture.path + "/scenes.sqlite"
        let sound = try Data(contentsOf: URL(filePath: store))
        var salvaged = 0
        for page in 1..<sound.count / 4_096 {
            var bytes = sound
            let range = page * 4_096..<(page + 1) * 4_096
            bytes.replaceSubrange(range, with: Data(repeating: 0x5A, count: 4_096))
            try bytes.write(to: URL(filePath: store))
            for words in [
                ["sessions", "--csv"], ["plan"], ["log"], ["timeline", "--csv"], ["size"], ["info"],
            ] {
                var world = ToolWorld()
                world.clock = fixture.clock
                let run = world.run(words + ["--store", fixture.path])
                #expect(run.status == .done, "page \(page + 1), \(words): \(run.errors)")
                salvaged += run.errors.contains("salvaged into a copy") ? 1 : 0
                // What was written before the page was found is not written twice.
                let headings = run.lines.filter { $0.hasPrefix("session,") }
                #expect(words.first != "sessions" || headings.count == 1)
            }
        }
        #expect(salvaged > 0)
    }

    @Test("S-44 info counts the bytes of a loose file, not of what else is in its folder")
    func sizeOfFile() throws {
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        try Data(count: 5 << 20).write(to: URL(filePath: fixture.file("holiday.jpeg")))
        let info = ToolWorld().run("info", "--store", copy)
        #expect(info.output.contains("copy.sqlite") && !info.output.contains("holiday"))
        #expect(!info.output.contains("5."), "\(info.output)")
    }

    @Test("R-09 a store in a ZIP archive is read by a copy that goes, and is not changed")
    func zipped() throws {
        let expected = fixture.run("sessions", "--csv").output
        let store = try Array(Data(contentsOf: URL(filePath: fixture.path + "/scenes.sqlite")))
        func archive(_ names: [String], _ content: [UInt8]) throws -> String {
            var zip = ZipArchive(time: 0)
            for name in names {
                let isAdded = zip.add(name, content)
                #expect(isAdded)
            }
            let path = fixture.file("a.ZIP")
            try Data(zip.finished()).write(to: URL(filePath: path))
            return path
        }
        let before = fixture.files
        for names in [["../notes/scenes.sqlite", "../notes/other"], ["windows.sqlite"]] {
            let path = try archive(names, store)
            let run = ToolWorld().run("sessions", "--csv", "--store", path)
            #expect(run.status == .done && run.output == expected, "\(run.errors)")
            for words in [
                ["hold", "@last", "--yes"], ["repair", "--yes"], ["backup"], ["undo", "--yes"],
                ["reset", "--erase", "--yes"], ["compact", "--yes"], ["doctor", "--fix", "--yes"],
            ] {
                let run = ToolWorld().run(words + ["--store", path])
                #expect(run.status == .usage, "\(words): \(run.output)\(run.errors)")
            }
        }
        #expect(fixture.files == before)
        let info = ToolWorld().run(
            "info", "--json", "--store", try archive(["scenes.sqlite"], store))
        #expect(try info.objects().first?.text("path") == fixture.file("a.ZIP"))
        for names in [["a/scenes.sqlite", "b/scenes.sqlite"], ["export.ndjson"], []] {
            let run = ToolWorld().run("sessions", "--store", try archive(names, store))
            #expect(run.status == .noStore, "\(run.errors)")
            #expect(run.errors.contains("not one"), "\(run.errors)")
        }
        let support = fixture.file("support.zip")
        #expect(fixture.run("support", "-o", support).status == .done)
        let refused = ToolWorld().run("sessions", "--store", support)
        #expect(refused.status == .noStore)
        #expect(
            refused.errors.contains(
                "is an archive of 'support', which has no store in it, by design")
                && refused.errors.contains("report.html"), "\(refused.errors)")
        // As Finder makes it.
        let watched = ToolWorld().run(
            "watch", "--timeout", "0s", "--store",
            try archive(["b.sqlite", "__MACOSX/._b.sqlite"], store))
        #expect(watched.status == .usage, "\(watched.errors)")
        #expect(watched.errors.contains("is an archive, which is only read"), "\(watched.errors)")
        try Data(count: 100).write(to: URL(filePath: fixture.file("a.ZIP")))
        let junk = ToolWorld().run("sessions", "--store", fixture.file("a.ZIP"))
        #expect(junk.status == .noStore && junk.errors.contains("no ZIP archive"))
    }

    /// An archive of the container, as somebody makes it who sends it.
    private func archive(_ name: String, time: Int64 = 0) throws -> String {
        var zip = ZipArchive(time: time)
        for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.path) {
            if let content = FileManager.default.contents(atPath: "\(fixture.path)/\(name)") {
                let isAdded = zip.add("container/\(name)", Array(content))
                #expect(isAdded)
            }
        }
        let path = fixture.file(name)
        try Data(zip.finished()).write(to: URL(filePath: path))
        return path
    }

    @Test("R-09 an archive is read wherever a reading command takes a store")
    func zippedArgument() throws {
        let path = try archive("a.zip")
        let list = ToolWorld().run("doctor", "--list", fixture.path, path)
        #expect(list.lines.count == 2)
        #expect(list.lines.last?.hasPrefix("✗") == false, "\(list.output)")
        let same = ToolWorld().run("diff", "--store", fixture.path, "--with", path)
        #expect(same.status == .done && same.errors.isEmpty, "\(same.output)\(same.errors)")
        let merged = ToolWorld().run("merge", "-o", fixture.file("merged"), path, fixture.path)
        #expect(merged.status == .done, "\(merged.errors)")
        #expect(merged.output.hasPrefix("2 stores, "), "\(merged.output)")
        // One that isn't one is a line, and no end.
        try Data(count: 100).write(to: URL(filePath: fixture.file("b.zip")))
        let broken = ToolWorld().run("doctor", "--list", fixture.file("b.zip"), fixture.path)
        #expect(broken.status == .noStore && broken.lines.count == 2, "\(broken.output)")
    }

    @Test("R-09 an archive of a container has its backups and operations, and no permissions")
    func zippedContainer() throws {
        #expect(fixture.run("discard", "letter", "--yes").status == .done)
        let path = try archive("a.zip", time: 1_577_836_800_000)
        let operations = ToolWorld().run("operations", "--csv", "--store", path)
        #expect(operations.output == fixture.run("operations", "--csv").output)
        #expect(operations.lines.count == 2)
        let doctor = ToolWorld().run("doctor", "--store", path)
        let backups = doctor.lines.first { $0.contains("1 backup, ") }
        // When they were archived doesn't count.
        let day = TimeText.$zone.withValue(nil) { TimeText.date(1_577_836_800_000) }
        #expect(backups?.hasSuffix("the newest made \(day)") == true, "\(doctor.output)")
        #expect(!doctor.output.contains("private"), "\(doctor.output)")
        #expect(!doctor.output.contains("scenestore-command"), "\(doctor.output)")
    }

    @Test("S-70 a support archive of an archive has not its path")
    func zippedSupport() throws {
        let file = fixture.file("support.zip")
        let path = try archive("jane-doe.zip")
        #expect(ToolWorld().run("support", "-o", file, "--store", path).status == .done)
        let bytes = Array(try Data(contentsOf: URL(filePath: file)))
        let files = try #require(ZipArchive.files(in: bytes, limit: 1 << 30))
        for (name, content, _) in files {
            #expect(!String(decoding: content, as: UTF8.self).contains("jane-doe"), "\(name)")
        }
    }

    @Test("R-63 diff reads what is damaged on either side")
    func damagedOther() throws {
        for template in ["damaged-page", "three-windows"] {
            let made = ToolWorld().run(
                "fixture", "make", "--template", template, "-o", fixture.file(template))
            #expect(made.status == .done)
        }
        let (damaged, sound) = (fixture.file("damaged-page"), fixture.file("three-windows"))
        for stores in [[sound, damaged], [damaged, sound]] {
            let run = ToolWorld().run("diff", "--store", stores[0], "--with", stores[1])
            #expect(run.status == .answeredNo, "\(run.errors)")
            #expect(run.errors.contains("the store is damaged"), "\(run.errors)")
            #expect(run.errors.contains("salvage \(damaged)"), "\(run.errors)")
        }
    }
}
