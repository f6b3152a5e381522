#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreValues
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What holds for every command that reads a store.
@Suite("reading commands")
struct ReadingCommandTests {
    /// Every reading command, in every format.
    static let commandLines: [[String]] = {
        let lines: [[String]] = [
            ["info"], ["sessions", "--all"], ["show", "@last"], ["show", "@last", "--raw"],
            ["log"], ["log", "--graph"], ["log", "@last"], ["plan"],
            ["plan", "--reason", "recover"],
            ["open-url", "notes://note/1", "--why"],
            ["open-url", "notes://note/1", "--app-state", "foreground"],
            ["timeline"], ["report"], ["report", "--redact", "all"],
        ]
        let json = lines.filter {
            !$0.contains("--raw") && !$0.contains("--graph") && $0.first != "report"
        }.map {
            $0 + ["--json"]
        }
        let csv = [
            ["sessions", "--all", "--csv"], ["log", "--csv"], ["plan", "--csv"],
            ["timeline", "--csv"],
        ]
        return lines + json + csv
    }()

    private static let scenario = Fixture.oneState + "launch\nclose B"

    @Test("R-09 after a kill with a log left, no byte of any file changes and none is made")
    func afterKill() throws {
        let fixture = try Fixture(Self.scenario + "\nactivate A\nkill")
        let before = try ContainerImage(of: fixture.path)
        #expect(before.names.contains("scenes.sqlite-wal"))
        for words in Self.commandLines {
            let run = ToolWorld().run(words + ["--store", fixture.path])
            #expect(run.status == .done, "\(words): \(run.errors)")
            #expect(try ContainerImage(of: fixture.path) == before, "\(words)")
        }
    }

    @Test("R-09 after a clean end there is one file and its lock, before and after")
    func afterQuit() throws {
        let fixture = try Fixture(Self.scenario + "\nactivate A\nquit")
        let before = try ContainerImage(of: fixture.path)
        #expect(before.names == ["owner.lock", "scenes.sqlite"])
        for words in Self.commandLines {
            #expect(ToolWorld().run(words + ["--store", fixture.path]).status == .done)
            #expect(try ContainerImage(of: fixture.path) == before, "\(words)")
        }
    }

    @Test(
        "R-09 S-31 beside a running app nothing changes, and the app goes on",
        .enabled(if: CommandProcess.path != nil, "the command is not built"))
    func live() throws {
        let device = try SimulatedDevice(storage: .temporaryDirectory)
        device.options.manifest = RandomHistory.manifest(["Editor"], isMultiple: true)
        let application = try device.launch { Recorder() }
        let scenes = application.connectedScenes.map(\.session.persistentIdentifier)
        try application.moveToBackground(scenes)
        try application.moveToForeground(scenes)
        let before = try ContainerImage(of: device.containerPath)
        #expect(before.names.contains("scenes.sqlite-shm"))
        for words in Self.commandLines {
            // Another process, as it is in life: within one, SQLite shares what it maps.
            let (status, output) = try CommandProcess.run(
                words + ["--store", device.containerPath])
            #expect(status == 0, "\(words)")
            #expect(!output.isEmpty, "\(words)")
            #expect(try ContainerImage(of: device.containerPath) == before, "\(words)")
        }
        try application.setTitle("still here", for: scenes[0])
        let rows = try ToolWorld().run("sessions", "--json", "--store", device.containerPath)
            .objects()
        #expect(rows.first?.text("title") == "still here")
    }

