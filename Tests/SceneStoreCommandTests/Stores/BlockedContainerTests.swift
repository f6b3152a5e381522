import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand

/// Containers whose files are in the way, can't be written or are another user's.
@Suite("Containers that commands can't write")
struct BlockedContainerTests {
    private func codes(_ run: ToolRun) throws -> [String] {
        try run.objects().filter { $0.text("severity") != "ok" }.compactMap { $0.text("code") }
    }

    @Test("R-07 an output takes the name of none of the container's folders")
    func outputs() throws {
        for words in [
            ["report", "-o"], ["export", "-o"], ["support", "-o"], ["backup", "-o"],
        ] {
            for name in ["backups", "operations", "quarantine"] {
                let fixture = try EditedFixture()
                let before = fixture.files
                let run = ToolWorld().run(
                    words + ["\(fixture.path)/\(name)", "--store", fixture.path])
                #expect(run.status == .usage, "\(words) \(name): \(run.errors)")
                #expect(run.errors.contains("one of the store's own files or folders"))
                #expect(fixture.files == before)
            }
        }
    }

    @Test("SS033 a file in the place of a folder is found, and named by what can't write")
    func blockedFolder() throws {
        for name in ["backups", "operations", "quarantine"] {
            let fixture = try EditedFixture()
            let place = "\(fixture.path)/\(name)"
            try Data("x".utf8).write(to: URL(filePath: place))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: place)
            let doctor = fixture.run("doctor", "--json")
            #expect(doctor.status == .answeredNo)
            #expect(try codes(doctor) == ["SS033"], "\(doctor.output)")
            let run = fixture.run("discard", "letter-session", "--yes")
            #expect(run.status == .usage)
            #expect(run.errors.contains("'\(place)' is not a folder"), "\(run.errors)")
            #expect(run.errors.contains("move it elsewhere"))
        }
    }

    @Test(
        "SS034 a store whose mode lets nobody write it is found, and --fix changes the mode",
        arguments: ["", "/scenes.sqlite"])
    func unwritable(_ name: String) throws {
        let fixture = try EditedFixture()
        try FileManager.default.setAttributes(
            [.posixPermissions: name.isEmpty ? 0o500 : 0o400],
            ofItemAtPath: fixture.path + name)
        let doctor = fixture.run("doctor", "--json")
        #expect(doctor.status == .answeredNo)
        #expect(try codes(doctor) == ["SS034"], "\(doctor.output)")
        if geteuid() != 0 {
            let run = fixture.run("discard", "letter-session", "--yes")
            #expect(run.status == .usage)
            #expect(run.errors.contains("can't write '\(fixture.path)\(name)'"), "\(run.errors)")
            #expect(run.errors.contains("doctor --fix"))
        }
        let fixed = fixture.run("doctor", "--fix", "--yes")
        #expect(fixed.status == .done, "\(fixed.errors)")
        #expect(fixture.run("discard", "letter-session", "--yes").status == .done)
    }

    @Test("S-44 SS034 a volume without a free file entry is found, and what writes says diskFull")
    func noEntries() throws {
        let fixture = try EditedFixture()
        let before = fixture.files
        func run(_ words: String..., free: Int, of all: Int) -> ToolRun {
            var world = ToolWorld()
            world.clock = fixture.clock
            world.room = VolumeRoom(freeEntries: free, entries: all, freeBytes: 62 << 20)
            return world.run(words + ["--store", fixture.path])
        }
        #expect(VolumeRoom(of: fixture.path)?.entries != nil)
        let doctor = run("doctor", free: 0, of: 400)
        #expect(doctor.status == .answeredNo)
        #expect(
            doctor.output.contains(
                "✗ SS034 no new file can be made: all 400 file entries (inodes) of the volume"),
            "\(doctor.output)")
        let hold = run("hold", "letter-session", "--yes", free: 0, of: 400)
        #expect(hold.status == .usage && hold.errors.contains("diskFull: no new file"))
        #expect(hold.errors.contains("df -i") && !hold.errors.contains("repair"))
        #expect(fixture.files == before)
        // One is enough for none of the findings, and some volumes count none.
        for (free, all) in [(1, 400), (0, 0)] {
            #expect(run("doctor", free: free, of: all).status == .done)
        }
    }

    @Test("SS001 a folder of it that others may write into is named, and --fix closes it")
    func openFolder() throws {
        let fixture = try EditedFixture()
        let place = fixture.path + "/quarantine"
        try #require(mkdir(place, 0o700) == 0 && chmod(place, 0o777) == 0)
        let doctor = fixture.run("doctor")
        #expect(doctor.output.contains("SS001 others may write into quarantine/ in the container"))
        #expect(fixture.run("doctor", "--fix", "--yes").status == .done)
    }

    @Test("SS034 what a mode forbids this user to read is found, and --fix allows it")
    func unreadable() async {
        await #expect(processExitsWith: .success) {
            // The superuser may read every file.
            if geteuid() == 0 {
                try #require(setuid(65_534) == 0)
            }
            // The folder of the test's own user may be closed to the one that it is now.
            setenv("TMPDIR", "/tmp", 1)
            let first = try EditedFixture()
            let umlauts = first.file("Büüücher")
            try FileManager.default.moveItem(atPath: first.path, toPath: umlauts)
            try #require(chmod(umlauts + "/scenes.sqlite", 0o200) == 0)
            let found = ToolWorld().run("doctor", "--store", umlauts).output
            #expect(found.contains("SS034 this user can't read and write scenes.sqlite"))
            for name in ["owner.lock", "backups", "quarantine", "operations", "scenes.sqlite"] {
                let fixture = try EditedFixture()
                let place = "\(fixture.path)/\(name)"
                mkdir(place, 0o700)
                try #require(chmod(place, name == "scenes.sqlite" ? 0o200 : 0) == 0)
                let doctor = fixture.run("doctor")
                #expect(doctor.status == .answeredNo, "\(name)")
                #expect(doctor.output.contains("SS034 this user can't read and write \(name)"))
                if name == "owner.lock" {
                    let export = fixture.run("export")
                    #expect(export.errors.contains("can't be opened (using the lock file"))
                }
                let fixed = fixture.run("doctor", "--fix", "--yes")
                #expect(fixed.status == .done, "\(name): \(fixed.errors)\(fixed.output)")
                #expect(fixture.run("discard", "letter-session", "--yes").status == .done)
            }
        }
    }

    @Test(
        "commands that read work on another user's container, with a warning",
        .enabled(if: geteuid() == 0))
    func otherUser() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("hold", "letter-session", "--yes").status == .done)
        for name in [""] + fixture.files.keys.map({ "/" + $0 }) + ["/backups", "/operations"] {
            chown(fixture.path + name, 65_534, 65_534)
        }
        let zip = fixture.file("support.zip")
        let support = fixture.run("support", "-o", zip)
        #expect(support.status == .done, "\(support.errors)")
        #expect(FileManager.default.fileExists(atPath: zip))
        let operations = fixture.run("operations")
        #expect(operations.status == .done, "\(operations.errors)")
        #expect(operations.output.contains("hold"))
        #expect(operations.errors.contains("warning: the container belongs to another user"))
        let doctor = fixture.run("doctor")
        #expect(doctor.output.contains("chown -R USER"), "\(doctor.output)")
        // What is written there is refused as before.
        #expect(fixture.run("release", "letter-session", "--yes").status == .usage)
        let inside = fixture.run("support", "-o", "\(fixture.path)/scenes.sqlite", "--force")
        #expect(inside.status == .usage, "\(inside.errors)")
    }
}
