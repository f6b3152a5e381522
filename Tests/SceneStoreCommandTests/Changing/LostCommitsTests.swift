import Foundation
import SceneStore
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// What commands say about a store whose process died and whose log is not what it was.
@Suite("Commits out of reach")
struct LostCommitsTests {
    /// What happens to the log of the store.
    enum Damage: CaseIterable, CustomTestStringConvertible {
        case flippedByte, removed, emptied, removedWithoutNote

        var testDescription: String {
            switch self {
            case .flippedByte: "a flipped byte"
            case .removed: "the log is gone"
            case .emptied: "the log is empty"
            case .removedWithoutNote: "the log is gone, and what was durable is not noted"
            }
        }

        func apply(to path: String) throws {
            let log = URL(filePath: path + "/scenes.sqlite-wal")
            switch self {
            case .flippedByte:
                var bytes = try Data(contentsOf: log)
                bytes[100] ^= 1
                try bytes.write(to: log)
            case .emptied:
                try Data().write(to: log)
            case .removed, .removedWithoutNote:
                try FileManager.default.removeItem(at: log)
            }
            guard self == .removedWithoutNote else { return }
            let lock = URL(filePath: path + "/owner.lock")
            var text = String(decoding: try Data(contentsOf: lock), as: UTF8.self)
            let note = try #require(text.range(of: " durable [0-9]+", options: .regularExpression))
            let length = text.distance(from: note.lowerBound, to: note.upperBound)
            text.replaceSubrange(note, with: String(repeating: " ", count: length))
            // A line without a sum is one that had no room for it.
            let sum = try #require(text.range(of: "#[0-9a-f]{5}", options: .regularExpression))
            text.replaceSubrange(sum, with: "      ")
            try Data(text.utf8).write(to: lock)
        }
    }

    /// A container as a killed process leaves it, with six durable commits in its log.
    private func killed(
        _ fixture: EditedFixture, adding identifier: String? = nil
    ) throws -> String {
        let store = try fixture.open(.owner)
        defer { try? store.close() }
        if let identifier {
            _ = try store.insertSession(
                identifier: identifier,
                configuration: SceneConfiguration(name: "Editor", role: .windowApplication),
                becameActive: true)
        }
        let key = try #require(try store.record(identifier: "letter-session")).key
        for number in 0..<6 {
            var activity = try UserActivity(activityType: "com.example.letter")
            activity.userInfo = ["number": .integer(Int64(number)), "word": .string("later")]
            try store.save(
                [StateToSave(key: key, activity: activity)],
                context: SaveContext(savedAt: fixture.clock.clock.now()))
        }
        let copy = fixture.file("killed")
        try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
        return copy
    }

    private func world(_ fixture: EditedFixture) -> ToolWorld {
        var world = ToolWorld()
        world.clock = fixture.clock
        return world
    }

    @Test("R-02 a killed process alone is no finding, and no reading command warns")
    func soundAfterKill() throws {
        let fixture = try EditedFixture()
        let path = try killed(fixture)
        let world = world(fixture)
        #expect(world.run("doctor", "--full", "--store", path).isSound)
        #expect(world.run("repair", "-n", "--store", path).output == "nothing to repair\n")
        #expect(world.run("sessions", "--store", path).errors.isEmpty)
    }

