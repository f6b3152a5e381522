import SceneStoreAdoption
import Testing

@Suite("finding the apps of a repository")
struct AppFinderTests {
    static let delegate = "class AppDelegate: UIResponder, UIApplicationDelegate {}"

    private func reader(_ files: [(String, String)]) -> AdoptionReader {
        var reader = AdoptionReader()
        for (name, text) in files {
            if let kind = SourceTree.kind(name) {
                reader.add(name, kind, Array(text.utf8))
            }
        }
        return reader
    }

    private func apps(_ files: (String, String)...) -> [AppReport] {
        reader(files).report().apps
    }

    /// A project whose targets have a type, settings and files each.
    static func project(
        _ targets: (name: String, type: String, settings: String, files: [String])...,
        synchronized: String = ""
    ) -> String {
        var objects = ""
        var references = ""
        for (index, target) in targets.enumerated() {
            objects += """
                T\(index) = { isa = PBXNativeTarget; name = "\(target.name)";
                productType = "com.apple.product-type.\(target.type)"; buildPhases = (P\(index));
                buildConfigurationList = L\(index); \(synchronized) };
                L\(index) = { buildConfigurations = (C\(index)); };
                C\(index) = { name = Release; buildSettings = { \(target.settings) }; };
                P\(index) = { isa = PBXSourcesBuildPhase; files = (
                """
            objects += target.files.indices.map { "B\(index)_\($0)," }.joined() + "); };\n"
            for (number, file) in target.files.enumerated() {
                objects += "B\(index)_\(number) = { fileRef = F\(index)_\(number); };\n"
                objects +=
                    "F\(index)_\(number) = { path = \"\(file)\"; sourceTree = \"<group>\"; };\n"
                references += "F\(index)_\(number), "
            }
        }
        return """
            // !$*UTF8*$!
            { archiveVersion = 1; objects = {
            /* Begin */
            \(objects)
            G = { isa = PBXGroup; children = (\(references)S, ); sourceTree = "<group>"; };
            S = { isa = PBXFileSystemSynchronizedRootGroup; path = App; exceptions = (E);
                sourceTree = "<group>"; };
            E = { membershipExceptions = (Old.swift,); target = T0; };
            M = { mainGroup = G; targets = (\(targets.indices.map { "T\($0)" }
                .joined(separator: ", ")));
            }; }; rootObject = M; }
            """
    }

    @Test("L-90 a class that UIApplicationMain gets by a variable is found, in both languages")
    func variable() {
        let swift = apps(
            (
                "main.swift",
                """
                let name: AnyClass = NSClassFromString("MockAppDelegate") ?? AppDelegate.self
                UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil,
                    NSStringFromClass(name))
                """
            ), ("AppDelegate.swift", Self.delegate),
            ("Mock.swift", "class MockAppDelegate: UIResponder, UIApplicationDelegate {}"))
        #expect(swift.map(\.name) == ["AppDelegate"])
        let objectiveC = apps(
            (
                "main.m",
                """
                int main(int c, char *v[]) {
                    Class name = NSClassFromString(@"App.AppDelegate");
                    return UIApplicationMain(c, v, nil, NSStringFromClass(name));
                }
                """
            ), ("AppDelegate.swift", Self.delegate))
        #expect(objectiveC.map(\.path) == ["AppDelegate.swift"])
    }

    @Test("L-90 a class of the system beside UIApplicationMain is no application delegate")
    func pool() {
        let found = apps(
            (
                "main.m",
                """
                int main(int c, char *v[]) {
                    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
                    return UIApplicationMain(c, v, nil, nil);
                }
                """
            ), ("AppDelegate.swift", Self.delegate))
        #expect(found.map(\.name) == ["AppDelegate"])
    }

