import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("fixture")
struct FixtureCommandTests {
    /// A folder that goes with the test.
    final class Folder {
        let path: String

        init() throws {
            var made = try TemporaryDirectory.make()
            while made.hasSuffix("/") {
                made.removeLast()
            }
            path = made
        }

        deinit { TemporaryDirectory.remove(path) }

        func file(_ name: String) -> String { path + "/" + name }

        func bytes(_ name: String) throws -> Data {
            try Data(contentsOf: URL(filePath: file(name)))
        }
    }

    @Test("make writes a container that other commands read; verify says it is the same")
    func makeAndVerify() throws {
        let folder = try Folder()
        let path = folder.file("three")
        let made = ToolWorld().run("fixture", "make", "--template", "three-windows", "-o", path)
        #expect(made.status == .done, "\(made.errors)")
        let sessions = ToolWorld().run("sessions", "--json", "--store", path)
        #expect(try sessions.objects().count == 3)
        let verified = ToolWorld().run("fixture", "verify", path)
        #expect(verified.status == .done)
        #expect(verified.output == "same     \(path)\n")
    }

    @Test("the same template and seed give the same files, another seed others")
    func deterministic() throws {
        let folder = try Folder()
        for (name, seed) in [("a", "5"), ("b", "5"), ("c", "6")] {
            let run = ToolWorld().run(
                "fixture", "make", "--template", "torn-write", "-o", folder.file(name), "--seed",
                seed)
            #expect(run.status == .done, "\(run.errors)")
        }
        for file in ["scenes.sqlite", "scenes.sqlite-wal", "fixture.json"] {
            #expect(try folder.bytes("a/" + file) == folder.bytes("b/" + file))
        }
        #expect(try folder.bytes("a/scenes.sqlite-wal") != folder.bytes("c/scenes.sqlite-wal"))
    }