    @Test(
        "S-61 R-02 R-03 verify, info, doctor and repair -n say what the launch would find",
        arguments: Damage.allCases)
    func agreement(_ damage: Damage) throws {
        let fixture = try EditedFixture()
        let path = try killed(fixture)
        try damage.apply(to: path)
        let world = world(fixture)
        let failure = #expect(throws: SceneStoreError.self) {
            var options = SceneSessionStore.Options.seeded()
            options.access = .editor
            try SceneSessionStore.open(at: .container(path: path), options: options).close()
        }
        let message = try #require(failure?.message)
        #expect(failure?.code == .corrupt)
        for arguments in [["doctor", "--full"], ["info"], ["doctor"]] {
            let run = world.run(arguments + ["--store", path])
            #expect(run.status == (arguments == ["info"] ? .done : .damaged), "\(arguments)")
            #expect(run.output.contains(message), "\(arguments): \(run.output)\(run.errors)")
        }
        #expect(world.run("doctor", "--store", path).output.contains("✗ SS011 "))
        let plan = world.run("repair", "-n", "--store", path)
        #expect(plan.output == "would rebuild the store\n")
        #expect(plan.errors.contains(message))
        let repair = world.run("repair", "--yes", "--store", path)
        #expect(repair.status == .done, "\(repair.errors)")
        #expect(repair.errors.contains("the old store: quarantine/"))
        let isBack = world.run("export", "--store", path).output.contains("later")
        #expect(isBack == (damage == .flippedByte))
        #expect(world.run("doctor", "--full", "--store", path).isSound)
    }

    @Test(
        "R-02 reading commands warn when they show a state behind which commits are lost",
        arguments: [
            ["sessions"], ["show", "letter-session"], ["plan"], ["log"], ["export"],
            ["backup", "-o", "copy.sqlite"],
        ])
    func warnings(_ arguments: [String]) throws {
        let fixture = try EditedFixture()
        let path = try killed(fixture)
        try Damage.flippedByte.apply(to: path)
        let named = arguments.map { $0 == "copy.sqlite" ? fixture.file($0) : $0 }
        let run = world(fixture).run(named + ["--store", path])
        #expect(
            run.status == (["backup", "export"].contains(arguments[0]) ? .damaged : .done),
            "\(run.errors)")
        let lines = run.errors.split(separator: "\n").filter { $0.contains("out of reach") }
        #expect(lines.count == 1, "\(run.errors)")
    }

    @Test(
        "R-02 R-03 what commands tell of the next launch is what it finds in a damaged log",
        arguments: Damage.allCases)
    func asTheLaunch(_ damage: Damage) throws {
        let fixture = try EditedFixture()
        let path = try killed(fixture, adding: "new-session")
        try damage.apply(to: path)
        let other = fixture.file("other")
        try FileManager.default.copyItem(atPath: path, toPath: other)
        let scenario = fixture.file("a.scenario")
        try Data("launch\n".utf8).write(to: URL(filePath: scenario))
        let world = world(fixture)
        func run(_ words: String...) -> ToolRun { world.run(words + ["--store", path]) }
        let info = try #require(try run("info", "--json").objects().first)
        let told = [run("sessions"), run("plan"), run("show", "letter-session", "--json")]
        let plan = try run("plan", "--json").objects()
        let played = world.run("simulate", scenario, "--store", path)
        let launched = world.run(
            "simulate", scenario, "--store", other, "--in-place", "--yes", "--no-backup")
        #expect(launched.status == .done, "\(launched.errors)")
        #expect(launched.output.contains("storeSetAside"))
        #expect(played.output == launched.output, "\(played.errors)")
        let reason = try #require(plan.first?.text("outcome"))
        #expect(launched.output.contains(": \(reason)"), "\(launched.output)")
        let isBack = damage == .flippedByte
        for run in told.prefix(2) {
            #expect(run.status == .done, "\(run.errors)")
            #expect(run.output.contains("new-session") == isBack, "\(run.output)")
        }
        #expect(told[2].output.contains("later") == isBack, "\(told[2].output)")
        let open = info["counts"]?["open"]?.integerValue
        #expect(open == Int64(try run("sessions", "--json").objects().count))
        let files = info["files"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
        #expect(files.contains("owner.lock"), "\(files)")
        let after = world.run("sessions", "--store", other)
        #expect(after.output.contains("new-session") == isBack)
    }

    @Test("R-03 without its log a store is read as far as it is there, with a warning")
    func readWithoutLog() throws {
        let fixture = try EditedFixture()
        let path = try killed(fixture)
        try Damage.removed.apply(to: path)
        for line in [["sessions"], ["plan"], ["show", "letter-session"], ["history", "letter"]] {
            let run = world(fixture).run(line + ["--store", path])
            #expect(run.status == .done, "\(line): \(run.errors)")
            #expect(!run.output.isEmpty, "\(line)")
            #expect(run.errors.contains("out of reach"), "\(line): \(run.errors)")
        }
        let saved = world(fixture).run(
            "salvage", path + "/scenes.sqlite", "-o", fixture.file("rescued"), "--json")
        #expect(saved.status == .answeredNo, "\(saved.output)\(saved.errors)")
        #expect(try saved.objects().first?["commitsLost"]?.integerValue ?? 0 > 0)
    }

    private static let manifest = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>com.example.notes</string>
        <key>UIApplicationSceneManifest</key><dict>
        <key>UISceneConfigurations</key><dict>
        <key>UIWindowSceneSessionRoleApplication</key><array><dict>
        <key>UISceneConfigurationName</key><string>Main</string>
        <key>UISceneDelegateClassName</key><string>App.Main</string>
        </dict></array></dict></dict></dict></plist>
        """

    @Test("L-14 S-41 a launch without the log recovers, and store, app and info tell of the loss")
    func launchWithoutLog() throws {
        let folder = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(folder) }
        let world = ToolWorld()
        let manifest = "\(folder)/Info.plist"
        try Data(Self.manifest.utf8).write(to: URL(filePath: manifest))
        func play(_ lines: String, as name: String) throws -> ToolRun {
            let file = "\(folder)/\(name).scenario"
            try Data("manifest \(manifest)\n\(lines)".utf8).write(to: URL(filePath: file))
            return world.run(
                "simulate", file, "--why", "--store", "\(folder)/store", "--in-place", "--yes",
                "--no-backup")
        }
        let killed = try play(
            "launch\nquit\nlaunch\nstate A com.x.a text=mine\nbackground A\nkill\n",
            as: "first")
        #expect(killed.status == .done, "\(killed.errors)")
        try Damage.removed.apply(to: "\(folder)/store")
        let plan = world.run("plan", "--store", "\(folder)/store")
        #expect(plan.status == .done)
        let run = try play("launch\n", as: "second")
        #expect(run.output.contains("launch 1: recover"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("lostCommits"), "\(run.output)")
        let info = world.run("info", "--store", "\(folder)/store").output
        #expect(info.contains("commits could not be brought back"), "\(info)")
        #expect(info.contains("number 2, recover"), "\(info)")
        // The launch whose record is the last that is left did not die.
        #expect(world.run("log", "--store", "\(folder)/store").output.contains("quit"))
        let quarantine = "\(folder)/store/quarantine"
        let ledger = try #require(
            FileManager.default.contentsOfDirectory(atPath: quarantine).first {
                $0.hasSuffix(".json")
            })
        let text = try String(contentsOfFile: "\(quarantine)/\(ledger)", encoding: .utf8)
        #expect(text.contains("\"complete\":false"), "\(text)")
        #expect(!text.contains("\"commitsLost\":0"), "\(text)")
    }
}