    @Test("L-90 an app whose delegate may be one of two can't be told, and is not absent")
    func twoDelegates() throws {
        let found = apps(
            (
                "main.swift",
                """
                UIApplicationMain(CommandLine.argc, CommandLine.unsafeArgv, nil,
                    NSStringFromClass(isNew ? NewDelegate.self : OldDelegate.self))
                """
            ), ("A.swift", "class NewDelegate: UIResponder, UIApplicationDelegate {}"),
            ("B.swift", "class OldDelegate: UIResponder, UIApplicationDelegate {}"))
        let app = try #require(found.first)
        #expect(found.count == 1)
        #expect(app.lifeCycle == .unknown)
        #expect(app.questions.count == 1)
        #expect(app.findings.isEmpty)
    }

    @Test("L-90 the app of a watch, or a widget, does not hide the iPhone's")
    func otherMain() {
        let found = apps(
            ("Watch App/WatchApp.swift", "import SwiftUI\n@main struct WatchApp: App {}"),
            ("Clock/Clock.swift", "import WatchKit\n@main struct Clock: App {}"),
            (
                "macos/Runner/AppDelegate.swift",
                "import Cocoa\n@main class A: FlutterAppDelegate {}"
            ),
            ("Widget/Widget.swift", "@main struct Widgets: WidgetBundle {}"),
            ("App/AppDelegate.swift", Self.delegate))
        #expect(found.map(\.path) == ["App/AppDelegate.swift"])
    }

    @Test("L-90 a type that only starts a SwiftUI app is no app, and the one it starts is")
    func starter() {
        let found = apps(
            ("Main.swift", "@main struct Main { static func main() { Notes.main() } }"),
            ("Notes.swift", "struct Notes: App { var body: some Scene { WindowGroup {} } }"))
        #expect(found.map(\.name) == ["Notes"])
    }

    @Test("L-90 the targets of a project decide: application and iPhone, and no other")
    func targets() throws {
        let phone = "SDKROOT = iphoneos;"
        let text = Self.project(
            ("Notes", "application", phone, ["Notes.swift"]),
            ("Clock", "application", "SDKROOT = watchos;", ["Clock.swift"]),
            ("Share", "app-extension", phone, ["Share.swift"]),
            ("Desk", "application", "SUPPORTED_PLATFORMS = macosx;", ["Desk.swift"]),
            ("NotesTests", "bundle.unit-test", phone, ["Test.swift"]))
        let files = [
            ("Notes.xcodeproj/project.pbxproj", text),
            ("Notes.swift", "@main class A: UIResponder, UIApplicationDelegate {}"),
            ("Clock.swift", "@main struct C: App {}"),
            ("Share.swift", "class S: UIResponder { let w = UIWindow(frame: .zero) }"),
            ("Desk.swift", "@main struct D: App {}"),
            ("Test.swift", "class T { func f() { UIWindow(frame: .zero) } }"),
            ("Info.plist", MadeUpApp.plist("")),
        ]
        let found = reader(files).report().apps
        let app = try #require(found.first)
        #expect(found.map(\.name) == ["A"])
        #expect(app.target == "Notes")
        #expect(app.foundBy == "the target Notes of Notes.xcodeproj")
        #expect(app.findings.map(\.code) == [.noManifest])
        #expect(reader(files).targetNames == ["Notes"])
    }

    @Test("L-90 a target in which no entry point is found can't be told, and is not absent")
    func unknownTarget() throws {
        let found = apps(
            (
                "Notes.xcodeproj/project.pbxproj",
                Self.project(("Notes", "application", "SDKROOT = iphoneos;", ["A.swift"]))
            ), ("A.swift", "class A {}"))
        let app = try #require(found.first)
        #expect(app.name == "Notes")
        #expect(app.lifeCycle == .unknown)
        #expect(app.questions.map(\.path) == ["Notes.xcodeproj/project.pbxproj"])
    }

    @Test("L-90 a project with targets of other platforms alone has no app")
    func noTarget() {
        let found = apps(
            (
                "Desk.xcodeproj/project.pbxproj",
                Self.project(("Desk", "application", "SDKROOT = macosx;", ["Desk.swift"]))
            ), ("Desk.swift", "@main struct D: App {}"))
        #expect(found.isEmpty)
    }

