import SceneStoreAdoption
import SceneStoreFormats
import SceneStoreValues
import Testing

@Suite("adoption reports")
struct AdoptionReportTests {
    static let old = """
        @main class AppDelegate: UIResponder, UIApplicationDelegate {
            func applicationDidEnterBackground(_ application: UIApplication) { save() }
            func application(_ app: UIApplication, open url: URL,
                options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool { route(url) }
        }
        """

    private func report(_ files: (String, String)...) -> AdoptionReport {
        var reader = AdoptionReader()
        for (name, text) in files {
            if let kind = SourceTree.kind(name) {
                reader.add(name, kind, Array(text.utf8))
            }
        }
        return reader.report()
    }

    @Test("files belong to the app that is nearest in the folders, and shared ones to each")
    func severalApps() throws {
        let scene = "class SceneDelegate: UIResponder, UIWindowSceneDelegate {\n"
        let open = "func scene(_ s: UIScene, openURLContexts c: Set<UIOpenURLContext>) { go(c) }\n}"
        let report = report(
            ("One/AppDelegate.swift", Self.old),
            ("One/Info.plist", MadeUpApp.plist("")),
            (
                "Shared/Base.swift",
                "class Base: UIWindow { func f() { let b = Base(frame: .zero); b.makeKey() } }"
            ),
            ("Two/Sources/AppDelegate.swift", "@main class AppDelegate: UIApplicationDelegate {}"),
            ("Two/Sources/SceneDelegate.swift", scene + open),
            ("Two/Info.plist", MadeUpApp.plist(MadeUpApp.manifest("SceneDelegate"))))
        #expect(
            report.apps.map(\.path) == ["One/AppDelegate.swift", "Two/Sources/AppDelegate.swift"])
        #expect(report.apps.map(\.manifestPath) == ["One/Info.plist", "Two/Info.plist"])
        #expect(report.apps.map(\.lifeCycle) == [.application, .scenes])
        let codes = report.apps.map { $0.findings.map(\.code.rawValue) }
        #expect(codes == [["AD001", "AD002", "AD003", "AD007", "AD012"], ["AD003", "AD012"]])
    }

    @Test("entry points of other platforms, and of no app, are none")
    func otherEntries() {
        let report = report(
            (
                "Mac/AppDelegate.swift",
                "@main class AppDelegate: NSObject, NSApplicationDelegate {}"
            ),
            ("Mac/Info.plist", MadeUpApp.plist("")),
            ("Tool/Main.swift", "@main class Main { static func main() {} }"),
            ("Widget/Widget.swift", "@main struct Widgets: WidgetBundle {}"),
            ("iOS/AppDelegate.swift", Self.old), ("iOS/Info.plist", MadeUpApp.plist("")))
        #expect(report.apps.map(\.path) == ["iOS/AppDelegate.swift"])
    }

    @Test("a manifest that is named counts for every app, and no other")
    func namedManifest() throws {
        var reader = AdoptionReader()
        reader.addManifest(
            "Build/Info.plist", Array(MadeUpApp.plist(MadeUpApp.manifest("SceneDelegate")).utf8))
        reader.add("Info.plist", .manifest, Array(MadeUpApp.plist("").utf8))
        reader.add("AppDelegate.swift", .swift, Array(Self.old.utf8))
        let app = try #require(reader.report().apps.first)
        #expect(app.manifestPath == "Build/Info.plist")
        let missing = try #require(app.findings.first { $0.code == .missingDelegate })
        #expect(missing.line == 7)
    }

    @Test("a place has the line and the column of the name")
    func places() throws {
        let report = report(("AppDelegate.swift", Self.old), ("Info.plist", MadeUpApp.plist("")))
        let finding = try #require(report.findings.first { $0.code == .deadMethod })
        #expect(finding.line == 2)
        #expect(finding.column == 10)
        #expect(finding.subject == "applicationDidEnterBackground(_:)")
    }

    @Test("L-60 L-61 a method that is dead is told when the one that replaces it comes")
    func replacements() {
        let methods = [
            "func applicationDidBecomeActive(_ a: UIApplication) { go() }",
            "func applicationDidEnterBackground(_ a: UIApplication) { go() }",
            "func application(_ a: UIApplication, userDidAcceptCloudKitShareWith m: M) { go() }",
            "func application(_ a: UIApplication, willContinueUserActivityWithType t: String) "
                + "-> Bool { go() }",
        ]
        let text =
            "@main class AppDelegate: UIResponder, UIApplicationDelegate {\n"
            + methods.joined(separator: "\n") + "\n}"
        let report = report(
            ("AppDelegate.swift", text), ("Info.plist", MadeUpApp.plist("")))
        let reasons = report.findings.filter { $0.code == .deadMethod }.map(\.why)
        #expect(
            reasons == [
                "sceneDidBecomeActive(_:) comes instead, at a launch and whenever the scene becomes "
                    + "active, and does not do its work",
                "sceneDidEnterBackground(_:) comes instead, whenever the scene goes to the "
                    + "background, and does not do its work",
                "windowScene(_:userDidAcceptCloudKitShareWith:) comes instead, for the running app "
                    + "(a share that starts the app is in connectionOptions."
                    + "cloudKitShareMetadata), and does not do its work",
                "scene(_:willContinueUserActivityWithType:) comes instead, before "
                    + "scene(_:continue:), and does not do its work",
            ])
    }

    private func reasons(_ name: String) throws -> [String] {
        let sample = try #require(CorpusTests.samples.first { $0.name == name })
        return sample.app.report().apps.flatMap(\.findings).map(\.why)
    }

    @Test("L-91 a dead method that something unknown may call stays, and says so")
    func unresolvedCall() throws {
        let why = try #require(reasons("call-that-is-not-resolved.app").first)
        #expect(
            why.hasSuffix(
                "unless the application delegate gets the call in Services.swift, which can't be "
                    + "told"))
        #expect(try reasons("selector-of-another.app").allSatisfy { !$0.contains("unless") })
    }

    @Test("L-91 a method of which a part moved names the part that did not")
    func partlyMoved() throws {
        #expect(
            try reasons("partly-moved.app") == [
                "sceneDidEnterBackground(_:) comes instead, whenever the scene goes to the "
                    + "background, and does a part of its work, without refresh"
            ])
    }

    @Test("L-92 a view that is taken by force crashes, and another one is missing")
    func launchWindow() throws {
        func message(_ name: String) throws -> String? {
            let sample = try #require(CorpusTests.samples.first { $0.name == name })
            return sample.app.report().apps.flatMap(\.findings).first?.message
        }
        #expect(
            try message("launch-window-forced.app")?.hasSuffix("so the app crashes here") == true)
        #expect(
            try message("launch-window-in-a-function.app")?.hasSuffix("so there is no view here")
                == true)
    }

    @Test("L-92 a repair says where it would be too early")
    func tooEarly() throws {
        func fix(_ name: String) throws -> String? {
            let text =
                "class V: UIViewController { override func \(name)() { "
                + "UIApplication.shared.delegate?.window??.tintColor = .red } }"
            let report = report(
                ("AppDelegate.swift", "@main class A: UIResponder, UIApplicationDelegate {}"),
                ("V.swift", text), ("Info.plist", MadeUpApp.plist("")))
            return report.findings.first { $0.code == .delegateWindow }?.fix
        }
        #expect(try fix("viewDidLoad")?.hasSuffix("because the view has no window yet") == true)
        #expect(try fix("tapped")?.hasSuffix("for its window") == true)
    }

    @Test("L-61 a callback that is there and does nothing is not to be implemented, but used")
    func idleCallback() throws {
        let text = """
            @main class AppDelegate: UIResponder, UIApplicationDelegate {
                func application(_ app: UIApplication, open url: URL,
                    options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool { Router.open(url) }
            }
            class SceneDelegate: UIResponder, UIWindowSceneDelegate {
                func scene(_ s: UIScene, openURLContexts c: Set<UIOpenURLContext>) { print(c) }
            }
            """
        let app = try #require(
            report(
                ("A.swift", text),
                ("Info.plist", MadeUpApp.plist(MadeUpApp.manifest("SceneDelegate")))
            ).apps.first)
        let lost = try #require(app.findings.first { $0.code == .warmLink })
        #expect(lost.message.hasSuffix("is implemented, but does nothing with it"))
        #expect(lost.fix.hasPrefix("use it in scene(_:openURLContexts:)"))
    }

    @Test("an app of SwiftUI's has its name and line, though its file has nothing else of interest")
    func swiftUIName() throws {
        let text = "import SwiftUI\n\n@main struct ShelfApp: App {\n"
        let app = try #require(report(("A.swift", text + "}")).apps.first)
        #expect(app.name == "ShelfApp")
        #expect(app.line == 3)
    }

    @Test("a lost quick action is called one, in each sentence")
    func quickAction() throws {
        let text = """
            @main class AppDelegate: UIResponder, UIApplicationDelegate {
                func application(_ a: UIApplication, performActionFor s: UIApplicationShortcutItem,
                    completionHandler: (Bool) -> Void) { go(s) }
            }
            """
        let report = report(("AppDelegate.swift", text), ("Info.plist", MadeUpApp.plist("")))
        let lost = report.findings.filter { [.coldShortcut, .warmShortcut].contains($0.code) }
        #expect(lost.count == 2)
        #expect(lost.allSatisfy { $0.why.hasPrefix("a ") && $0.why.contains("a quick action") })
    }

    @Test("a baseline leaves out what is known, as often as it is known, wherever it moved")
    func baseline() throws {
        let first = report(("AppDelegate.swift", Self.old), ("Info.plist", MadeUpApp.plist("")))
        let text = first.apps.map(\.json.text).joined(separator: "\n")
        let baseline = try AdoptionBaseline(Array(text.utf8))
        var same = report(
            ("AppDelegate.swift", "\n\n" + Self.old), ("Info.plist", MadeUpApp.plist("")))
        let count = same.findings.count
        baseline.apply(to: &same)
        #expect(same.findings.isEmpty)
        #expect(same.apps.first?.leftOut == count)
        var more = report(
            (
                "AppDelegate.swift",
                Self.old + "\nfunc f() { let w = UIWindow(frame: .zero); w.makeKey() }"
            ),
            ("Info.plist", MadeUpApp.plist("")))
        baseline.apply(to: &more)
        #expect(more.findings.map(\.code) == [.windowWithoutScene])
        var two = report(
            (
                "AppDelegate.swift",
                Self.old + "\nfunc f() { var w = UIWindow(frame: .zero); w.makeKey()\n"
                    + "w = UIWindow(frame: .zero) }"
            ), ("Info.plist", MadeUpApp.plist("")))
        let one = report(
            (
                "AppDelegate.swift",
                Self.old + "\nfunc f() { let w = UIWindow(frame: .zero); w.makeKey() }"
            ),
            ("Info.plist", MadeUpApp.plist("")))
        try AdoptionBaseline(Array(one.apps.map(\.json.text).joined().utf8)).apply(to: &two)
        #expect(two.findings.map(\.code) == [.windowWithoutScene])
    }

    @Test("L-94 a baseline knows a finding whatever way the path was spelled, of its target alone")
    func baselinePaths() throws {
        let first = report(("a/AppDelegate.swift", Self.old), ("a/Info.plist", MadeUpApp.plist("")))
        let text = first.apps.map(\.json.text).joined(separator: "\n")
        let baseline = try AdoptionBaseline(Array(text.utf8))
        var moved = report(
            ("/there/b/AppDelegate.swift", Self.old), ("/there/b/Info.plist", MadeUpApp.plist("")))
        baseline.apply(to: &moved)
        #expect(moved.findings.isEmpty)
        var other = report(
            ("a/AppDelegate.swift", Self.old.replacing("class AppDelegate", with: "class Other")),
            ("a/Info.plist", MadeUpApp.plist("")))
        let count = other.findings.count
        baseline.apply(to: &other)
        #expect(other.findings.count == count)
    }

    @Test("L-94 SARIF has each question as a note, with a rule, a place and a fingerprint")
    func sarifQuestions() throws {
        let report = report(("AppDelegate.swift", Self.old))
        let questions = report.questions
        #expect(questions.count == 1)
        guard case .object(let log) = SARIFLog.json(report, version: "1"),
            case .array(let runs)? = log["runs"], case .object(let run)? = runs.first,
            case .array(let results)? = run["results"]
        else {
            Issue.record("the log has another shape")
            return
        }
        let notes = results.filter { $0["level"] == "note" }
        #expect(notes.count == 1)
        let note = try #require(notes.first)
        #expect(note["ruleId"] == "question")
        #expect(note["ruleIndex"] == .integer(Int64(FindingCode.allCases.count)))
        #expect(note["message"]?.text.contains("no Info.plist was found") == true)
        #expect(note["partialFingerprints"] != nil)
        #expect(results.count == report.findings.count + 1)
    }

    @Test("what is no baseline is refused")
    func badBaseline() {
        for text in ["{", "[]", "{\"findings\":1}", "nonsense"] {
            #expect(throws: SceneStoreError.self) { try AdoptionBaseline(Array(text.utf8)) }
        }
    }

    @Test("SARIF names every code as a rule, and each finding with rule, place and fingerprint")
    func sarif() throws {
        let report = report(
            ("An App/AppDelegate.swift", Self.old), ("An App/Info.plist", MadeUpApp.plist("")))
        guard case .object(let log) = SARIFLog.json(report, version: "1"),
            case .array(let runs)? = log["runs"], case .object(let run)? = runs.first,
            case .array(let results)? = run["results"], case .object(let result)? = results.first,
            case .object(let tool)? = run["tool"], case .object(let driver)? = tool["driver"],
            case .array(let rules)? = driver["rules"]
        else {
            Issue.record("the log has another shape")
            return
        }
        #expect(log["version"] == "2.1.0")
        #expect(rules.count == FindingCode.allCases.count + 1)
        #expect(results.count == report.findings.count)
        #expect(result["ruleId"] == "AD001")
        #expect(result["ruleIndex"] == 0)
        #expect(result["level"] == "error")
        #expect(result["locations"]?.text.contains("\"uri\":\"An%20App/Info.plist\"") == true)
        #expect(result["partialFingerprints"] != nil)
    }

    @Test("L-66 the ten ways are those of the scenarios, without scenes and with them")
    func ways() throws {
        let app = try #require(
            report(("AppDelegate.swift", Self.old), ("Info.plist", MadeUpApp.plist(""))).apps.first)
        let expected = try RepositoryText.read("Examples/Scenarios/pre-scene.scenario")
            .split(separator: "\n").filter { $0.hasPrefix("expect ") }.prefix(10)
            .map { $0.dropFirst(7).split(separator: " ").map(String.init) }
        #expect(app.ways.map { $0.withoutScenes.map(\.name) } == expected)
        // L-60, L-61.
        let launch = ["will", "did", "connect", "fg", "active"]
        #expect(
            app.ways.map { $0.withScenes.map(\.name) } == [
                launch, ["fg", "active"], launch, ["url", "fg", "active"], launch,
                ["fg", "willContinue", "continue", "active"],
                ["will", "did", "connect", "response", "fg", "active"],
                ["fg", "response", "active"], launch, ["fg", "shortcut", "active"],
            ])
        #expect(app.ways[2].withoutScenes.map(\.mark) == [.unused, .unused, .handled, .unused])
        #expect(
            app.ways[2].withScenes.map(\.mark)
                == [.unused, .unused, .dropped, .unused, .unused])
        #expect(app.ways[3].withScenes.map(\.mark) == [.dropped, .unused, .unused])
    }

    @Test("L-61 the ten ways mark what the application delegate did and the scene delegate drops")
    func droppedWays() throws {
        let text = """
            @main class AppDelegate: UIResponder, UIApplicationDelegate {
                func applicationWillEnterForeground(_ a: UIApplication) { go() }
                func application(_ a: UIApplication,
                    willContinueUserActivityWithType t: String) -> Bool { spin() }
            }
            """
        let app = try #require(
            report(("AppDelegate.swift", text), ("Info.plist", MadeUpApp.plist(""))).apps.first)
        #expect(
            app.ways[5].withoutScenes.map(\.mark) == [.handled, .handled, .unused, .unused])
        #expect(app.ways[5].withScenes.map(\.mark) == [.dropped, .dropped, .unused, .unused])
    }

    @Test("no Info.plist: whether there are scenes can't be told, and is asked")
    func noManifest() throws {
        let app = try #require(report(("AppDelegate.swift", Self.old)).apps.first)
        #expect(app.lifeCycle == .unknown)
        #expect(!app.findings.contains { $0.code == .noManifest })
        #expect(app.questions.contains { $0.message.contains("no Info.plist") })
    }

    @Test("a manifest that the build makes can't be told")
    func generated() throws {
        let app = try #require(
            report(
                ("AppDelegate.swift", Self.old), ("Info.plist", MadeUpApp.plist("")),
                (
                    "App.xcodeproj/project.pbxproj",
                    "INFOPLIST_KEY_UIApplicationSceneManifest_Generation = YES;"
                )
            ).apps.first)
        #expect(app.lifeCycle == .unknown)
        #expect(!app.findings.contains { $0.code == .noManifest })
    }

    @Test("a provider is a manifest made in code")
    func provider() throws {
        let text = """
            @main class AppDelegate: UIResponder, UIApplicationDelegate {
                func application(_ a: UIApplication, configurationForConnecting s: UISceneSession,
                    options: UIScene.ConnectionOptions) -> UISceneConfiguration {
                    let c = UISceneConfiguration(name: nil, sessionRole: s.role)
                    c.delegateClass = Second.self
                    return c
                }
            }
            class First: UIResponder, UIWindowSceneDelegate {}
            class Second: UIResponder, UIWindowSceneDelegate {}
            """
        let app = try #require(
            report(("AppDelegate.swift", text), ("Info.plist", MadeUpApp.plist(""))).apps.first)
        #expect(app.lifeCycle == .scenes)
        #expect(app.sceneDelegates == ["Second"])
        #expect(app.findings.isEmpty)
    }
}
