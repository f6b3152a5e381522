import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("repair and salvage")
struct RepairCommandTests {
    @Test("S-61 doctor --full finds a sound store sound, and ends with 5 when it is damaged")
    func full() throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        #expect(fixture.run("doctor", "--full").isSound)
        #expect(fixture.files == before)
        try fixture.damage()
        #expect(fixture.run("doctor").status == .damaged)
    }

    @Test("S-61 repair leaves a sound store alone and mends a damaged one")
    func repair() throws {
        let fixture = try EditedFixture()
        let expected = try fixture.read { try $0.export() }
        let before = fixture.files
        #expect(fixture.run("repair", "--yes").output == "nothing to repair\n")
        #expect(fixture.files == before)
        try fixture.damage()
        let broken = fixture.files
        #expect(fixture.run("repair").status == .needsConfirmation)
        #expect(fixture.run("repair", "--dry-run").output == "would rebuild the store\n")
        #expect(fixture.files == broken)
        let run = fixture.run("repair", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.hasPrefix("3 of 3 open sessions: 3 as they were; 0 recently closed\n"))
        #expect(try fixture.read { try $0.export() } == expected)
        let after = fixture.files
        #expect(fixture.run("repair", "--yes").output == "nothing to repair\n")
        #expect(fixture.files == after)
    }

    @Test("S-61 repair and checkout --lost name each window, which state it has, and of when it is")
    func namedWindows() throws {
        let fixture = try EditedFixture()
        var keys: [Int64] = []
        let store = try fixture.open()
        for name in ["blank", "draft", "letter"] {
            let key = try #require(try store.record(identifier: "\(name)-session")).key
            try store.values.setTitle("My \(name)", key: key)
            keys.append(key)
        }
        let states = try store.history.versions(key: keys[2])
        let activity = try UserActivity(activityType: "com.example.blank")
        try store.save(
            [StateToSave(key: keys[0], activity: activity)],
            context: SaveContext(appVersion: "1", savedAt: fixture.clock.clock.now()))
        try store.close()
        try fixture.sqlite(
            "UPDATE state SET saved_at = saved_at + 1 WHERE id IN (SELECT state_id FROM session "
                + "WHERE identifier <> 'blank-session')")
        let last = TimeText.iso8601(fixture.clock.clock.now())
        let earlier = TimeText.iso8601(states[1].context.savedAt)
        var world = ToolWorld()
        world.clock = fixture.clock
        let copy = fixture.file("copy.sqlite")
        try FileManager.default.copyItem(atPath: fixture.path + "/scenes.sqlite", toPath: copy)
        let json = try #require(
            try fixture.run("salvage", copy, "-o", fixture.file("a"), "--json").objects().first)
        let sessions = json["sessions"]?.arrayValue?.compactMap(\.objectValue) ?? []
        #expect(
            sessions.map { $0.text("session") } == [
                "blank-session", "letter-session", "draft-session",
            ])
        #expect(
            sessions.map { $0.text("outcome") } == ["restored", "older-state", "without-state"])
        #expect(sessions.map { $0["saved"] } == [.string(last), .string(earlier), .null])
        world.terminal.isOutputTerminal = true
        let repair = world.run("repair", "--yes", "--store", fixture.path)
        for (name, text) in [
            ("blank", "restored  blank-session  \"My blank\"  its last state, saved at "),
            (
                "draft",
                "without-state  draft-session  \"My draft\"  none of its states could be read; it comes "
                    + "back empty"
            ),
            ("letter", "older-state  letter-session  \"My letter\"  an earlier state, saved at "),
        ] {
            #expect(repair.lines.contains { $0.hasPrefix(text) }, "\(name): \(repair.output)")
        }
        #expect(fixture.run("release", "draft-session", "--yes").status == .done)
        let checkout = fixture.run("checkout", "--lost", "--yes")
        #expect(
            checkout.lines.first
                == "checked out generation \(states[1].generation), saved at \(earlier), of letter-session",
            "\(checkout.output)")
    }

    @Test("S-61 repair lists windows that are as they were only if they are few")
    func manyWindows() throws {
        for count in [20, 21] {
            let fixture = try EditedFixture()
            let store = try fixture.open()
            for number in 3..<count {
                _ = try store.insertSession(
                    identifier: "window-\(number)",
                    configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
            }
            try store.close()
            try fixture.damage()
            let run = fixture.run("repair", "--yes")
            let isFew = count == 20
            #expect(run.lines.count { $0.hasPrefix("restored  ") } == (isFew ? 20 : 0))
            #expect(run.errors.contains("lists those that are as they were") != isFew)
        }
    }

    @Test("S-44 SS006 of a file that is cut off, doctor and repair say which windows are in it")
    func cutOff() throws {
        let fixture = try EditedFixture()
        let store = URL(filePath: fixture.path + "/scenes.sqlite")
        let bytes = try Data(contentsOf: store)
        let rest = bytes.count - 5_000
        try bytes.prefix(rest).write(to: store)
        let sizes = "it has \(NumberText.grouped(rest)) of \(NumberText.grouped(bytes.count)) bytes"
        for path in [fixture.path, fixture.file("loose.sqlite")] {
            if path != fixture.path {
                try FileManager.default.copyItem(atPath: store.path, toPath: path)
            }
            let doctor = ToolWorld().run("doctor", "--store", path)
            #expect(doctor.status == .damaged)
            let first = try #require(doctor.lines.first { $0.hasPrefix("✗") })
            #expect(first.hasPrefix("✗ SS006 the file is cut off: \(sizes) ("), "\(doctor.output)")
            #expect(first.contains("; a salvage finds 3 of 3 open sessions: "), "\(first)")
        }
        let plan = fixture.run("repair", "--dry-run")
        #expect(
            plan.errors.contains("from the file alone: 3 of 3 open sessions: "), "\(plan.errors)")
        let windows = plan.errors.components(separatedBy: "from the file alone: ").last ?? ""
        let run = fixture.run("repair", "--yes")
        #expect(
            run.output.hasPrefix(windows.trimmingCharacters(in: .newlines) + "; "), "\(run.output)")
    }

    @Test("S-61 repair ends with 5 when something is left that it can't mend")
    func leftover() throws {
        let fixture = try EditedFixture()
        var options = SceneSessionStore.Options.seeded()
        options.clock = { 8_640_000_000_001_000_000 }
        let store = try SceneSessionStore.open(at: .directory(fixture.path), options: options)
        _ = try store.insertSession(
            identifier: "in-no-calendar",
            configuration: SceneConfiguration(name: "Editor", role: .windowApplication))
        try store.close()
        #expect(fixture.run("repair", "--yes").status == .damaged)
    }

    @Test("R-64 S-11 salvage ends with 1 when a session is lost, and with 0 when none is")
    func lossy() throws {
        for isLost in [false, true] {
            let fixture = try EditedFixture()
            let file = fixture.path + "/scenes.sqlite"
            var bytes = try Data(contentsOf: URL(filePath: file))
            let needle = Data("blank-session".utf8)
            var place = bytes.range(of: needle)
            while isLost, let found = place {
                // Its rows fail their sums, in the table and in every index.
                bytes[found.lowerBound] ^= 1
                place = bytes.range(of: needle)
            }
            let copy = fixture.file("copy.sqlite")
            try bytes.write(to: URL(filePath: copy))
            let run = fixture.run("salvage", copy, "-o", fixture.file("rescued"))
            #expect(run.status == (isLost ? .answeredNo : .done), "\(run.errors)")
        }
    }

    @Test("R-24 R-28 salvage builds a new store beside the damaged one")
    func salvage() throws {
        let fixture = try EditedFixture()
        let expected = try fixture.read { try $0.export() }
        try fixture.damage()
        let before = fixture.files
        let file = fixture.path + "/scenes.sqlite"
        let target = fixture.file("rescued")
        let run = fixture.run("salvage", file, "-o", target)
        #expect(run.status == .done, "\(run.errors)")
        #expect(fixture.files == before)
        let found = ToolWorld().run("export", "--store", target)
        #expect(Array(found.output.utf8) == expected)
        #expect(fixture.run("salvage", file, "-o", target).status == .usage)
        #expect(fixture.run("salvage", file).status == .usage)
        #expect(fixture.run("salvage", fixture.file("nothing"), "-o", target).status == .usage)
        try Data(repeating: 7, count: 9_000).write(to: URL(filePath: fixture.file("junk")))
        let junk = fixture.run("salvage", fixture.file("junk"), "-o", fixture.file("other"))
        #expect(junk.status == .usage)
        var interrupted = ToolWorld()
        interrupted.isInterrupted = { true }
        let stopped = interrupted.run("salvage", file, "-o", fixture.file("stopped"))
        #expect(stopped.status == .interrupted)
        #expect(!FileManager.default.fileExists(atPath: fixture.file("stopped")))
        let json = fixture.run("salvage", file, "-o", fixture.file("third"), "--json")
        #expect(try json.objects().first?["openSessions"]?.integerValue == 3)
    }

    @Test("R-24 S-40 salvage says which of the backups that it was given can't help")
    func backups() throws {
        let (fixture, other) = (try EditedFixture(), try EditedFixture(seed: 2))
        for (store, name) in [(fixture, "own.sqlite"), (other, "other.sqlite")] {
            #expect(store.run("backup", "-o", fixture.file(name)).status == .done)
        }
        try Data(repeating: 7, count: 9_000).write(to: URL(filePath: fixture.file("junk.sqlite")))
        try fixture.damage()
        let words = ["salvage", fixture.path + "/scenes.sqlite", "-o"]
        for name in ["mistyped.sqlite", "junk.sqlite"] {
            let target = fixture.file("refused")
            let run = fixture.run(
                words + [
                    target, "--backup", fixture.file("own.sqlite"), "--backup", fixture.file(name),
                ])
            #expect(run.status == .usage)
            #expect(run.errors.contains(name), "\(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
        for (name, isTold) in [("own.sqlite", false), ("other.sqlite", true)] {
            let run = fixture.run(
                words + [fixture.file("of-" + name), "--backup", fixture.file(name)])
            #expect(run.status == .done)
            #expect(run.errors.contains("1 backup of another store") == isTold, "\(run.errors)")
        }
    }
}
