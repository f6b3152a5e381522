import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreRecovery
import Testing

@testable import SceneStoreCommand

/// What each change promises: undo takes it back, for twenty changes and 30 days.
@Suite("the promise of undo")
struct UndoPromiseTests {
    @Test("R-07 undoing reaches back as far as was promised, and redoing as far forth")
    func walkingBack() throws {
        let fixture = try EditedFixture()
        var exports = [fixture.run("export").output]
        for number in 0..<24 {
            let verb = number.isMultiple(of: 2) ? "hold" : "release"
            fixture.clock.advance(.seconds(1))
            #expect(fixture.run(verb, "letter", "--yes").status == .done)
            exports.append(fixture.run("export").output)
        }
        for step in 1...StoreBackup.commandCapacity {
            fixture.clock.advance(.seconds(1))
            let run = fixture.run("undo", "--yes")
            #expect(run.status == .done, "\(step): \(run.errors)")
            #expect(fixture.run("export").output == exports[24 - step])
        }
        #expect(fixture.run("undo", "--yes").status == .answeredNo)
        for step in 1...StoreBackup.commandCapacity {
            fixture.clock.advance(.seconds(1))
            let run = fixture.run("redo", "--yes")
            #expect(run.status == .done, "\(step): \(run.errors)")
        }
        #expect(fixture.run("export").output == exports[24])
        #expect(fixture.backups.count <= StoreBackup.commandCapacity + 3)
        // An operation whose store is gone says so.
        let listed = try fixture.run("operations", "--json").objects()
        #expect(listed.count { $0.text("before") == nil } == 4)
        #expect(listed.last?.text("before") == nil)
    }

    @Test("the hint to undo later changes first is given only while that can be done")
    func laterOnesFirst() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("hold", "letter", "--yes").status == .done)
        #expect(fixture.run("discard", "letter", "--yes", "--no-backup").status == .done)
        let run = fixture.run("undo", "1", "--yes")
        #expect(run.status == .answeredNo)
        #expect(!run.errors.contains("undo the later ones first"), "\(run.errors)")
        #expect(run.errors.contains("'scenestore release letter-session --store \(fixture.path)'"))
    }

    @Test("doctor advises to remove nothing that an undo needs")
    func quarantine() throws {
        let fixture = try EditedFixture()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        #expect(fixture.run("discard", "letter", "--yes", "--no-backup").status == .done)
        #expect(fixture.run("restore", copy, "--yes").status == .done)
        let run = fixture.run("doctor")
        #expect(!run.output.contains("SS016"), "\(run.output)")
        #expect(run.output.contains("in quarantine for 'scenestore undo --store"), "\(run.output)")
        #expect(fixture.run("undo", "--yes").status == .done)
        try FileManager.default.removeItem(atPath: fixture.path + "/backups")
        let redo = fixture.run("redo", "--yes")
        #expect(redo.status == .answeredNo)
        #expect(redo.errors.contains(" is gone"), "\(redo.errors)")
    }

    @Test("undo and redo of a store that is owned and has nothing to undo say so")
    func owned() throws {
        let fixture = try EditedFixture()
        let app = try fixture.open(.owner)
        for verb in ["undo", "redo"] {
            let run = fixture.run(verb, "--yes")
            #expect(run.status == .done)
            #expect(run.errors == "nothing to \(verb)\n")
        }
        #expect(fixture.run("hold", "draft", "--yes").errors.contains("held already"))
        #expect(fixture.run("hold", "letter", "--yes").status == .busy)
        try app.close()
    }

    @Test("a change that can't be noted says that it is done, and what takes it back")
    func unnoted() throws {
        let fixture = try EditedFixture()
        // A file in the place of the folder: nothing can be written into it.
        try Data().write(to: URL(filePath: fixture.path + "/operations"))
        let before = fixture.run("export").output
        let run = fixture.run("hold", "letter", "--yes")
        #expect(run.status != .done)
        #expect(run.errors.contains("hold is done, but 'undo' doesn't know of it"), "\(run.errors)")
        let backup = try #require(fixture.backups.first)
        #expect(
            run.errors.contains(
                "hint: 'scenestore restore \(fixture.path)/\(backup) --store \(fixture.path)'"),
            "\(run.errors)")
        let restored = fixture.run("restore", fixture.path + "/" + backup, "--yes")
        #expect(restored.errors.contains("restore is done"), "\(restored.errors)")
        #expect(fixture.run("export").output == before)
    }

    @Test("the question says when there is no way back")
    func question() throws {
        let fixture = try EditedFixture()
        for line in [["reset"], ["forget", "letter"], ["restore", fixture.file("copy.sqlite")]] {
            let copy = fixture.file("copy.sqlite")
            #expect(fixture.run("backup", "-o", copy, "--force").status == .done)
            var world = ToolWorld()
            world.clock = fixture.clock
            let words = line + ["--store", fixture.path]
            #expect(!world.run(words).errors.contains("can't be undone"))
            let final = world.run(words + ["--no-backup"])
            #expect(final.status == .needsConfirmation)
            #expect(final.errors.contains(" This can't be undone."), "\(final.errors)")
        }
        #expect(!fixture.run("compact", "--no-backup").errors.contains("can't be undone"))
        #expect(fixture.run("reset", "--erase").errors.components(separatedBy: "undone").count == 2)
    }
}
