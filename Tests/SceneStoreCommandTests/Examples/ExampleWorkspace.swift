import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreLinks
import SceneStoreTesting

@testable import SceneStoreCommand

/// The folder in which examples of the help and the documentation are run: a store with a known
/// past in `container`, and every file that an example names.
///
/// | name | what it is |
/// |---|---|
/// | `container`, `app` | a store of four sessions: `3F2A…` active last, `3F25…`, `71C0…` held, `9C41…` closed yesterday |
/// | `A`, `B`, `ipad`, `iphone`, `stores.txt` | more stores, and a list of them |
/// | `broken.sqlite`, `other.ndjson`, `yesterday.sqlite` | a damaged store, another's export, a backup |
/// | `Info.plist`, `App/`, `New/`, `Broken/` | manifests of today's app, of the next, of a faulty one |
/// | `crash.scenario`, `Fixtures/` | a scenario, and a folder with a fixture |
/// | `Old/`, `known.json` | sources of an app without scenes, and an empty baseline for `adopt` |
/// | `aasa.json`, `apple-app-site-association` | an association file |
final class ExampleWorkspace: Sendable {
    let path: String

    /// The time of the machine, which the command asks too: what was closed yesterday is so.
    private static let now = Platform.millisecondsSince1970()

    private init(path: String) {
        self.path = path
    }

    /// Made once, copied for each example, so that none sees what another did.
    private static let original: Result<ExampleWorkspace, any Error> = Result {
        var made = try TemporaryDirectory.make()
        while made.hasSuffix("/") {
            made.removeLast()
        }
        let workspace = ExampleWorkspace(path: made)
        try workspace.fill()
        return workspace
    }

    static func copy() throws -> ExampleWorkspace {
        var made = try TemporaryDirectory.make()
        while made.hasSuffix("/") {
            made.removeLast()
        }
        let source = try original.get().path
        for name in try FileManager.default.contentsOfDirectory(atPath: source) {
            try FileManager.default.copyItem(
                atPath: "\(source)/\(name)", toPath: "\(made)/\(name)")
        }
        return ExampleWorkspace(path: made)
    }

    func remove() {
        TemporaryDirectory.remove(path)
    }

    // MARK: - Filling

    /// An app without scenes, whose application delegate takes links.
    private static let oldApp = """
        import UIKit

        @main
        class AppDelegate: UIResponder, UIApplicationDelegate {
            var window: UIWindow?

            func application(
                _ application: UIApplication,
                didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool {
                let window = UIWindow(frame: UIScreen.main.bounds)
                window.rootViewController = Notes.shared.controller
                window.makeKeyAndVisible()
                self.window = window
                return true
            }

            func applicationDidEnterBackground(_ application: UIApplication) {
                Notes.shared.save()
            }

            // The only place that takes links.
            func application(
                _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
            ) -> Bool {
                Notes.shared.open(url)
                return true
            }
        }
        """