    @Test("verify names the first difference and answers no")
    func differs() throws {
        let folder = try Folder()
        let path = folder.file("one")
        _ = ToolWorld().run("fixture", "make", "--template", "first-launch", "-o", path)
        var bytes = try folder.bytes("one/scenes.sqlite")
        bytes[5_000] ^= 1
        try bytes.write(to: URL(filePath: path + "/scenes.sqlite"))
        let run = ToolWorld().run("fixture", "verify", path)
        #expect(run.status == .answeredNo)
        #expect(run.output == "differs  \(path): scenes.sqlite, from byte 5000 on\n")
        let json = ToolWorld().run("fixture", "verify", path, "--json")
        #expect(
            json.output
                == "{\"differences\":[{\"file\":\"scenes.sqlite\",\"offset\":5000}],\"path\":"
                + "\"\(path)\",\"same\":false}\n")
        try FileManager.default.removeItem(atPath: path + "/scenes.sqlite")
        #expect(ToolWorld().run("fixture", "verify", path).output.contains("missing"))
    }

    @Test("a scenario makes a fixture, which is found again by its way from the directory")
    func scenario() throws {
        let folder = try Folder()
        try Data(
            """
            launch
            new-scene
            state * com.example.edit text=hello
            background *
            kill

            """.utf8
        ).write(to: URL(filePath: folder.file("two.scenario")))
        let path = folder.file("fixtures/two")
        let made = ToolWorld().run(
            "fixture", "make", "--scenario", folder.file("two.scenario"), "-o", path, "--json")
        #expect(made.status == .done, "\(made.errors)")
        let label = try String(decoding: folder.bytes("fixtures/two/fixture.json"), as: UTF8.self)
        #expect(label == "{\"scenario\":\"../../two.scenario\"}\n")
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "S-01 \(name)")
        }
        #expect(ToolWorld().run("fixture", "verify", path).status == .done)
        try Data("launch\nkill\n".utf8).write(to: URL(filePath: folder.file("two.scenario")))
        #expect(ToolWorld().run("fixture", "verify", path).status == .answeredNo)
    }

    @Test("a store that is there is left alone without --force")
    func force() throws {
        let folder = try Folder()
        let path = folder.file("one")
        let words = ["fixture", "make", "--template", "first-launch", "-o", path]
        #expect(ToolWorld().run(words).status == .done)
        let before = try folder.bytes("one/scenes.sqlite")
        #expect(ToolWorld().run(words + ["--seed", "2"]).status == .usage)
        #expect(try folder.bytes("one/scenes.sqlite") == before)
        let again = words + ["--seed", "2", "--force"]
        #expect(ToolWorld().run(again).status == .needsConfirmation)
        #expect(ToolWorld().run(again + ["--dry-run"]).output.hasPrefix("would replace 1 session"))
        let planned = try #require(
            try ToolWorld().run(again + ["--dry-run", "--json"]).objects().first)
        #expect(planned.text("action") == "replace" && planned.text("path") == path)
        #expect(planned["done"]?.booleanValue == false)
        #expect(try folder.bytes("one/scenes.sqlite") == before)
        let replaced = ToolWorld().run(again + ["--yes"])
        #expect(replaced.status == .done)
        #expect(replaced.errors.contains("the old store was an unused fixture"))
        #expect(try folder.bytes("one/scenes.sqlite") != before)
        #expect(ToolWorld().run("fixture", "verify", path).status == .done)
        // A fixture can be made again, and is not kept.
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: path + "/quarantine").isEmpty)
    }

    @Test("S-30 --force replaces no store that an app owns: exit 4, and no byte changes")
    func ownedStore() throws {
        let fixture = try EditedFixture()
        let owner = try fixture.open(.owner)
        // Readers of the owner's own process leave marks in the log's index.
        func files() -> [String: Data] { fixture.files.filter { !$0.key.hasSuffix("-shm") } }
        let before = files()
        let words = ["fixture", "make", "--template", "first-launch", "-o", fixture.path]
        for rest in [["--force"], ["--force", "--yes"], ["--force", "--yes", "--wait", "50ms"]] {
            #expect(ToolWorld().run(words + rest).status == .busy, "\(rest)")
        }
        #expect(files() == before)
        try owner.close()
    }

    @Test("S-11 an app's store that a fixture replaces is set aside whole, whoever owned it last")
    func replacedStore() throws {
        let fixture = try EditedFixture()
        // An owner that died with commits in its log: the fixture owes nothing of them.
        let owner = try fixture.open(.owner)
        let key = try #require(try owner.record(identifier: "letter-session")).key
        try owner.marks.setPinned(true, key: key)
        owner.abandon()
        let run = fixture.run(
            "fixture", "make", "--template", "torn-write", "-o", fixture.path, "--force", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(ToolWorld().run("fixture", "verify", fixture.path).status == .done)
        #expect(fixture.run("doctor", "--full").isSound)
        let kept = fixture.files.keys.filter { $0.hasSuffix("-replaced.sqlite") }
        let old = try #require(kept.first)
        let salvaged = fixture.file("salvaged")
        #expect(
            ToolWorld().run("salvage", fixture.path + "/" + old, "-o", salvaged).status == .done)
        #expect(
            try ToolWorld().run("sessions", "--json", "--store", salvaged).objects().count == 3)
    }

    @Test(
        "S-11 a fixture that was used since is set aside before it is replaced, an unused one not",
        arguments: [false, true])
    func usedFixture(_ isUsed: Bool) throws {
        let folder = try Folder()
        let path = folder.file("one")
        let words = ["fixture", "make", "--template", "first-launch", "-o", path]
        #expect(ToolWorld().run(words).status == .done)
        if isUsed {
            let store = try SceneSessionStore.open(at: .directory(path))
            _ = try store.insertSession(
                identifier: "used",
                configuration: SceneConfiguration(name: "A", role: .windowApplication))
            try store.close()
        }
        #expect(ToolWorld().run(words + ["--seed", "2", "--force", "--yes"]).status == .done)
        #expect(ToolWorld().run("fixture", "verify", path).status == .done)
        let kept = try FileManager.default.contentsOfDirectory(atPath: path + "/quarantine")
        #expect(kept.contains { $0.hasSuffix("-replaced.sqlite") } == isUsed)
        #expect(kept.isEmpty != isUsed)
    }

    @Test("a fixture whose scenario is gone is set aside, for nobody can make it again")
    func lostScenario() throws {
        let folder = try Folder()
        let path = folder.file("one")
        let scenario = folder.file("a.scenario")
        try Data("launch\nnew-scene\nkill\n".utf8).write(to: URL(filePath: scenario))
        #expect(
            ToolWorld().run("fixture", "make", "--scenario", scenario, "-o", path).status == .done)
        try FileManager.default.removeItem(atPath: scenario)
        let run = ToolWorld().run(
            "fixture", "make", "--template", "first-launch", "-o", path, "--force", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        let kept = try FileManager.default.contentsOfDirectory(atPath: path + "/quarantine")
        #expect(kept.contains { $0.hasSuffix("-replaced.sqlite") })
    }

    @Test("Ctrl-C ends the making of a fixture with 130 and leaves nothing", arguments: [0, 1, 5])
    func interrupted(_ asked: Int) throws {
        let folder = try Folder()
        let steps = "launch\n" + String(repeating: "new-scene\n", count: 20) + "quit\n"
        try Data(steps.utf8).write(to: URL(filePath: folder.file("many.scenario")))
        let lines = [
            ["--scenario", folder.file("many.scenario")], ["--template", "three-windows"],
        ]
        for words in lines where asked < 2 || words[0] == "--scenario" {
            var world = ToolWorld()
            let countdown = Countdown()
            world.isInterrupted = { countdown.isOver(after: asked) }
            let run = world.run(
                ["fixture", "make", "-o", folder.file("made")] + words)
            guard asked == 0 || words[0] == "--scenario" else {
                continue
            }
            #expect(run.status == .interrupted, "\(words)")
            #expect(run.output.isEmpty && run.errors.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder.file("made")))
        }
    }

    @Test(
        "wrong usage is told",
        arguments: [
            ["make"], ["make", "--template", "first-launch"],
            ["make", "--template", "nothing", "-o", "x"],
            ["make", "--template", "first-launch", "--scenario", "a", "-o", "x"],
            ["make", "--scenario", "/nowhere/a.scenario", "-o", "/nowhere/b"],
            ["verify"], ["verify", "/nowhere"],
        ])
    func usage(_ words: [String]) {
        #expect(ToolWorld().run(["fixture"] + words).status == .usage)
    }
}
