#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreTesting

/// What `help tour` plays: the life of two windows, and four commands on their store.
enum Tour {
    static func play(_ context: CommandContext) throws {
        let folder = try PrivateFolder.make()
        defer { PrivateFolder.remove(folder) }
        let store = folder + "/store"
        try FileManager.default.createDirectory(
            atPath: store, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        try Data(manifest.utf8).write(to: URL(filePath: folder + "/Info.plist"))
        var state = PlayerState()
        // Long enough ago for what the scenario plays.
        state.now = context.clock.now() - 300_000
        let player = try ScenarioPlayer(
            Scenario(text: life, name: folder + "/tour"), container: store, state: state,
            output: ScenarioPlayer.Output(line: { _ in }, failure: { _ in }))
        player.beforeStep = context.checkInterruption
        _ = try player.play()
        // The store that is asked where none is named.
        let outer = context.environment
        var inner = context
        inner.environment = Environment { $0 == "SCENESTORE" ? store : outer[$0] }
        for (question, words) in questions {
            try context.output.line("\(question, .bold)")
            try context.output.line("\("$ scenestore \(words.joined(separator: " "))", .dim)")
            _ = CommandLineTool(table: context.table).run(words, inner)
            try context.output.line("")
        }
        try context.output.line(
            "For your app, add -s and the folder with scenes.sqlite; 'help handbook' has ten tasks."
        )
    }

    private static let life = """
        app id=com.example.notes version=1
        delegate provider=Editor
        manifest Info.plist
        launch
        state A com.example.notes.edit title="Shopping" note=shopping
        new-scene
        state B com.example.notes.edit title="Travel" note=travel
        wait 20s
        background *
        foreground *
        state B com.example.notes.edit title="Travel" note=travel page:i=2
        quit
        kill during=restore:B
        launch

        """

    private static let manifest = """
        <plist version="1.0"><dict><key>UIApplicationSceneManifest</key><dict>
        <key>UIApplicationSupportsMultipleScenes</key><true/>
        <key>UISceneConfigurations</key><dict>
        <key>UIWindowSceneSessionRoleApplication</key><array><dict>
        <key>UISceneConfigurationName</key><string>Editor</string>
        </dict></array></dict></dict></dict></plist>
        """

    private static let questions: [(question: String, words: [String])] = [
        ("Which windows are there, and does each come back?", ["sessions"]),
        ("Why does one come back without its state?", ["why", "Travel"]),
        ("Which earlier states does it have?", ["history", "Travel"]),
        ("Is anything wrong, and what fixes it?", ["doctor"]),
    ]
}