    private static let oldManifest = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict>
        <key>CFBundleIdentifier</key><string>com.example.notes</string>
        </dict></plist>
        """

    private func fill() throws {
        try makeStore("container")
        let manager = FileManager.default
        for name in ["app", "A", "B", "ipad", "iphone"] {
            try manager.copyItem(atPath: "\(path)/container", toPath: "\(path)/\(name)")
        }
        try edit("B") { store, clock in
            let record = try store.record(identifier: Self.draft)
            try store.values.setTitle("Draft, revised", key: record?.key ?? 0)
        }
        try write("stores.txt", "ipad\niphone\n")
        try write("Info.plist", Manifests.make(["Editor", "Viewer"], schemes: ["notes"]))
        try write("App/Info.plist", Manifests.make(["Editor", "Viewer"], schemes: ["notes"]))
        try write("New/Info.plist", Manifests.make(["Writer", "Viewer"], schemes: ["notes"]))
        try write("Old/AppDelegate.swift", Self.oldApp)
        try write("Old/Info.plist", Self.oldManifest)
        try write("known.json", "{\"findings\":[]}\n")
        try write("Broken/Info.plist", Manifests.all.first { $0.0 == "broken" }?.1 ?? "")
        try write("aasa.json", AssociationText.notes)
        try write("apple-app-site-association", AssociationText.notes)
        try read("container") { store in
            try store.backUp(to: "\(path)/yesterday.sqlite")
        }
        try makeOther()
        var broken = try Data(contentsOf: URL(filePath: "\(path)/container/scenes.sqlite"))
        for offset in 100..<4_096 {
            broken[offset] = 0x5A
        }
        try broken.write(to: URL(filePath: "\(path)/broken.sqlite"))
        try write("crash.scenario", "launch\nstate A com.example.edit n:i=1\nbackground A\nkill\n")
        let made = ToolWorld().run(
            "fixture", "make", "--template", "first-launch", "-o",
            "\(path)/Fixtures/first-launch")
        guard made.status == .done else {
            throw CocoaError(
                .fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: made.errors])
        }
        for name in ["Examples", "Scripts"] {
            try manager.createSymbolicLink(
                atPath: "\(path)/\(name)",
                withDestinationPath: "\(RepositoryFile.root)/\(name)")
        }
    }

    private func write(_ name: String, _ text: String) throws {
        let url = URL(filePath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    // MARK: - The store

    static let document = "3F2A6C1E-4B52-4C0B-9B53-7A1F6B0E2D11"
    static let letter = "3F25D8A4-0E6F-4A8E-8C57-51B4D9C3A702"
    static let draft = "71C0F5B9-2D3A-4E1C-A6F8-90B7E4D5C613"
    static let closed = "9C41E7D2-5F60-4B9A-B1C4-3E8A7F2D6B05"

    private func makeStore(_ name: String) throws {
        let clock = ManualClock(Self.now - 2 * 86_400_000)
        var options = options(.owner, clock)
        options.appIdentifier = "com.example.notes"
        let store = try SceneSessionStore.open(at: .directory("\(path)/\(name)"), options: options)
        _ = try store.launches.begin(
            LaunchContext(appVersion: "1.4", bootIdentifier: "boot", processIdentifier: 4_711))
        var editor = SceneConfiguration(name: "Editor", role: .windowApplication)
        editor.delegateClassName = "EditorDelegate"
        editor.resolution = .manifest
        var keys: [String: Int64] = [:]
        for identifier in [Self.closed, Self.draft, Self.letter, Self.document] {
            clock.advance(.seconds(3_600))
            let record = try store.insertSession(
                identifier: identifier, configuration: editor, becameActive: true)
            keys[identifier] = record.key
        }
        func save(_ identifier: String, title: String, chapter: Int64) throws {
            let key = keys[identifier] ?? 0
            clock.advance(.seconds(60))
            try store.values.setTitle(title, key: key)
            var activity = try UserActivity(
                activityType: "com.example.notes.edit", title: title)
            activity.userInfo = ["chapter": .integer(chapter), "document": .string(title)]
            try store.save(
                [StateToSave(key: key, activity: activity)],
                context: SaveContext(appVersion: "1.4", savedAt: clock.clock.now()))
        }
        try save(Self.closed, title: "Recipes", chapter: 1)
        try save(Self.draft, title: "Draft", chapter: 1)
        try store.marks.setHeld(true, key: keys[Self.draft] ?? 0)
        try save(Self.letter, title: "Letter", chapter: 3)
        try store.discard([keys[Self.closed] ?? 0], cause: DiscardCause.user, deliveredNow: true)
        // Up to the numbers that the help speaks of.
        while store.currentGeneration() < 808 {
            let number = store.currentGeneration()
            try store.values.setStorage(
                ["cursor": .integer(number)], key: keys[Self.letter] ?? 0)
        }
        for (chapter, generation) in [(1, 812), (2, 815)] as [(Int64, Int64)] {
            while store.currentGeneration() < generation - 2 {
                try store.values.setTitle(
                    "Thesis \(store.currentGeneration())", key: keys[Self.document] ?? 0)
            }
            try save(Self.document, title: "Thesis", chapter: chapter)
        }
        for identifier in [Self.letter, Self.document] {
            try save(identifier, title: identifier == Self.letter ? "Letter" : "Thesis", chapter: 4)
        }
        for identifier in [Self.letter, Self.document] {
            let isLast = identifier == Self.document
            try store.marks.apply([
                MarkChange(key: keys[identifier] ?? 0, isFront: isLast, becameActive: true)
            ])
        }
        try store.launches.end(.quit)
        try store.close()
    }

    /// The export of a store with one session of its own.
    private func makeOther() throws {
        let clock = ManualClock(Self.now)
        let store = try SceneSessionStore.open(
            at: .directory("\(path)/other"), options: options(.owner, clock))
        let record = try store.insertSession(
            identifier: "B0D2F4A6-1C3E-4577-8899-AABBCCDDEEFF",
            configuration: SceneConfiguration(name: "Editor", role: .windowApplication),
            becameActive: true)
        try store.values.setTitle("From elsewhere", key: record.key)
        try store.close()
        try read("other") { store in
            try write("other.ndjson", String(decoding: try store.export(), as: UTF8.self))
        }
    }

    private func options(
        _ access: SceneSessionStore.Access, _ clock: ManualClock
    ) -> SceneSessionStore.Options {
        var options = SceneSessionStore.Options.seeded()
        options.access = access
        options.ownerTimeout = 2_000
        let clock = clock.clock
        options.clock = { clock.now() }
        return options
    }

    private func edit(
        _ name: String, _ body: (SceneSessionStore, ManualClock) throws -> Void
    ) throws {
        let clock = ManualClock(Self.now)
        let store = try SceneSessionStore.open(
            at: .directory("\(path)/\(name)"), options: options(.editor, clock))
        try body(store, clock)
        try store.close()
    }

    private func read(_ name: String, _ body: (SceneSessionStore) throws -> Void) throws {
        let store = try SceneSessionStore.open(
            at: .directory("\(path)/\(name)"), options: options(.reader, ManualClock(Self.now)))
        try body(store)
        try store.close()
    }

    // MARK: - Running

    /// Every file below the folder with its bytes, but for what runs leave behind.
    var files: [String: Data] {
        var files: [String: Data] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? [] {
            files[name] = FileManager.default.contents(atPath: "\(path)/\(name)")
        }
        return files
    }

    /// What a line of a shell did.
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs a script as a person would, in this folder: `scenestore` is the built command and
    /// `swift run scenestore` the same, the home is this folder, `$SCENESTORE` its store.
    ///
    /// - Parameter isClosed: Whether the reader of its output is gone before it writes.
    func run(
        _ script: String, environment: [String: String] = [:], isClosed: Bool = false
    ) throws -> Outcome {
        let command = CommandProcess.path ?? "scenestore"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        let prelude = """
            scenestore() { command '\(command)' "$@"; }
            swift() { shift; "$@"; }

            """
        process.arguments = ["-c", prelude + script]
        process.currentDirectoryURL = URL(filePath: path)
        process.environment = [
            "HOME": path, "SCENESTORE": path + "/container", "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8", "TERM": "dumb", "TMPDIR": "/tmp",
        ].merging(CommandProcess.inherited) { $1 }.merging(environment) { $1 }
        let files = ["out", "err"].map { "\(path)/.\($0)" }
        for file in files {
            _ = FileManager.default.createFile(atPath: file, contents: nil)
        }
        let handles = files.compactMap { FileHandle(forWritingAtPath: $0) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = handles.first
        let pipe = Pipe()
        if isClosed {
            try pipe.fileHandleForReading.close()
            process.standardOutput = pipe.fileHandleForWriting
        }
        process.standardError = handles.last
        try process.run()
        process.waitUntilExit()
        let texts = try files.map { try String(contentsOfFile: $0, encoding: .utf8) }
        for file in files {
            try FileManager.default.removeItem(atPath: file)
        }
        return Outcome(status: process.terminationStatus, output: texts[0], errors: texts[1])
    }
}