    @Test("L-90 one of several targets can be chosen")
    func chosen() {
        let text = Self.project(
            ("One", "application", "SDKROOT = iphoneos;", ["One.swift"]),
            ("Two", "application", "SDKROOT = iphoneos;", ["Two.swift"]))
        let reader = reader([
            ("A.xcodeproj/project.pbxproj", text),
            ("One.swift", "@main class One: UIResponder, UIApplicationDelegate {}"),
            ("Two.swift", "@main class Two: UIResponder, UIApplicationDelegate {}"),
        ])
        #expect(reader.report().apps.map(\.name) == ["One", "Two"])
        #expect(reader.report(target: "Two").apps.map(\.name) == ["Two"])
        #expect(reader.targetNames == ["One", "Two"])
    }

    @Test("L-90 a copy of a project that is in no project's folder makes no app")
    func strayProject() {
        let kit = "SDKROOT = iphoneos;"
        let text = Self.project(("Notes", "application", kit, ["A.swift"]))
        let old = Self.project(("Old", "application", kit + "INFOPLIST_FILE = B;", ["A.swift"]))
        let reader = reader([
            ("Notes.xcodeproj/project.pbxproj", text), ("Old/project.pbxproj", old),
            ("A.swift", "@main " + Self.delegate),
        ])
        #expect(reader.targetNames == ["Notes"])
    }

    @Test("L-90 a target's own SDK counts, whatever the project supports")
    func ownKit() {
        let text = Self.project(
            ("Phone", "application", "", ["A.swift"]),
            ("Desk", "application", "SDKROOT = macosx;", ["B.swift"])
        ).replacing(
            "M = { mainGroup",
            with: """
                X = { buildConfigurations = (Y); };
                Y = { name = Release; buildSettings = { SUPPORTED_PLATFORMS = "iphoneos"; }; };
                M = { buildConfigurationList = X; mainGroup
                """)
        let reader = reader([
            ("A.xcodeproj/project.pbxproj", text), ("A.swift", "@main " + Self.delegate),
        ])
        #expect(reader.targetNames == ["Phone"])
    }

    @Test("L-90 a folder that a target builds counts, without what is taken out of it")
    func synchronizedFolder() {
        let text = Self.project(
            ("Notes", "application", "SDKROOT = iphoneos;", []),
            synchronized: "fileSystemSynchronizedGroups = (S);")
        let found = apps(
            ("A/Notes.xcodeproj/project.pbxproj", text),
            ("A/App/In/New.swift", "@main class New: UIResponder, UIApplicationDelegate {}"),
            ("A/App/Old.swift", "@main class Old: UIResponder, UIApplicationDelegate {}"))
        #expect(found.map(\.name) == ["New"])
    }

    @Test("L-90 the Info.plist is the one that the settings name, with their variables")
    func namedList() {
        let settings =
            "SDKROOT = iphoneos; KIND = Release; INFOPLIST_FILE = \"$(SRCROOT)/lists/${KIND}.plist\";"
        let found = apps(
            (
                "A/Notes.xcodeproj/project.pbxproj",
                Self.project(("Notes", "application", settings, ["App.swift"]))
            ),
            ("A/App.swift", "@main " + Self.delegate),
            ("A/Info.plist", MadeUpApp.plist("")),
            (
                "A/Lists/Release.plist",
                "<plist><dict><key>CFBundleIdentifier</key><string>a</string>"
                    + "\(MadeUpApp.manifest("SceneDelegate"))</dict></plist>"
            ), ("A/S.swift", "class SceneDelegate: UIResponder, UIWindowSceneDelegate {}"))
        #expect(found.map(\.manifestPath) == ["A/Lists/Release.plist"])
        #expect(found.map(\.lifeCycle) == [.scenes])
    }

    @Test(
        "L-90 an Info.plist that settings alone make has no scene manifest, unless they ask for one"
    )
    func generatedList() {
        func life(_ settings: String) -> [AppReport.LifeCycle] {
            apps(
                (
                    "Notes.xcodeproj/project.pbxproj",
                    Self.project(
                        (
                            "Notes", "application",
                            "SDKROOT = iphoneos; GENERATE_INFOPLIST_FILE = YES; \(settings)",
                            ["App.swift"]
                        ))
                ), ("App.swift", "@main " + Self.delegate)
            ).map(\.lifeCycle)
        }
        #expect(life("") == [.application])
        #expect(life("INFOPLIST_KEY_UIApplicationSceneManifest_Generation = YES;") == [.unknown])
        #expect(life("INFOPLIST_KEY_UIApplicationSceneManifest_Generation = NO;") == [.application])
    }

