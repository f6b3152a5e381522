import Foundation
import SceneStoreFormats
import SceneStoreTesting
import SceneStoreValues
import Testing

@testable import SceneStoreCommand

@Suite("adopt")
struct AdoptCommandTests {
    private static let delegate = """
        @main class AppDelegate: UIResponder, UIApplicationDelegate {
            func application(_ app: UIApplication, open url: URL,
                options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool { Router.open(url) }
        }

        """
    private static let plist = """
        <plist version="1.0"><dict><key>CFBundlePackageType</key><string>APPL</string></dict></plist>

        """

    /// A folder with an app.
    private final class Folder {
        let path: String

        init(_ files: [(String, String)]) throws {
            path = try TemporaryDirectory.make()
            for (name, text) in files {
                let file = "\(path)/\(name)"
                try FileManager.default.createDirectory(
                    atPath: (file as NSString).deletingLastPathComponent,
                    withIntermediateDirectories: true)
                try Data(text.utf8).write(to: URL(filePath: file))
            }
        }

        deinit {
            TemporaryDirectory.remove(path)
        }
    }

    private func app() throws -> Folder {
        try Folder([
            ("App/AppDelegate.swift", Self.delegate), ("App/Info.plist", Self.plist),
            ("AppTests/Tests.swift", "class T { let w = UIWindow(frame: .zero) }"),
            ("Pods/Pod.swift", "class P { let w = UIWindow(frame: .zero) }"),
        ])
    }

    private func run(_ words: String...) -> ToolRun {
        ToolWorld().run(["adopt"] + words)
    }

