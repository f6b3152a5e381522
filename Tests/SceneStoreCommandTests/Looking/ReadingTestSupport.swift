import Foundation
import SceneStore
import SceneStoreFormats
import SceneStoreLinks
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

/// A container in a known state, made by playing a scenario; it goes with the test.
final class Fixture {
    /// The container.
    let path: String
    private let folder: String

    /// A window whose state is withheld, as a process died while it restored it.
    static let withheldState = """
        delegate provider=Editor
        manifest many.plist
        launch
        state A com.example.edit n:i=1
        wait 20s
        quit
        kill during=restore:A
        launch

        """

    /// Two windows of one configuration, one of them with a state and behind the other.
    static let oneState = """
        manifest many.plist
        delegate provider=Editor
        launch
        state A com.example.edit n:i=1
        new-scene
        background A
        quit

        """

    static let twoWindows = """
        delegate provider=Editor
        manifest many.plist
        launch
        state A com.example.edit n:i=1
        wait 1s
        new-scene
        state B com.example.edit n:i=2
        wait 20s
        quit

        """
    /// One of two windows is parked, as an update supports one scene.
    static let parked = twoWindows + "update manifest=single.plist\nlaunch\nwait 20s\nquit\n"
    /// The configuration of two windows is gone.
    static let stale = twoWindows + "update manifest=renamed.plist\nlaunch\nkill\n"
    /// The guard refused the states of two windows.
    static let declined = twoWindows + "delegate restore=false\nlaunch\nkill\n"
    /// The app could not restore the states of two windows.
    static let failed = twoWindows + "delegate restore=throws\nlaunch\nkill\n"
    /// The same, and one window has saved another state since.
    static let failedAndSaved =
        twoWindows + "delegate restore=throws\nlaunch\n"
        + "state A com.example.edit n:i=3\nbackground A\nwait 20s\nkill\n"

    /// Plays a scenario; a manifest in it is named as in `Manifests`.
    init(_ scenario: String) throws {
        var made = try TemporaryDirectory.make()
        while made.hasSuffix("/") {
            made.removeLast()
        }
        folder = made
        path = folder + "/container"
        for (name, text) in Manifests.all {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name).plist"))
        }
        let player = try ScenarioPlayer(
            Scenario(text: scenario, name: folder + "/fixture.scenario"), container: path,
            output: ScenarioPlayer.Output(line: { _ in }, failure: { _ in }))
        _ = try player.play()
    }

    deinit {
        TemporaryDirectory.remove(folder)
    }

    /// A file beside the container.
    func file(_ name: String, _ text: String) throws -> String {
        let path = "\(folder)/\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// The path of a manifest.
    func manifest(_ name: String) -> String {
        "\(folder)/\(name).plist"
    }

    /// Opens the store to change what no scenario can.
    func edit(_ work: (SceneSessionStore) throws -> Void) throws {
        var options = SceneSessionStore.Options.seeded()
        options.access = .editor
        options.ownerTimeout = 2_000
        options.clock = { VirtualClock.start }
        let store = try SceneSessionStore.open(at: .directory(path), options: options)
        try work(store)
        try store.close()
    }

    /// Runs a command on the store.
    func run(_ words: String..., terminal: Terminal = Terminal()) -> ToolRun {
        var world = ToolWorld()
        world.terminal = terminal
        return world.run(words + ["--store", path])
    }

    /// The sessions that a scenario creates, in their order.
    static let identifiers: [String] = {
        let sequence = IdentifierSequence(seed: 1)
        return (0..<26).map { _ in sequence.next() }
    }()

    static var a: String { identifiers[0] }
    static var b: String { identifiers[1] }
    static var c: String { identifiers[2] }
    static var d: String { identifiers[3] }
}

extension ToolRun {
    /// The output's lines.
    var lines: [String] {
        // Looked for among bytes: going through characters is slow in a debug build.
        output.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .dropLast().map { String(Substring($0)) }
    }

    /// The output's lines, each as the JSON object that it is.
    func objects() throws -> [CanonicalJSON.Object] {
        if lines.isEmpty, !errors.isEmpty {
            Issue.record("nothing printed, \(status): \(errors)")
        }
        return try lines.map { line in
            try CanonicalJSON(parsing: line).objectValue ?? CanonicalJSON.Object()
        }
    }
}