    @Test("L-90 settings may stand in files of their own")
    func settingsFile() {
        let text = Self.project(("Notes", "application", "SDKROOT = iphoneos;", ["App.swift"]))
            .replacing(
                "C0 = { name = Release;",
                with: "C0 = { name = Release; baseConfigurationReference = X;"
            )
            .replacing("children = (", with: "children = (X, ")
            .replacing("G = {", with: "X = { path = a.xcconfig; sourceTree = \"<group>\"; }; G = {")
        let found = apps(
            ("Notes.xcodeproj/project.pbxproj", text),
            ("a.xcconfig", "#include \"b.xcconfig\"\nINFOPLIST_FILE = $(DIR)/Info.plist // here\n"),
            ("b.xcconfig", "DIR = Lists\n"), ("App.swift", "@main " + Self.delegate),
            ("Lists/Info.plist", MadeUpApp.plist("")), ("Info.plist", MadeUpApp.plist("")))
        #expect(found.map(\.manifestPath) == ["Lists/Info.plist"])
    }

    @Test("L-90 a settings file that includes itself many times is read once")
    func repeatedInclude() {
        let text = Self.project(("Notes", "application", "", ["App.swift"])).replacing(
            "C0 = { name = Release;",
            with: """
                C0 = { name = Release; baseConfigurationReferenceAnchor = S;
                baseConfigurationReferenceRelativePath = a.xcconfig;
                """)
        let lines = String(repeating: "#include \"a.xcconfig\"\n", count: 30)
        let found = apps(
            ("Notes.xcodeproj/project.pbxproj", text),
            ("App/a.xcconfig", lines + "SDKROOT = iphoneos\n"),
            ("App.swift", "@main " + Self.delegate))
        #expect(found.map(\.name) == ["AppDelegate"])
    }

    @Test("L-90 a settings file in a synchronized folder is read, and tells a Mac's target")
    func anchoredSettingsFile() {
        let text = Self.project(("Notes", "application", "", ["App.swift"])).replacing(
            "C0 = { name = Release;",
            with: """
                C0 = { name = Release; baseConfigurationReferenceAnchor = S;
                baseConfigurationReferenceRelativePath = kinds/notes.xcconfig;
                """)
        func apps(_ kit: String, lineEnd: String = "\n") -> [AppReport] {
            self.apps(
                ("Notes.xcodeproj/project.pbxproj", text),
                ("App/kinds/notes.xcconfig", "DIR = Lists\(lineEnd)SDKROOT = \(kit)\(lineEnd)"),
                ("App.swift", "@main " + Self.delegate))
        }
        #expect(apps("macosx").isEmpty)
        #expect(apps("macosx", lineEnd: "\r\n").isEmpty)
        #expect(apps("iphoneos").map(\.name) == ["AppDelegate"])
    }

    @Test("L-90 a file that no target builds and that has a class of the app again is not read")
    func sameClass() throws {
        let text = Self.project(
            ("Notes", "application", "SDKROOT = iphoneos;", ["App/AppDelegate.swift"]))
        let old = """
            class AppDelegate: UIResponder, UIApplicationDelegate {
                func applicationDidEnterBackground(_ application: UIApplication) {}
            }
            """
        let new = "@main " + old.replacing("{}", with: "{ store.save() }")
        let found = apps(
            ("Notes.xcodeproj/project.pbxproj", text), ("Ancient/AppDelegate.swift", old),
            ("App/AppDelegate.swift", new),
            ("App/Store.swift", "extension AppDelegate { var store: Store { .shared } }"))
        let app = try #require(found.first)
        #expect(app.findings.contains { $0.code == .deadMethod })
    }