    @Test("L-66 findings with place, reason and fix; exit status 1")
    func text() throws {
        let folder = try app()
        let run = run(folder.path)
        #expect(run.status == .answeredNo)
        #expect(
            run.lines.first
                == "AppDelegate at \(folder.path)App/AppDelegate.swift:1: no scenes yet "
                + "(found by @main)")
        #expect(run.output.contains("error AD001 at \(folder.path)App/Info.plist:1:1: "))
        #expect(run.output.contains("error AD003 at \(folder.path)App/AppDelegate.swift:2:10: "))
        #expect(run.output.contains("  why: "))
        #expect(run.output.contains("  fix: read connectionOptions.urlContexts"))
        #expect(!run.output.contains("AD012"))
        #expect(run.errors == "3 errors\n")
        // The slash at the end of the path makes no difference.
        #expect(folder.path.hasSuffix("/"))
        #expect(self.run(String(folder.path.dropLast())).output == run.output)
    }

    @Test("L-90 a file that can't be read is named, and the others are read")
    func unreadableFile() throws {
        let folder = try app()
        let file = "\(folder.path)App/Table.swift"
        try Data().write(to: URL(filePath: file))
        let handle = try FileHandle(forWritingTo: URL(filePath: file))
        try handle.truncate(atOffset: 65 << 20)
        try handle.close()
        let run = run(folder.path)
        #expect(run.status == .answeredNo)
        #expect(run.output.contains("error AD003 at "))
        #expect(run.errors.contains("App/Table.swift"))
        #expect(run.errors.hasSuffix("3 errors\n"))
    }

    @Test("a named manifest that is no property list is wrong usage, with an app and without one")
    func brokenManifest() throws {
        let folder = try Folder([("App.swift", "class A {}"), ("Info.plist", "<plist><dict>")])
        #expect(run(folder.path, "--manifest", "\(folder.path)/Info.plist").status == .usage)
        let app = try app()
        #expect(run(app.path, "--manifest", "\(folder.path)/Info.plist").status == .usage)
    }

    @Test("a manifest of one's own, and no finding: exit status 0")
    func done() throws {
        let folder = try Folder([
            ("App.swift", "@main struct Notes: App { var body: some Scene { WindowGroup {} } }")
        ])
        let run = run(folder.path)
        #expect(run.status == .done)
        #expect(run.output.contains("SwiftUI's own scenes; nothing to do"))
        #expect(run.errors == "nothing found\n")
    }

    @Test("questions alone are counted behind what was found; exit status 0")
    func questions() throws {
        let text = "@main class A: UIResponder, UIApplicationDelegate {}"
        let folder = try Folder([("App.swift", text)])
        let run = run(folder.path)
        #expect(run.status == .done)
        #expect(run.output.contains("can't tell at "))
        #expect(run.errors == "nothing found, 1 question\n")
    }

    @Test("--json prints an object an app, with stable names, and is its own baseline")
    func json() throws {
        let folder = try app()
        let run = run(folder.path, "--json")
        let object = try #require(run.objects().first)
        #expect(
            object.members.map(\.key) == [
                "answers", "app", "complete", "findings", "foundBy", "leftOut", "lifeCycle",
                "line", "manifest", "path", "questions", "sceneDelegates", "target", "ways",
            ])
        #expect(object["answers"]?.arrayValue?.count == 8)
        #expect(object["ways"]?.arrayValue?.count == 10)
        let known = "\(folder.path)/known.json"
        try Data(run.output.utf8).write(to: URL(filePath: known))
        let again = self.run(folder.path, "--baseline", known)
        #expect(again.status == .done)
        #expect(again.errors == "nothing found, 3 left out\n")
        #expect(self.run(folder.path, "--baseline", "/nowhere").status == .usage)
    }

    @Test("--sarif prints one log")
    func sarif() throws {
        let folder = try app()
        let run = run(folder.path, "--sarif")
        #expect(run.status == .answeredNo)
        let log = try #require(run.objects().first)
        #expect(log["version"] == "2.1.0")
        let results = log["runs"]?.arrayValue?.first?.objectValue?["results"]?.arrayValue ?? []
        let texts = results.compactMap {
            $0.objectValue?["message"]?.objectValue?["text"]?.stringValue
        }
        #expect(texts.count == 3)
        for text in texts {
            #expect(text.first?.isUppercase == true, "\(text)")
        }
    }

    @Test("what lies beyond 5 000 findings is named, in JSON and SARIF too, and nothing at 5 000")
    func cut() throws {
        func folder(_ windows: Int) throws -> Folder {
            try Folder([
                ("AppDelegate.swift", Self.delegate), ("Info.plist", Self.plist),
                (
                    "W.swift",
                    "func f() {\n"
                        + (0..<windows).map { number in
                            "let a\(number) = UIApplication.shared.delegate?.window\n"
                        }.joined() + "}\n"
                ),
            ])
        }
        func complete(_ run: ToolRun) throws -> CanonicalJSON? {
            try run.objects().first?["complete"]
        }
        let few = try folder(1)
        let others =
            try #require(
                run(few.path, "--json").objects().first?["findings"]?.arrayValue
            ).count - 1
        for more in [0, 1] {
            let folder = try folder(5_000 - others + more)
            let sentence =
                "\(folder.path)AppDelegate.swift: only the first 5000 findings and questions of "
                + "AppDelegate are listed; there are more"
            let json = run(folder.path, "--json")
            #expect(try complete(json) == (more == 0 ? true : false))
            #expect(json.status == .answeredNo)
            let object = try #require(json.objects().first)
            #expect(object["findings"]?.arrayValue?.count == 5_000)
            #expect(json.errors.contains("warning: \(sentence)\n") == (more == 1))
            guard more == 1 else {
                continue
            }
            let log = run(folder.path, "--sarif")
            #expect(log.errors.contains("warning: \(sentence)\n"))
            #expect(log.output.contains(sentence))
        }
    }

    @Test("--baseline refuses what adopt --json doesn't print, and warns about an empty file")
    func baseline() throws {
        let folder = try app()
        let file = "\(folder.path)known.json"
        for (text, reason) in [
            ("[\n", "column 2: the text ends"), ("{\"a\":1}\n", "a line has no findings"),
            ("{\"findings\":[1]}\n", "a finding has no fingerprint"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: file))
            let run = run(folder.path, "--baseline", file)
            #expect(run.status == .usage)
            #expect(
                run.errors.hasPrefix("scenestore: '\(file)' is not what 'adopt --json' prints: "))
            #expect(run.errors.contains(reason), "\(run.errors)")
        }
        try Data().write(to: URL(filePath: file))
        let run = run(folder.path, "--baseline", file)
        #expect(run.status == .answeredNo)
        #expect(run.errors == "warning: the baseline '\(file)' is empty\n3 errors\n")
    }

    @Test("--table prints the ten ways, what is handled and what is dropped")
    func table() throws {
        let folder = try app()
        let run = run(folder.path, "--table")
        #expect(run.output.contains("launch from a link"))
        #expect(run.output.contains("will, did, open ✓, didBecomeActive"))
        #expect(run.output.contains("will, did, connect ✗, fg, active"))
        #expect(run.output.contains("✓ handled  ✗ dropped  ? can't tell"))
    }

    @Test("L-90 paths that can't be read, and folders without an app, exit with 2")
    func nothing() throws {
        #expect(run("/nowhere").status == .usage)
        #expect(run("/nowhere").errors.hasPrefix("scenestore: cannot read '/nowhere'"))
        let folder = try Folder([("a.swift", "let a = 1")])
        for option in [[], ["--json"], ["--sarif"]] {
            let run = ToolWorld().run(["adopt", folder.path] + option)
            #expect(run.status == .usage)
            #expect(run.errors.hasPrefix("no app was found"))
        }
    }

    @Test("L-90 a target that is named is judged alone, and one that isn't there is wrong usage")
    func target() throws {
        let text = """
            targets:
              One:
                type: application
                platform: iOS
                sources: One
              Two:
                type: application
                platform: iOS
                sources: Two
            """
        let folder = try Folder([
            ("project.yml", text),
            ("One/A.swift", "@main struct One: App { var body: some Scene { WindowGroup {} } }"),
            ("Two/B.swift", "@main struct Two: App { var body: some Scene { WindowGroup {} } }"),
        ])
        #expect(try run(folder.path, "--json").objects().count == 2)
        let two = try run(folder.path, "--json", "--target", "Two").objects()
        #expect(two.map { $0["target"] } == ["Two"])
        let other = run(folder.path, "--target", "Three")
        #expect(other.status == .usage)
        #expect(other.errors.contains("no target Three builds an iPhone app; there are: One, Two"))
    }

    @Test("text of a source does not reach a terminal raw")
    func escaping() throws {
        let folder = try Folder([
            ("App\u{1B}[31m/AppDelegate.swift", Self.delegate),
            ("App\u{1B}[31m/Info.plist", Self.plist),
        ])
        for option in [[], ["--json"], ["--sarif"], ["--table"]] {
            #expect(!ToolWorld().run(["adopt", folder.path] + option).output.contains("\u{1B}"))
        }
    }
}