    @Test("R-09 a container that cannot be written is read all the same")
    func readOnly() throws {
        let fixture = try Fixture(Self.scenario + "\nactivate A\nkill")
        let manager = FileManager.default
        for name in try ContainerImage(of: fixture.path).names {
            try manager.setAttributes(
                [.posixPermissions: 0o400], ofItemAtPath: "\(fixture.path)/\(name)")
        }
        try manager.setAttributes([.posixPermissions: 0o500], ofItemAtPath: fixture.path)
        defer {
            try? manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: fixture.path)
        }
        let before = try ContainerImage(of: fixture.path)
        for words in Self.commandLines {
            let run = ToolWorld().run(words + ["--store", fixture.path])
            #expect(run.status == .done, "\(words): \(run.errors)")
            #expect(try ContainerImage(of: fixture.path) == before, "\(words)")
        }
    }

    @Test("a store may be named by its file")
    func byFile() throws {
        let fixture = try Fixture(Self.scenario + "\nquit")
        let run = ToolWorld().run("info", "--store", fixture.path + "/scenes.sqlite")
        #expect(run.status == .done)
        var world = ToolWorld()
        world.environment["SCENESTORE"] = fixture.path
        #expect(world.run("info").output == run.output)
    }

    // MARK: - Hostile contents

    private static let hostile =
        "a\u{1B}]0;x\u{07}b\u{0}\u{9B}2J\r\n\u{202E}c\u{200B}\u{2028}=1+1\u{7F}\"<&'é"

    @Test("R-40 S-72 what a terminal would obey never leaves raw, from any command in any format")
    func escaping() throws {
        let fixture = try Fixture(Self.scenario + "\nactivate A\nkill")
        let hostile = Self.hostile
        try fixture.edit { store in
            let record = try store.insertSession(
                identifier: "id-" + hostile,
                configuration: SceneConfiguration(
                    name: hostile, role: SceneSessionRole(rawValue: hostile)),
                userInfo: [hostile: .string(hostile)], isFront: true, becameActive: true,
                presentedValue: .string(hostile))
            try store.values.setTitle(hostile, key: record.key)
            try store.values.setStorage([hostile: .set([.string(hostile)])], key: record.key)
            try store.values.setPlacement(
                PlacementMemory(
                    ScenePlacement(x: 0, y: 0, width: .nan, height: -.infinity, display: hostile)),
                key: record.key)
            try store.values.setConditions(
                ActivationConditions(
                    canActivate: .any([.always, .contains(hostile)]),
                    prefersToActivate: .not(.equals(hostile))), key: record.key)
            var activity = try UserActivity(activityType: hostile, title: hostile)
            activity.userInfo[hostile] = .array([.string(hostile), .dictionary([hostile: 1])])
            activity.targetContentIdentifier = hostile
            activity.keywords = [hostile]
            _ = try store.save(
                [StateToSave(key: record.key, activity: activity)],
                context: SaveContext(appVersion: hostile, idiom: hostile, savedAt: 0))
        }
        var terminal = Terminal()
        terminal.width = 60
        terminal.isOutputTerminal = true
        let more = [
            ["show", "id-a", "--key", "activity.userInfo"], ["show", "id-a", "--key", hostile],
            ["show", "id-a", "--key", "title", "--raw"], ["show", hostile], ["log", hostile],
            ["sessions", "--role", hostile], ["plan", "--manifest", hostile],
            ["open-url", hostile], ["open-url", "x:y", "--domain", hostile],
            ["link", "match", "--pattern", hostile, hostile],
            ["link", "match", "--pattern", "{}", "--why", hostile], ["link", "lint", hostile],
            ["manifest", "lint", hostile], ["info", "--store", hostile],
        ]
        for words in Self.commandLines + more where !words.contains("\u{0}") {
            let store = words.contains("--store") ? [] : ["--store", fixture.path]
            for terminal in [Terminal(), terminal] {
                // Bytes that were asked for go to pipes as they are.
                if words.contains("--raw"), !terminal.isOutputTerminal {
                    continue
                }
                var world = ToolWorld()
                world.terminal = terminal
                let run = world.run(words + store)
                for scalar in (run.output + run.errors).unicodeScalars where scalar != "\n" {
                    #expect(
                        !TextEscaping.isHidden(scalar.value),
                        "U+\(String(scalar.value, radix: 16)) of \(words)")
                }
                #expect(run.status != .internalError)
            }
        }
    }

    @Test("S-62 values 64 levels deep are shown")
    func deep() throws {
        let fixture = try Fixture(Self.scenario + "\nactivate A\nkill")
        var value: SceneStoreValues.Value = 1
        for _ in 0..<50 {
            value = ["k": .array([value])]
        }
        // 62 levels of arrays and dictionaries, within the limit of 64.
        value = ["deep": value]
        try fixture.edit { store in
            let record = try #require(try store.record(identifier: Fixture.a))
            do {
                try store.values.setUserInfo(["v": value], key: record.key)
                Issue.record("100 levels are beyond the limit")
            } catch {
                var allowed: SceneStoreValues.Value = 1
                for _ in 0..<60 {
                    allowed = .array([allowed])
                }
                try store.values.setUserInfo(["v": allowed], key: record.key)
            }
        }
        #expect(fixture.run("show", Fixture.a).status == .done)
        #expect(fixture.run("show", Fixture.a, "--json").status == .done)
    }

    @Test("every command of the table is sound")
    func table() {
        #expect(CommandTable(commands: AllCommands.commands).faults() == [])
    }

    @Test("S-44 help tour plays a store, asks four questions of it, and leaves no folder")
    func tour() throws {
        let folders = {
            try FileManager.default.contentsOfDirectory(
                atPath: FileManager.default.temporaryDirectory.path(percentEncoded: false)
            ).filter { $0.hasPrefix("scenestore-command-\(0)") }
        }
        let before = try folders()
        let run = ToolWorld().run("help", "tour")
        #expect(run.status == .done, "\(run.errors)")
        let commands = run.lines.filter { $0.hasPrefix("$ scenestore ") }
        #expect(
            commands == [
                "$ scenestore sessions", "$ scenestore why Travel", "$ scenestore history Travel",
                "$ scenestore doctor",
            ])
        #expect(run.output.contains("withheld") && run.output.contains("SS019"), "\(run.output)")
        #expect(!run.output.contains("--store"))
        #expect(try folders() == before)
    }
}