    @Test(
        "L-90 XcodeGen's targets, with templates and the Info.plist that they write",
        arguments: ["\n", "\r\n"])
    func xcodeGen(_ lineEnd: String) {
        let text = """
            name: Notes
            targetTemplates:
              Base:
                platform: iOS  # or iPadOS
                sources: [Shared]
            targets:
              Notes:
                templates: [Base]
                type: application
                sources:
                  - path: App
                    excludes:
                      - Old
                info:
                  path: App/Info.plist
                  properties:
                    UIApplicationSceneManifest:
                      UIApplicationSupportsMultipleScenes: true
                      UISceneConfigurations:
                        UIWindowSceneSessionRoleApplication:
                          - UISceneConfigurationName: Default
                            UISceneDelegateClassName: $(PRODUCT_MODULE_NAME).SceneDelegate
              Desk:
                type: application
                platform: macOS
                sources: Desk
            """
        let found = apps(
            ("G/project.yml", text.replacing("\n", with: lineEnd)),
            ("G/App/AppDelegate.swift", "@main " + Self.delegate),
            ("G/App/Old/Old.swift", "@main class Old: UIResponder, UIApplicationDelegate {}"),
            ("G/Desk/Desk.swift", "@main struct D: App {}"),
            ("G/Shared/S.swift", "class SceneDelegate: UIResponder, UIWindowSceneDelegate {}"))
        #expect(found.map(\.path) == ["G/App/AppDelegate.swift"])
        #expect(found.map(\.lifeCycle) == [.scenes])
        #expect(found.map(\.sceneDelegates) == [["SceneDelegate"]])
    }

    @Test("L-90 Tuist's targets, as far as they are written as they are")
    func tuist() {
        let text = """
            let project = Project(name: "Notes", targets: [
                .target(name: "Notes", destinations: .iOS, product: .app, bundleId: "a",
                    infoPlist: "App/Info.plist", sources: ["App/**"]),
                .target(name: "Desk", destinations: [.mac], product: .app, sources: ["Desk/**"]),
                .target(name: "NotesTests", destinations: .iOS, product: .unitTests,
                    sources: "Check/**"),
            ])
            """
        let found = apps(
            ("Project.swift", text), ("App/AppDelegate.swift", "@main " + Self.delegate),
            ("App/Info.plist", MadeUpApp.plist("")), ("Desk/Desk.swift", "@main struct D: App {}"),
            ("Check/Check.swift", "class C { func f() { UIWindow(frame: .zero) } }"))
        #expect(found.map(\.target) == ["Notes"])
        #expect(found.map(\.manifestPath) == ["App/Info.plist"])
        #expect(found.flatMap(\.findings).map(\.code) == [.noManifest])
    }

    @Test("L-90 of a Swift package only iOSApplication is an app")
    func package() {
        let package = """
            let package = Package(name: "A", products: [
                \(".iOSApplication(name: \"Play\", targets: [\"AppModule\"])"),
            ], targets: [
                .executableTarget(name: "AppModule", path: "Play"),
                .executableTarget(name: "Tool"), .testTarget(name: "ToolTests"),
            ])
            """
        let found = apps(
            ("P/Package.swift", package), ("P/Play/Play.swift", "@main struct Play: App {}"),
            ("P/Sources/Tool/Tool.swift", "@main struct Tool: App {}"))
        #expect(found.map(\.name) == ["Play"])
    }

    @Test("L-90 an example of a library counts only where there is no other app")
    func examples() {
        let project = Self.project(("A", "application", "SDKROOT = iphoneos;", ["A.swift"]))
        let example = [
            ("Example/A.xcodeproj/project.pbxproj", project),
            ("Example/A.swift", "@main " + Self.delegate),
        ]
        let app = [
            ("App/A.xcodeproj/project.pbxproj", project), ("App/A.swift", "@main " + Self.delegate),
        ]
        #expect(reader(example).report().apps.map(\.path) == ["Example/A.swift"])
        #expect(reader(example + app).report().apps.map(\.path) == ["App/A.swift"])
    }

