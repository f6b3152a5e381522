import Foundation
import SceneStoreAdoption
import Testing

@Suite("hostile sources")
struct HostileSourceTests {
    private func report(_ text: String, named name: String = "AppDelegate.swift") -> AdoptionReport
    {
        report([(name, Array(text.utf8))])
    }

    private func report(_ files: [(name: String, bytes: [UInt8])]) -> AdoptionReport {
        var reader = AdoptionReader()
        for file in files {
            reader.add(file.name, SourceTree.kind(file.name) ?? .swift, file.bytes)
        }
        return reader.report()
    }

    static let head = "@main class AppDelegate: UIResponder, UIApplicationDelegate {}\n"

    @Test(
        "deep nesting, endless text and many names end in time", .timeLimit(.minutes(10)),
        arguments: ["Hostile.swift", "Hostile.m"])
    func growth(_ name: String) {
        let many = 10_000
        let inputs = [
            String(repeating: "{", count: many), String(repeating: "}", count: many),
            String(repeating: "([{", count: many), String(repeating: "<", count: many),
            String(repeating: "\"\\(", count: many), String(repeating: "/*", count: many),
            String(repeating: "#if A\n", count: many), String(repeating: "#\"", count: many),
            String(repeating: "class A: B {", count: 2_000),
            String(repeating: "func scene(_ ", count: 2_000),
            String(repeating: "if #available(iOS 13, *) { return } else ", count: 2_000),
            String(repeating: "@interface A : B <", count: 2_000),
            String(repeating: "- (void)a:(b)c ", count: 2_000),
            String(repeating: "appDelegate.window ", count: 2_000),
            String(repeating: "UIWindow(frame: x) ", count: 2_000),
            String(repeating: "let d = UIApplication.shared.delegate; d.window ", count: 2_000),
            String(repeating: "func a() { b(session.persistentIdentifier) } ", count: 2_000),
            (0..<2_000).map { "class A\($0): A\($0 + 1) {}" }.joined(separator: "\n"),
            (0..<200).map { "@main class M\($0): UIApplicationDelegate {}" }.joined(
                separator: "\n"),
            (0..<2_000).map { "func f\($0 % 20)(_ a: Int) { f\(($0 + 1) % 20)(a) }" }
                .joined(separator: "\n"),
        ]
        for input in inputs {
            let result = report([
                ("AppDelegate.swift", Array(Self.head.utf8)), (name, Array(input.utf8)),
            ])
            #expect(result.apps.count <= 201)
        }
    }

    @Test(
        "a function that calls many that call many is given up, not guessed",
        .timeLimit(.minutes(10)))
    func branching() throws {
        var text = Self.head
        text += """
            class SceneDelegate: UIResponder, UIWindowSceneDelegate {
                func scene(_ s: UIScene, willConnectTo t: UISceneSession,
                    options o: UIScene.ConnectionOptions) { a(o.urlContexts) }
                func scene(_ s: UIScene, openURLContexts c: Set<UIOpenURLContext>) { a(c) }

            """
        for type in 0..<15 {
            text += "}\nextension T\(type) { func a(_ x: Any) {\n"
            text += String(repeating: "a(x); _ = x\n", count: 500) + "}\n"
        }
        let app = try #require(report(text + "}").apps.first)
        #expect(app.answers.first?.isLost != .yes)
    }

    @Test("a source that ends anywhere, or has any byte changed, is read")
    func cut() {
        var count = 0
        func read(_ name: String, _ bytes: some Sequence<UInt8>) {
            #expect(report([(name, Array(bytes))]).apps.count <= 1)
            count += 1
        }
        let others = CorpusTests.samples.filter { $0.name.hasPrefix("swift") }
        for sample in CorpusTests.samples.prefix(8) + others {
            for file in sample.app.files where file.name != "Info.plist" {
                let bytes = Array(file.text.utf8)
                for length in stride(from: 0, to: bytes.count, by: 61) {
                    read(file.name, bytes[..<length])
                }
                for place in stride(from: 0, to: bytes.count, by: 89) {
                    var changed = bytes
                    changed[place] = UInt8(truncatingIfNeeded: Int(changed[place]) * 31 + place)
                    read(file.name, changed)
                }
            }
        }
        #expect(count > 700)
    }

