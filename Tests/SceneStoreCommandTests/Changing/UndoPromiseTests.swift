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
            let run = fixture.run("undo", "--redo", "--yes")
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
        let redo = fixture.run("undo", "--redo", "--yes")
        #expect(redo.status == .answeredNo)
        #expect(redo.errors.contains(" is gone"), "\(redo.errors)")
    }

    @Test("R-07 what was set aside stays for as long as an undo needs it")
    func manyRestores() throws {
        let fixture = try EditedFixture()
        let copies = ["with.sqlite", "without.sqlite"].map { fixture.file($0) }
        #expect(fixture.run("backup", "-o", copies[0]).status == .done)
        #expect(fixture.run("discard", "letter", "--yes", "--no-backup").status == .done)
        #expect(fixture.run("backup", "-o", copies[1]).status == .done)
        var exports = [fixture.run("export").output]
        for number in 0..<14 {
            fixture.clock.advance(.seconds(1))
            #expect(fixture.run("restore", copies[number % 2], "--yes").status == .done)
            exports.append(fixture.run("export").output)
        }
        for number in (0..<14).reversed() {
            fixture.clock.advance(.seconds(1))
            let run = fixture.run("undo", "--yes")
            #expect(run.status == .done, "\(number): \(run.errors)")
            #expect(fixture.run("export").output == exports[number])
        }
    }

    @Test("R-07 undo and redo of a store that is owned and has nothing to undo say so")
    func owned() throws {
        let fixture = try EditedFixture()
        let app = try fixture.open(.owner)
        #expect(fixture.run("undo", "1", "--redo", "--yes").status == .usage)
        for (verb, words) in [("undo", ["undo"]), ("redo", ["undo", "--redo"])] {
            let run = fixture.run(words + ["--yes"])
            #expect(run.status == .done)
            #expect(run.errors == "nothing to \(verb)\n")
        }
        #expect(fixture.run("hold", "draft", "--yes").errors.contains("held already"))
        #expect(fixture.run("hold", "letter", "--yes").status == .busy)
        try app.close()
    }

    /// Each command that changes a store, with something to do.
    static let changes: [[String]] = [
        ["hold", "letter"], ["hold", "letter", "--no-backup"], ["discard", "letter"], ["reset"],
        ["restore", "COPY"], ["simulate", "SCENARIO", "--in-place"],
    ]

    @Test("R-07 what can't be noted as an operation is not done", arguments: changes)
    func unnoted(_ line: [String]) throws {
        let fixture = try EditedFixture()
        try Data("launch\nnew-scene\nquit\n".utf8).write(
            to: URL(filePath: fixture.file("a.scenario")))
        #expect(fixture.run("backup", "-o", fixture.file("copy.sqlite")).status == .done)
        // A file in the place of the folder: nothing can be written into it.
        try Data().write(to: URL(filePath: fixture.path + "/operations"))
        let before = fixture.run("export").output
        var world = ToolWorld()
        world.clock = fixture.clock
        let run = world.run(
            line.map {
                $0 == "COPY"
                    ? fixture.file("copy.sqlite")
                    : $0 == "SCENARIO" ? fixture.file("a.scenario") : $0
            } + ["--yes", "--store", fixture.path])
        #expect(run.status == .usage, "\(run.errors)")
        #expect(run.output.isEmpty, "\(run.output)")
        // What looks at the container first names the file; the others say what they could not note.
        let isNamed = run.errors.contains("'\(fixture.path)/operations' is not a folder")
        let isSaid = run.errors.contains("nothing was changed: 'undo' would not know")
        #expect(isNamed || isSaid, "\(run.errors)")
        #expect(fixture.run("export").output == before)
    }

    private func record(_ number: Int, in fixture: EditedFixture) throws -> [String: Any] {
        let file = URL(filePath: "\(fixture.path)/operations/00000\(number).json")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        return try #require(object as? [String: Any])
    }

    private func write(_ record: [String: Any], _ number: Int, in fixture: EditedFixture) throws {
        try JSONSerialization.data(withJSONObject: record)
            .write(to: URL(filePath: "\(fixture.path)/operations/00000\(number).json"))
    }

    /// Makes an operation's record what it was before the operation was done.
    private func makeUnfinished(_ number: Int, in fixture: EditedFixture) throws {
        var record = try record(number, in: fixture)
        record["pending"] = true
        record["markAfter"] = ""
        record["sessionMarks"] = [String]()
        if ["restore", "repair"].contains(record["command"] as? String) {
            // They begin before they know under which name the old store is set aside.
            record["before"] = NSNull()
        }
        try write(record, number, in: fixture)
    }

    /// What an app does that is launched, uses a window, and quits.
    private static func use(_ window: String, in fixture: EditedFixture) throws {
        let app = try fixture.open(.owner)
        _ = try app.launches.begin(LaunchContext(bootIdentifier: "boot", processIdentifier: 43))
        let record = try #require(try app.record(identifier: window))
        try app.values.setTitle("Used since", key: record.key)
        try app.launches.end(.quit)
        try app.close()
    }

    @Test("R-07 what an app does while a command asks is no part of an earlier operation")
    func usedDuringQuestion() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("hold", "letter", "--yes").status == .done)
        var world = ToolWorld()
        world.clock = fixture.clock
        world.answers = ["y"]
        (world.terminal.isInputTerminal, world.terminal.isErrorTerminal) = (true, true)
        world.whenAsked = {
            #expect(throws: Never.self) { try Self.use("blank-session", in: fixture) }
        }
        let run = world.run("discard", "draft", "--store", fixture.path)
        #expect(run.status == .done, "\(run.errors)")
        for _ in 1...2 {
            let undo = fixture.run("undo", "--yes")
            #expect(undo.status == .done, "\(undo.errors)")
            #expect(fixture.run("export").output.contains("Used since"))
        }
    }

    @Test(
        "R-07 undo replaces no store that changed while it made its copy",
        arguments: [["hold", "letter"], ["restore", "COPY"]])
    func changedDuringUndo(_ line: [String]) throws {
        nonisolated(unsafe) let fixture = try EditedFixture()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        #expect(
            fixture.run(line.map { $0 == "COPY" ? copy : $0 } + ["--yes"]).status == .done)
        var world = ToolWorld()
        world.clock = fixture.clock
        world.whenNoted = { text in
            if text.hasPrefix("backup: ") {
                #expect(throws: Never.self) { try Self.use("blank-session", in: fixture) }
            }
        }
        let run = world.run("undo", "--yes", "--store", fixture.path)
        #expect(run.status == .busy, "\(run.errors)")
        #expect(run.errors.contains("the store changed; run the command again"), "\(run.errors)")
        #expect(fixture.run("export").output.contains("Used since"))
        #expect(try fixture.run("operations", "--json").objects().first?.text("state") == "done")
    }

    @Test(
        "R-07 an undo and a redo that were killed at their end keep the way back",
        arguments: [["discard", "letter"], ["restore", "COPY"]])
    func killedTurns(_ line: [String]) throws {
        let fixture = try EditedFixture()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        try Self.use("blank-session", in: fixture)
        let before = fixture.run("export").output
        #expect(
            fixture.run(line.map { $0 == "COPY" ? copy : $0 } + ["--yes"]).status == .done)
        let after = fixture.run("export").output
        var killed = try record(1, in: fixture)
        #expect(fixture.run("undo", "--yes").status == .done)
        let undone = try record(1, in: fixture)
        (killed["pending"], killed["after"]) = (true, undone["after"])
        try write(killed, 1, in: fixture)
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(fixture.run("export").output == before)
        killed = try record(1, in: fixture)
        #expect(fixture.run("undo", "--redo", "--yes").status == .done)
        #expect(fixture.run("export").output == after)
        killed["pending"] = true
        try write(killed, 1, in: fixture)
        #expect(fixture.run("undo", "--redo", "--yes").status == .done)
        #expect(fixture.run("export").output == after)
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(fixture.run("export").output == before)
    }

    @Test("R-07 a redo that was killed at its beginning leaves an earlier operation alone")
    func killedRedo() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("hold", "letter", "--yes").status == .done)
        #expect(fixture.run("discard", "draft", "--yes").status == .done)
        #expect(fixture.run("undo", "--yes").status == .done)
        var killed = try record(2, in: fixture)
        killed["pending"] = true
        try write(killed, 2, in: fixture)
        #expect(fixture.run("undo", "--redo", "--yes").status == .done)
        #expect(fixture.run("undo", "1", "--yes").status == .done)
        let sessions = fixture.run("sessions").output
        #expect(!sessions.contains("draft-session") && !sessions.contains("held"), "\(sessions)")
    }

    @Test("R-07 a restore that was killed before it noted the old store's name is undone")
    func killedRestore() throws {
        let fixture = try EditedFixture()
        let copy = fixture.file("copy.sqlite")
        #expect(fixture.run("backup", "-o", copy).status == .done)
        #expect(fixture.run("discard", "letter", "--yes", "--no-backup").status == .done)
        let before = fixture.run("export").output
        fixture.clock.advance(.seconds(1))
        #expect(fixture.run("restore", copy, "--yes").status == .done)
        let after = fixture.run("export").output
        try makeUnfinished(2, in: fixture)
        let run = fixture.run("doctor")
        #expect(run.output.contains("in quarantine for 'scenestore undo --store"), "\(run.output)")
        let undo = fixture.run("undo", "--yes")
        #expect(undo.status == .done, "\(undo.errors)")
        #expect(fixture.run("export").output == before)
        #expect(fixture.run("undo", "--redo", "--yes").status == .done)
        #expect(fixture.run("export").output == after)
    }

    @Test("R-07 a repair that was killed at its end is undone, and not over a later launch")
    func killedRepair() throws {
        for isUsed in [false, true] {
            let fixture = try EditedFixture()
            try fixture.sqlite(
                "UPDATE state SET saved_at = 4000000000000 WHERE id IN (SELECT min(id) FROM state)")
            let damaged = fixture.files["scenes.sqlite"]
            #expect(fixture.run("repair", "--yes").status == .done)
            #expect(fixture.files["scenes.sqlite"] != damaged)
            try makeUnfinished(1, in: fixture)
            if isUsed {
                try Self.use("blank-session", in: fixture)
            }
            let undo = fixture.run("undo", "--yes")
            #expect(undo.status == (isUsed ? .answeredNo : .done), "\(undo.errors)")
            #expect((fixture.files["scenes.sqlite"] == damaged) == !isUsed)
        }
    }

    @Test("R-25 absurd numbers in the list of operations stop no command")
    func absurdNumbers() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("hold", "letter", "--yes").status == .done)
        var first = try record(1, in: fixture)
        first["undo"] = Int64.max
        try write(first, 1, in: fixture)
        first["operation"] = Int64.max
        try JSONSerialization.data(withJSONObject: first)
            .write(to: URL(filePath: "\(fixture.path)/operations/\(Int64.max).json"))
        #expect(fixture.run("hold", "blank", "--yes").status == .done)
        #expect(fixture.run("undo", "--yes").status == .done)
        let listed = try fixture.run("operations", "--json").objects()
        #expect(listed.map { $0["operation"]?.integerValue } == [2, 1])
    }

    @Test("R-07 an operation that was not noted as done is undone and redone")
    func unfinished() throws {
        let fixture = try EditedFixture()
        let before = fixture.run("export").output
        #expect(fixture.run("discard", "letter", "--yes").status == .done)
        let after = fixture.run("export").output
        try makeUnfinished(1, in: fixture)
        let listed = fixture.run("operations", "--json")
        #expect(try listed.objects().map { $0.text("state") } == ["unfinished"])
        let undo = fixture.run("undo", "--yes")
        #expect(undo.status == .done, "\(undo.errors)")
        #expect(undo.errors.contains("it did not finish"), "\(undo.errors)")
        #expect(fixture.run("export").output == before)
        #expect(fixture.run("undo", "--redo", "--yes").status == .done)
        #expect(fixture.run("export").output == after)
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(fixture.run("export").output == before)
    }

    @Test("R-07 an operation that was not noted as done is not undone over a later launch")
    func unfinishedAndLaunched() throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("reset", "--yes").status == .done)
        try makeUnfinished(1, in: fixture)
        let app = try fixture.open(.owner)
        _ = try app.launches.begin(
            LaunchContext(bootIdentifier: "boot", processIdentifier: 43))
        try app.close()
        let run = fixture.run("undo", "--yes")
        #expect(run.status == .answeredNo)
        #expect(run.errors.contains("'scenestore restore "), "\(run.errors)")
    }

    @Test("R-07 a scenario that breaks off in the middle can be undone")
    func brokenScenario() throws {
        let fixture = try EditedFixture()
        let before = fixture.run("export").output
        let file = fixture.file("a.scenario")
        try Data("launch\nnew-scene\nnonsense\n".utf8).write(to: URL(filePath: file))
        let good = fixture.file("good.scenario")
        try Data("launch\nnew-scene\nquit\n".utf8).write(to: URL(filePath: good))
        #expect(fixture.run("simulate", good, file, "--in-place", "--yes").status == .usage)
        #expect(fixture.run("export").output != before)
        #expect(fixture.run("undo", "--yes").status == .done)
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
