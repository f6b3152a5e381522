import Foundation
import SceneStore
import SceneStoreTesting

@testable import SceneStoreCommand

/// A container with three sessions, for commands that change it; it goes with the test.
final class EditedFixture {
    let folder: String
    let path: String
    let clock = ManualClock()
    private let identities: IdentifierSequence

    /// `letter` has two states, `draft` one and is held, `blank` none; `letter` was active last.
    /// Stores of different seeds have different identities.
    init(seed: UInt64 = 1) throws {
        identities = IdentifierSequence(seed: seed)
        var made = try TemporaryDirectory.make()
        while made.hasSuffix("/") {
            made.removeLast()
        }
        folder = made
        path = folder + "/container"
        let store = try open(.owner)
        _ = try store.launches.begin(
            LaunchContext(bootIdentifier: "boot", processIdentifier: 42))
        let configuration = SceneConfiguration(name: "Editor", role: .windowApplication)
        for (index, name) in ["blank-session", "draft-session", "letter-session"].enumerated() {
            let record = try store.insertSession(
                identifier: name, configuration: configuration, becameActive: true)
            for number in 0..<index {
                clock.advance(.seconds(60))
                var activity = try UserActivity(activityType: "com.example.\(name.prefix(5))")
                activity.userInfo = ["number": .integer(Int64(number)), "text": "private words"]
                try store.save(
                    [StateToSave(key: record.key, activity: activity)],
                    context: SaveContext(appVersion: "1", savedAt: clock.clock.now()))
            }
            if name.hasPrefix("draft") {
                try store.marks.setHeld(true, key: record.key)
            }
        }
        try store.close()
        clock.advance(.seconds(120))
    }

    deinit {
        TemporaryDirectory.remove(folder)
    }

    func open(
        _ access: SceneSessionStore.Access = .editor,
        _ configure: (inout SceneSessionStore.Options) -> Void = { _ in }
    ) throws -> SceneSessionStore {
        var options = SceneSessionStore.Options()
        options.access = access
        options.ownerTimeout = 2_000
        let (clock, identities) = (clock.clock, identities)
        options.clock = { clock.now() }
        options.makeUUID = { identities.nextUUID() }
        configure(&options)
        return try SceneSessionStore.open(at: .directory(path), options: options)
    }

    /// Reads the store.
    func read<Result>(_ body: (SceneSessionStore) throws -> Result) throws -> Result {
        let store = try open(.reader)
        defer { try? store.close() }
        return try body(store)
    }

    /// Runs a command on the store.
    func run(_ words: String..., answers: [String]? = nil) -> ToolRun {
        run(words, answers: answers)
    }

    /// The same of words in a list.
    func run(_ words: [String], answers: [String]? = nil) -> ToolRun {
        var world = ToolWorld()
        world.clock = clock
        if let answers {
            world.answers = answers
            world.terminal.isInputTerminal = true
            world.terminal.isErrorTerminal = true
        }
        return world.run(words + ["--store", path])
    }

    /// Every file below the container with its bytes.
    var files: [String: Data] {
        var files: [String: Data] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
            files[name] = FileManager.default.contents(atPath: path + "/" + name)
        }
        return files
    }

    /// The backups that commands made.
    var backups: [String] {
        files.keys.filter { $0.hasPrefix("backups/") && $0.hasSuffix(".sqlite") }.sorted()
    }

    /// Changes the database behind the library's back, as another tool would.
    func sqlite(_ sql: String) throws {
        try ForeignTool.run(sql, on: path + "/scenes.sqlite")
    }

    func file(_ name: String) -> String {
        folder + "/" + name
    }

    /// Damages what SQLite needs to open the store.
    func damage() throws {
        let store = path + "/scenes.sqlite"
        var bytes = try Data(contentsOf: URL(filePath: store))
        for offset in 100..<4_096 {
            bytes[offset] = 0x5A
        }
        try bytes.write(to: URL(filePath: store))
    }
}