    @Test(
        "R-65 a file may begin and end with anything that is asked about",
        arguments: [
            "window.makeKeyAndVisible()\nlet window = UIWindow(frame: r)\n",
            "application(a, didReceiveRemoteNotification: b)\n",
            "let c = UISceneConfiguration(name: x", "let c = UISceneConfiguration(name: \"x\"",
        ])
    func edges(_ text: String) throws {
        let delegate = """
            @main class AppDelegate: UIResponder, UIApplicationDelegate {
                func application(_ a: UIApplication, didReceiveRemoteNotification b: [String: Any],
                    fetchCompletionHandler c: @escaping (UIBackgroundFetchResult) -> Void) { d(b) }
                func application(_ a: UIApplication, didUpdate b: NSUserActivity) { d(b) }
                func application(_ a: UIApplication, configurationForConnecting s: UISceneSession,
                    options: UIScene.ConnectionOptions) -> UISceneConfiguration {
                    UISceneConfiguration(name: "Default", sessionRole: s.role)
                }
            }
            """
        let plist = MadeUpApp.plist(MadeUpApp.manifest("SceneDelegate"))
        let scene = "class SceneDelegate: UIResponder, UIWindowSceneDelegate {}"
        for text in [text, text.replacing("didReceiveRemoteNotification", with: "didUpdate")] {
            let result = report([
                ("Info.plist", Array(plist.utf8)), ("AppDelegate.swift", Array(delegate.utf8)),
                ("SceneDelegate.swift", Array(scene.utf8)), ("Other.swift", Array(text.utf8)),
            ])
            #expect(result.apps.count == 1)
        }
    }

    static let handler = """
        @main class AppDelegate: UIResponder, UIApplicationDelegate {
            // The application delegate alone takes links.
            func application(_ a: UIApplication, open url: URL, options: [String: Any]) -> Bool {
                Router.open(url)
            }
        }

        """

    @Test(
        "the encoding and the ends of lines make no difference",
        arguments: ["\n", "\r\n", "\r"])
    func encodings(_ lineEnd: String) throws {
        let text = Self.handler.split(separator: "\n", omittingEmptySubsequences: false)
            .joined(separator: lineEnd)
        let units = [0xFEFF] + Array(text.utf16)
        let files: [[UInt8]] = [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8),
            units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] },
            units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] },
        ]
        for bytes in files {
            let app = try #require(report([("AppDelegate.swift", bytes)]).apps.first)
            let lost = try #require(app.findings.first { $0.code.rawValue == "AD003" })
            #expect(lost.line == 3)
        }
        // Half a character more, and nothing but the mark.
        for bytes in [files[2] + [0x41], [0xFF, 0xFE], [0xFE], [0xFF, 0xFE, 0x41]] {
            #expect(report([("AppDelegate.swift", bytes)]).apps.count <= 1)
        }
    }

    @Test("columns are counted as SARIF counts them")
    func columns() throws {
        let before = "    /* ü€😀 */ func "
        let text = Self.handler.replacing("    func ", with: before)
        let app = try #require(report(text).apps.first)
        let lost = try #require(app.findings.first { $0.code.rawValue == "AD003" })
        #expect(lost.column == before.utf16.count + 1)
    }

    @Test("a source that is no file is passed over, and a link to a file is read")
    func oddFiles() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "adopt-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let below = folder.appending(path: "Folder.swift")
        try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
        let path = folder.path(percentEncoded: false)
        let file = folder.appending(path: "AppDelegate.swift")
        try Data(Self.handler.utf8).write(to: file)
        let links = [
            ("Loop.swift", "Loop.swift"), ("Missing.swift", "../nothing.swift"),
            ("Other.swift", "AppDelegate.swift"), ("Up.swift", ".."), ("up", ".."),
        ]
        for (name, destination) in links {
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/\(name)", withDestinationPath: destination)
        }
        #expect(mkfifo("\(path)/Pipe.swift", 0o600) == 0)
        let names = try SourceTree(path).entries.map { $0.path.split(separator: "/").last }
        #expect(names == ["AppDelegate.swift", "Other.swift"])
    }

    @Test("a file that is too large is named and not read; one byte less is read")
    func size() {
        let limit = 4 << 20
        let text = Array(Self.head.utf8)
        let blank = [UInt8](repeating: UInt8(ascii: " "), count: limit - text.count)
        #expect(report([("A.swift", text + blank)]).cutFiles == [])
        let over = report([("A.swift", text + blank + [UInt8(ascii: " ")])])
        #expect(over.cutFiles == ["A.swift"])
        #expect(over.apps.isEmpty)
    }

    @Test("bytes that are no text, and a plist that is none, are no error")
    func noise() throws {
        var bytes: [UInt8] = Array(Self.head.utf8)
        var state: UInt64 = 7
        for _ in 0..<10_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes.append(UInt8(truncatingIfNeeded: state >> 33))
        }
        let result = report([
            ("AppDelegate.swift", bytes), ("Info.plist", Array(bytes.suffix(1_000))),
            ("B.m", bytes),
        ])
        let app = try #require(result.apps.first)
        #expect(app.questions.contains { $0.message.contains("can't be read") })
    }
}
