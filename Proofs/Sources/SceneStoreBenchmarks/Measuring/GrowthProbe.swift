import SceneStore
import SceneStoreRecovery
import SceneStoreTesting
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What may take so much longer for so much more, and no longer.
enum GrowthProbe {
    /// Opens a store whose first page is lost.
    static func recover(sessions count: Int, _ folder: BenchmarkFolder) throws {
        let container = try Origins(folder: folder, states: count).store(sessions: count)
        let file = URL(filePath: container + "/scenes.sqlite")
        var bytes = try Data(contentsOf: file)
        bytes.replaceSubrange(0..<4_096, with: Data(repeating: 0x5A, count: 4_096))
        try bytes.write(to: file)
        var found = 0
        var options = LibrarySide.options
        options.corruption = .salvage
        try InstructionCount.counted {
            let store = try SceneSessionStore.open(
                at: .directory(container), options: options)
            found = try store.openRecords().count
            try store.close()
        }
        guard found == count else {
            throw BenchmarkFailure("\(found) of \(count) sessions were recovered")
        }
    }

    /// Plays a scenario that opens so many windows, one after the other.
    static func simulate(windows count: Int, _ folder: BenchmarkFolder) throws {
        try simulate(
            "launch\n" + String(repeating: "new-scene\n", count: count - 1) + "quit\n", folder)
    }

    /// Plays a scenario of so many launches, every second of which follows a death.
    static func simulate(launches count: Int, _ folder: BenchmarkFolder) throws {
        try simulate(
            (0..<count).map { $0 % 2 == 0 ? "launch\nkill\n" : "launch\nquit\n" }.joined(),
            folder)
    }

    private static func simulate(_ steps: String, _ folder: BenchmarkFolder) throws {
        let manifest = """
            <plist version="1.0"><dict><key>UIApplicationSceneManifest</key><dict>
            <key>UIApplicationSupportsMultipleScenes</key><true/>
            </dict></dict></plist>
            """
        try Data(manifest.utf8).write(to: URL(filePath: folder.path + "/many.plist"))
        let scenario = try Scenario(
            text: Array(("manifest many.plist\ndelegate provider=Editor\n" + steps).utf8),
            name: folder.path + "/growth.scenario")
        var lines = 0
        let player = try ScenarioPlayer(
            scenario, storage: .memory,
            output: ScenarioPlayer.Output(line: { _ in lines += 1 }, failure: { _ in }))
        var isPassed = false
        try InstructionCount.counted {
            isPassed = try player.play()
        }
        guard isPassed, lines > steps.count / 20 else {
            throw BenchmarkFailure("the scenario was not played")
        }
    }
}
