import Foundation
import SceneStore
import Testing

@testable import SceneStoreCommand

/// The session that a process was restoring when it died, through copies and undone changes.
@Suite("blame through copies and undo")
struct BlameTests {
    /// Two windows; the last process died while it restored the first.
    private func died() throws -> Fixture {
        let fixture = try Fixture(
            """
            delegate provider=Editor
            manifest many.plist
            launch
            state A com.example.edit n:i=1
            background A
            foreground A
            new-scene
            state B com.example.edit n:i=2
            background B
            foreground B
            wait 20s
            quit
            kill during=restore:A
            launch

            """)
        #expect(try restorations(fixture.run("plan", "--json")) == ["available", "withheld"])
        return fixture
    }

    /// What the next launch gives the windows, the one that is in front first.
    private func restorations(_ run: ToolRun) throws -> [String] {
        try run.objects().filter { $0.text("step") == "connect" }
            .compactMap { $0.text("restoration") }
    }

    @Test("L-52 a copy of a store withholds what the store withholds")
    func copies() throws {
        let fixture = try died()
        let copy = fixture.path + "-copy.sqlite"
        #expect(fixture.run("backup", "-o", copy).status == .done)
        let plan = ToolWorld().run("plan", "--json", "--store", copy)
        #expect(try restorations(plan) == ["available", "withheld"])
        let scenario = try fixture.file("more.scenario", "launch\nexpect-withheld A\n")
        let played = fixture.run("simulate", scenario)
        #expect(played.status == .done, "\(played.output)\(played.errors)")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: fixture.path)
        #expect(try restorations(fixture.run("plan", "--json")) == ["available", "withheld"])
    }

    @Test(
        "L-52 undo brings back whom the next launch blames",
        arguments: [
            ["discard", "A"], ["forget", "A"], ["hold", "B"], ["restore", "COPY"], ["reset"],
            ["import", "EXPORT", "--conflict", "replace"],
        ])
    func undone(_ line: [String]) throws {
        let fixture = try died()
        let copy = fixture.path + "-copy.sqlite"
        let export = fixture.path + ".ndjson"
        #expect(fixture.run("export", "-o", export).status == .done)
        let other = try Fixture("manifest many.plist\nlaunch\nquit\n")
        #expect(other.run("backup", "-o", copy).status == .done)
        let words = line.map { word in
            ["A": Fixture.a, "B": Fixture.b, "COPY": copy, "EXPORT": export][word] ?? word
        }
        let done = ToolWorld().run(words + ["--yes", "--store", fixture.path])
        #expect(done.status == .done, "\(done.errors)")
        let after = try restorations(fixture.run("plan", "--json"))
        let undone = fixture.run("undo", "--yes")
        #expect(undone.status == .done, "\(undone.errors)")
        #expect(try restorations(fixture.run("plan", "--json")) == ["available", "withheld"])
        #expect(fixture.run("undo", "--redo", "--yes").status == .done)
        #expect(try restorations(fixture.run("plan", "--json")) == after)
        #expect(fixture.run("undo", "--yes").status == .done)
        #expect(try restorations(fixture.run("plan", "--json")) == ["available", "withheld"])
        #expect(fixture.run("doctor", "--full").isSound)
    }

    @Test("L-52 a store that is salvaged or repaired withholds what the store withholds")
    func salvaged() throws {
        let fixture = try died()
        let made = fixture.path + "-salvaged"
        let salvage = fixture.run("salvage", fixture.path + "/scenes.sqlite", "-o", made)
        #expect(salvage.status == .done, "\(salvage.errors)")
        let plan = ToolWorld().run("plan", "--json", "--store", made)
        #expect(try restorations(plan) == ["available", "withheld"])
        // A flag of the schema that is no longer as it was made: the rows are all there.
        try ForeignTool.run(
            "UPDATE state SET saved_at = saved_at + 1 WHERE id = (SELECT min(id) FROM state)",
            on: fixture.path + "/scenes.sqlite")
        let repaired = fixture.run("repair", "--yes")
        #expect(repaired.output.contains("open sessions"), "\(repaired.errors)")
        #expect(
            try fixture.run("plan", "--json").objects().contains {
                $0.text("session") == Fixture.a && $0.text("restoration") == "withheld"
            }, "\(fixture.run("plan").output)")
    }

    @Test("L-52 a discard that is undone beside a later change brings the blame back, too")
    func besideLater() throws {
        let fixture = try died()
        #expect(fixture.run("discard", Fixture.a, "--yes").status == .done)
        #expect(fixture.run("hold", Fixture.b, "--yes").status == .done)
        let undone = fixture.run("undo", "1", "--yes")
        #expect(undone.status == .done, "\(undone.errors)")
        #expect(try restorations(fixture.run("plan", "--json")) == ["withheld"])
    }
}