    @Test("L-90 the files of an example are part of no other app")
    func exampleFiles() {
        let project = Self.project(("A", "application", "SDKROOT = iphoneos;", ["A.swift"]))
        let found = apps(
            ("A.xcodeproj/project.pbxproj", project), ("A.swift", "@main " + Self.delegate),
            ("Samples/S.swift", "class S: UIResponder, UIWindowSceneDelegate {}"),
            ("Info.plist", MadeUpApp.plist("")))
        #expect(found.map(\.sceneDelegates) == [[]])
    }

    @Test("L-90 targets that share a delegate are one app, unless their manifests differ")
    func sharedDelegate() {
        func project(_ list: String) -> String {
            Self.project(
                (
                    "One", "application", "SDKROOT = iphoneos; INFOPLIST_FILE = One.plist;",
                    ["A.swift"]
                ),
                (
                    "Two", "application", "SDKROOT = iphoneos; INFOPLIST_FILE = \(list);",
                    ["A.swift"]
                ))
        }
        let files = [
            ("A.swift", "@main " + Self.delegate),
            ("One.plist", MadeUpApp.plist("<key>CFBundleIdentifier</key><string>1</string>")),
            ("Same.plist", MadeUpApp.plist("<key>CFBundleIdentifier</key><string>2</string>")),
            (
                "Scenes.plist",
                MadeUpApp.plist(
                    "<key>CFBundleIdentifier</key><string>3</string>" + MadeUpApp.manifest("S"))
            ),
        ]
        let path = "A.xcodeproj/project.pbxproj"
        #expect(
            reader(files + [(path, project("Same.plist"))]).report().apps.map(\.foundBy)
                == ["the target One of A.xcodeproj, Two"])
        #expect(
            reader(files + [(path, project("Scenes.plist"))]).report().apps.map(\.target)
                == ["One", "Two"])
    }

    @Test("L-90 more than fifty apps are all judged")
    func many() {
        let files = (0..<61).map {
            ("A\($0)/A.swift", "@main class A\($0): UIResponder, UIApplicationDelegate {}")
        }
        #expect(reader(files).report().apps.count == 61)
    }

    @Test("L-90 a property list of Firebase, or of a watch, is no Info.plist of the app")
    func otherLists() {
        let found = apps(
            ("AppDelegate.swift", "@main " + Self.delegate),
            (
                "GoogleService-Info.plist",
                "<plist><dict><key>GOOGLE_APP_ID</key><string>1</string></dict></plist>"
            ), ("Info.plist", MadeUpApp.plist("")))
        #expect(found.map(\.manifestPath) == ["Info.plist"])
    }

    @Test("L-90 a property list that a build preprocesses is read without its directives")
    func preprocessed() {
        let list = MadeUpApp.plist(MadeUpApp.manifest("SceneDelegate"))
            .replacing("<key>UIApp", with: "#if os(macOS)\n<broken\n#endif\n<key>UIApp")
        let found = apps(
            ("AppDelegate.swift", "@main " + Self.delegate), ("Info.plist", list),
            ("S.swift", "class SceneDelegate: UIResponder, UIWindowSceneDelegate {}"))
        #expect(found.map(\.lifeCycle) == [.scenes])
    }

    @Test("descriptions of projects that end anywhere are read in time")
    func cutProjects() {
        let project = Self.project(("A", "application", "SDKROOT = iphoneos;", ["A.swift"]))
        let texts = [
            ("A.xcodeproj/project.pbxproj", project),
            ("A.xcodeproj/project.pbxproj", String(repeating: "{ a = (", count: 20_000)),
            ("project.yml", String(repeating: "a:\n  - b:\n", count: 5_000)),
            (
                "project.yml",
                (0..<2_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
            ),
            ("Project.swift", String(repeating: ".target(name: ", count: 5_000)),
        ]
        for (name, text) in texts {
            for length in stride(
                from: 0, through: text.utf8.count, by: max(text.utf8.count / 40, 1))
            {
                let found = apps(
                    (name, String(decoding: text.utf8.prefix(length), as: UTF8.self)),
                    ("A.swift", "@main " + Self.delegate))
                #expect(found.count == 1)
            }
        }
    }
}
