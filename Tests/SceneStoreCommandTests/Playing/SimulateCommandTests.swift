import FoundationEssentials
import SceneStoreTesting
import SceneStore
import Testing

@testable import SceneStoreCommand

@Suite("simulate")
final class SimulateCommandTests {
    private let folder: String

    init() throws {
        folder = try TemporaryDirectory.make()
    }

    deinit {
        TemporaryDirectory.remove(folder)
    }

    private func scenario(_ name: String, _ text: String) throws -> String {
        let path = "\(folder)/\(name).scenario"
        let manifests = URL(filePath: RepositoryFile.path("Tests/Scenarios"))
        let manifest = manifests.appending(path: "many.plist").path(percentEncoded: false)
        try Data("manifest \"\(manifest)\"\ndelegate provider=Editor\n\(text)".utf8).write(
            to: URL(filePath: path))
        return path
    }

    private func simulate(_ file: String, _ words: String...) -> ToolRun {
        ToolWorld().run(["simulate", file] + words)
    }

    @Test("L-52 a refusal after a launch that died while it restored is in the transcript")
    func refusalAfterCrash() throws {
        let file = try scenario(
            "dead",
            """
            launch
            crash restoring=A
            launch
            close A
            close A
            expect-diagnostic requestDenied:A
            wipe
            delegate prefers=~c session=A
            expect-diagnostic missing:A
            """)
        let run = simulate(file)
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.contains("requestDenied"))
    }

    @Test("Ctrl-C ends a scenario between two steps, with 130 and what was played so far")
    func interrupted() throws {
        let file = try scenario(
            "long", "launch\n" + String(repeating: "new-scene\n", count: 50) + "quit\n")
        let whole = simulate(file).output
        var world = ToolWorld()
        let countdown = Countdown()
        world.isInterrupted = { countdown.isOver(after: 10) }
        let run = world.run("simulate", file)
        #expect(run.status == .interrupted)
        #expect(run.errors.isEmpty)
        #expect(whole.hasPrefix(run.output) && !run.output.isEmpty && run.output != whole)
        // A store that goes on afterwards is whole.
        let store = "\(folder)/interrupted"
        let second = Countdown()
        world.isInterrupted = { second.isOver(after: 20) }
        #expect(world.run("simulate", file, "--store", store).status == .interrupted)
        #expect(ToolWorld().run("doctor", "--full", "--store", store).isSound)
    }

    @Test("A scenario on a store that is there goes on where that ends")
    func continuing() throws {
        let store = "\(folder)/container"
        let first = try scenario(
            "first", "launch\nwait 2h\nnew-scene\nnew-scene\nclose B\nwait 1h\nquit\n")
        let fresh = simulate(first, "--store", store)
        #expect(fresh.status == .done)
        #expect(fresh.output == simulate(first).output)
        let unchanged = try ContainerImage(of: store)
        let second = try scenario(
            "second",
            """
            expect-open A C
            expect-session B state=discarded
            launch
            expect-open A C
            new-scene
            expect-open A C D
            expect-diagnostic
            kill
            """)
        let run = simulate(second, "--store", store)
        #expect(run.status == .done, "\(run.output)\(run.errors)")
        #expect(run.errors.contains("played on a copy; the store is unchanged"))
        #expect(try ContainerImage(of: store) == unchanged)
        #expect(simulate(second, "--store", store, "--in-place", "--yes").status == .done)
        // The same file once more, and in any number.
        for _ in 0..<2 {
            let again = simulate(first, "--store", store, "--in-place", "--yes")
            #expect(again.status == .done)
            #expect(!again.output.contains("duplicateSession"))
        }
        let rows = try ToolWorld().run("log", "--json", "--store", store).objects()
        let times = rows.compactMap { $0.text("time") }
        #expect(times.count > 10)
        #expect(times == times.sorted())
    }

    @Test("A scenario on a store with a damaged journal names its sessions, and opens windows")
    func continuingDamaged() throws {
        let store = "\(folder)/container"
        let first = try scenario("first", "launch\nnew-scene\nnew-scene\nclose B\nquit\n")
        #expect(simulate(first, "--store", store).status == .done)
        let file = URL(filePath: "\(store)/scenes.sqlite")
        var bytes = try [UInt8](Data(contentsOf: file))
        let words = Array("launch-reason".utf8)
        let page = try #require(
            stride(from: 0, to: bytes.count, by: 4_096).first { start in
                bytes[start..<start + 4_096].firstRange(of: words) != nil
            })
        bytes.replaceSubrange(page..<page + 4_096, with: [UInt8](repeating: 0, count: 4_096))
        try Data(bytes).write(to: file)
        let second = try scenario(
            "second", "expect-open A C\nlaunch\nnew-scene\nexpect-open A C D\nkill\n")
        let run = simulate(second, "--store", store)
        #expect(run.status == .done, "\(run.output)\(run.errors)")
    }

    @Test("R-09 simulate --dry-run makes no store where there is none")
    func dryRun() throws {
        let file = try scenario("one", "launch\nquit\n")
        let place = folder + "/new"
        let run = simulate(file, "--store", place, "--dry-run")
        #expect(run.status == .done)
        #expect(run.output == "would play 1 scenario on a new store in \(place)\n")
        #expect(!FileManager.default.fileExists(atPath: place))
    }

    @Test("simulate --in-place asks, makes a backup, and needs --yes where nobody can be asked")
    func inPlace() throws {
        let fixture = try EditedFixture()
        let file = try scenario("wiping", "launch\nkill\nwipe\nlaunch\nquit\n")
        let before = fixture.files
        let refused = fixture.run("simulate", file, "--in-place")
        #expect(refused.status == .needsConfirmation, "\(refused.errors)")
        #expect(fixture.run("simulate", file, "--in-place", answers: ["n"]).status == .answeredNo)
        #expect(fixture.run("simulate", file, "--in-place", "--dry-run").status == .done)
        #expect(fixture.run("simulate", file).status == .done)
        #expect(fixture.files == before)
        #expect(ToolWorld().run("simulate", file, "--in-place").status == .usage)
        let owner = try fixture.open(.owner)
        #expect(fixture.run("simulate", file, "--in-place", "--yes").status == .busy)
        try owner.close()
        let quiet = try scenario("quiet", "launch\nnew-scene\nquit\n")
        let played = fixture.run("simulate", quiet, "--in-place", "--yes")
        #expect(played.status == .done, "\(played.errors)")
        #expect(played.errors.contains("backup: "))
        #expect(fixture.backups.count == 1)
    }

    @Test("R-07 a scenario wipes a store's own files, and nothing in a folder with other files")
    func wipeRefuses() throws {
        let fixture = try EditedFixture()
        let file = try scenario("wipe", "wipe\nexpect-diagnostic invalidLocation\n")
        let other = fixture.path + "/thesis.txt"
        try Data("years of work".utf8).write(to: URL(filePath: other))
        let before = fixture.files
        #expect(fixture.run("simulate", file, "--in-place", "--yes", "--no-backup").status == .done)
        #expect(
            fixture.files.filter { !$0.key.contains("lock") }
                == before.filter { !$0.key.contains("lock") })
        try FileManager.default.removeItem(atPath: other)
        let wiped = try scenario("wiped", "wipe\n")
        let run = fixture.run("simulate", wiped, "--in-place", "--yes", "--no-backup")
        #expect(run.status == .done, "\(run.errors)")
        #expect(fixture.files.isEmpty)
        #expect(FileManager.default.fileExists(atPath: fixture.path))
        // A folder without a store is not made one when anything is in it.
        try Data("notes".utf8).write(to: URL(filePath: other))
        #expect(fixture.run("simulate", wiped).status == .usage)
    }

    @Test("S-61 what a scenario wiped in place is undone, and restored if no store is left")
    func wipeUndone() throws {
        let fixture = try EditedFixture()
        let before = fixture.run("export").output
        let file = try scenario("wiped", "wipe\nlaunch\nquit\n")
        let played = fixture.run("simulate", file, "--in-place", "--yes")
        #expect(played.status == .done, "\(played.errors)")
        #expect(fixture.run("export").output != before)
        let undone = fixture.run("undo", "--yes")
        #expect(undone.status == .done, "\(undone.errors)")
        #expect(fixture.run("export").output == before)
        let gone = fixture.run(
            "simulate", try scenario("gone", "wipe\n"), "--in-place", "--yes")
        #expect(fixture.run("export").status == .noStore)
        let line = try #require(gone.errors.split(separator: "\n").first)
        let backup = String(line.dropFirst("backup: ".count))
        let advice = "'scenestore restore \(backup) --store \(fixture.path)'"
        #expect(gone.errors.contains("no store is left; \(advice) brings it back"))
        let restored = fixture.run("restore", backup, "--yes")
        #expect(restored.status == .done, "\(restored.errors)")
        #expect(fixture.run("export").output == before)
    }

    @Test("S-61 that no store is left is said only if there is none")
    func noLongerOpens() throws {
        let fixture = try EditedFixture()
        let store = try fixture.open(.owner)
        var change = try StoreChange(reason: "simulate", path: fixture.path, in: store)
        change.backup = try store.copy(to: "\(folder)/before.sqlite")
        try store.close()
        func end() throws -> String {
            let errors = CapturedBytes()
            let context = ToolWorld().context(CapturedBytes(), errors)
            let description = try #require(AllCommands.commands.first).description
            try context.endChange(
                change,
                Invocation(path: [], description: description, options: [:], arguments: [:]))
            return errors.text
        }
        let file = fixture.path + "/scenes.sqlite"
        try Data("no database".utf8).write(to: URL(filePath: file))
        #expect(try end().hasPrefix("the store no longer opens; 'scenestore restore"))
        try FileManager.default.removeItem(atPath: file)
        #expect(try end().hasPrefix("no store is left; 'scenestore restore"))
    }

    @Test("L-12 a scenario without a manifest discards nothing of a store that was there")
    func noManifest() throws {
        let fixture = try EditedFixture()
        let path = "\(folder)/bare.scenario"
        try Data("launch\nquit\n".utf8).write(to: URL(filePath: path))
        let run = fixture.run("simulate", path, "--in-place", "--yes")
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.errors.contains("the scenario names no manifest"))
        #expect(try fixture.read { try $0.openCount() } == 3)
        let processes = fixture.run("simulate", path)
        #expect(!processes.output.contains("discard"))
        // Nobody's manifest is not remembered as the app's.
        #expect(try fixture.read { try $0.launches.lastDeclaration() } == nil)
    }

    @Test("S-43 a scenario without a manifest plays with the one that the store remembers")
    func remembered() throws {
        let fixture = try EditedFixture()
        let path = "\(folder)/bare.scenario"
        try Data("launch\nnew-scene\nquit\n".utf8).write(to: URL(filePath: path))
        var outputs: [String] = []
        for multiple in [false, true] {
            var manifest = SceneManifest()
            manifest.supportsMultipleScenes = multiple
            let declared = SceneApplicationOptions(manifest: manifest).declaration
            let store = try fixture.open(.owner)
            _ = try store.launches.begin(
                LaunchContext(declared: declared, bootIdentifier: "boot", processIdentifier: 42))
            try store.close()
            let run = fixture.run("simulate", path)
            #expect(run.errors.contains("it uses the manifest that the store remembers"))
            outputs.append(run.output)
        }
        // An app of one window is refused another one.
        #expect(outputs[0].contains("diagnostic") && !outputs[1].contains("diagnostic"))
    }

    @Test(
        "S-43 a bare launch connects as many windows as plan says of the declared policy",
        arguments: [
            (SceneApplicationOptions.Reconnection.foreground, "foreground"), (.all, "all"),
            (.first(1), "first:1"), (.first(2), "first:2"),
        ])
    func declaredPolicy(
        _ reconnection: SceneApplicationOptions.Reconnection, _ word: String
    ) throws {
        let fixture = try EditedFixture()
        #expect(fixture.run("release", "draft", "--yes").status == .done)
        let path = "\(folder)/bare.scenario"
        try Data("launch\n".utf8).write(to: URL(filePath: path))
        var manifest = SceneManifest()
        manifest.supportsMultipleScenes = true
        var options = SceneApplicationOptions(manifest: manifest)
        options.reconnection = reconnection
        let store = try fixture.open(.owner)
        _ = try store.launches.begin(
            LaunchContext(
                declared: options.declaration, bootIdentifier: "boot", processIdentifier: 42))
        try store.close()
        let plan = try fixture.run("plan", "--json").objects()
        let planned = plan.count { $0.text("step") == "connect" }
        for run in [fixture.run("simulate", path), fixture.run("simulate", path, "--json")] {
            #expect(run.status == .done, "\(run.errors)")
            #expect(run.errors.contains("and reconnect=\(word), as the last"), "\(run.errors)")
        }
        let calls = try fixture.run("simulate", path, "--json").objects()
        #expect(calls.count { $0.text("name") == "connect" } == planned, "\(calls)")
        #expect(reconnection != .first(1) || planned == 1)
        #expect(reconnection != .all || planned == 3)
        // What the scenario says itself counts.
        try Data("policy reconnect=first:2\nlaunch\n".utf8).write(to: URL(filePath: path))
        let two = try fixture.run("simulate", path, "--json").objects()
        #expect(two.count { $0.text("name") == "connect" } == 2)
    }

    @Test("S-43 L-65 a scenario without a manifest keeps payloads as the app does, and asks nobody")
    func declaredInbox() throws {
        let store = "\(folder)/kept"
        let played = simulate(
            try scenario(
                "kept",
                """
                policy inbox=on delivery=when-active
                launch
                open-url app://x
                quit
                """), "--store", store)
        #expect(played.status == .done, "\(played.errors)")
        let path = "\(folder)/bare.scenario"
        try Data("launch\nnew-scene\nopen-url app://y\nexpect-waiting 2\n".utf8)
            .write(to: URL(filePath: path))
        let run = simulate(path, "-s", store)
        #expect(run.status == .done, "\(run.errors)")
        #expect(run.output.contains("app://x"))
        #expect(!run.output.contains("config ") && !run.output.contains("unresolvedConfiguration"))
    }

    @Test("L-87 open-value gives no name twice, unless its window is there")
    func valueNames() throws {
        let twice = simulate(
            try scenario("twice", "launch\nopen-value a as=V\nopen-value b as=V\n"))
        #expect(twice.status == .usage)
        #expect(twice.errors.contains("a session has or had the name 'V'"), "\(twice.errors)")
        let again = simulate(
            try scenario("again", "launch\nopen-value a as=V\nopen-value a as=V\n"))
        #expect(again.status == .done, "\(again.errors)")
    }
}