extension CanonicalJSON.Object {
    /// Text of a key.
    func text(_ key: String) -> String? {
        self[key]?.stringValue
    }
}

/// Every byte of a container, and which files there are.
struct ContainerImage: Equatable {
    private var files: [String: [UInt8]] = [:]
    private var stamps: [String: Date] = [:]

    init(of path: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        for name in names {
            let file = "\(path)/\(name)"
            files[name] = Array(try Data(contentsOf: URL(filePath: file)))
            stamps[name] =
                try FileManager.default.attributesOfItem(atPath: file)[.modificationDate] as? Date
        }
    }

    var names: [String] { files.keys.sorted() }
}

/// Manifests for scenarios and commands.
enum Manifests {
    static let all: [(String, String)] = [
        ("many", make(["Editor", "Viewer"], schemes: ["notes"])),
        ("renamed", make(["Writer", "Viewer"])),
        ("single", make(["Editor"], isMultiple: false)),
        ("car", make([], car: ["Car"])),
        ("broken", broken),
    ]

    static func make(
        _ windows: [String], car: [String] = [], isMultiple: Bool = true, schemes: [String] = []
    ) -> String {
        func entries(_ role: String, _ names: [String]) -> String {
            names.isEmpty
                ? ""
                : "<key>\(role)</key><array>"
                    + names.map {
                        "<dict><key>UISceneConfigurationName</key><string>\($0)</string>"
                            + "<key>UISceneDelegateClassName</key>"
                            + "<string>\($0)Delegate</string></dict>"
                    }.joined() + "</array>"
        }
        let urls =
            schemes.isEmpty
            ? ""
            : "<key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array>"
                + schemes.map { "<string>\($0)</string>" }.joined() + "</array></dict></array>"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>com.example.notes</string>
            <key>UIApplicationSceneManifest</key><dict>
            <key>UIApplicationSupportsMultipleScenes</key><\(isMultiple)/>
            <key>UISceneConfigurations</key><dict>
            \(entries("UIWindowSceneSessionRoleApplication", windows))
            \(entries("CPTemplateApplicationSceneSessionRoleApplication", car))
            </dict></dict>\(urls)</dict></plist>
            """
    }

    /// A string where a Boolean belongs, and an entry without a delegate class.
    private static let broken = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>UIApplicationSceneManifest</key><dict>
        <key>UIApplicationSupportsMultipleScenes</key><string>yes</string>
        <key>UISceneConfigurations</key><dict>
        <key>UIWindowSceneSessionRoleApplication</key><array><dict>
        <key>UISceneConfigurationName</key><string>Editor</string></dict></array>
        </dict></dict></dict></plist>
        """
}

/// Links that the fixtures' association file is about.
enum AssociationText {
    static let app = "ABCDE12345.com.example.notes"

    static let notes = """
        {"applinks": {"details": [{"appIDs": ["\(app)"], "components": [
        {"/": "/private/*", "exclude": true, "comment": "stays in the browser"},
        {"/": "/n/*", "comment": "notes"}]}]}}
        """
}

/// The command as a process of its own.
enum CommandProcess {
    /// The executable beside the tests, if it was built.
    static let path: String? = {
        let tests = CommandLine.arguments[0]
        guard let slash = tests.lastIndex(of: "/") else {
            return nil
        }
        let path = tests[..<slash] + "/scenestore"
        return FileManager.default.isExecutableFile(atPath: String(path)) ? String(path) : nil
    }()

    /// What a sanitizer is told, and which fault is planted, for a process whose environment is made by hand.
    static let inherited = ProcessInfo.processInfo.environment.filter {
        [
            "ASAN_OPTIONS", "TSAN_OPTIONS", "LD_PRELOAD", "SCENESTORE_PLANTED_FAULT",
        ].contains($0.key)
    }

    /// Runs it to its end on an input; answers its status and what it printed.
    static func run(_ words: [String], input: String = "") throws -> (Int32, String) {
        let process = Process()
        process.executableURL = path.map { URL(filePath: $0) }
        process.arguments = words
        let (source, target) = (Pipe(), Pipe())
        process.standardInput = source
        process.standardOutput = target
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Little enough to fit into the pipe before anybody reads.
        source.fileHandleForWriting.write(Data(input.utf8))
        try source.fileHandleForWriting.close()
        let output = target.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
