import Foundation
import SceneStore
import SceneStoreExchange
import SceneStoreFormats
import SceneStoreTesting
import Testing

@testable import SceneStoreCommand

@Suite("manifest")
struct ManifestCommandTests {
    let fixture: Fixture

    init() throws {
        fixture = try Fixture(
            """
            manifest many.plist
            delegate provider=Editor
            launch
            state A com.example.edit n:i=1
            new-scene
            quit
            """)
    }

    private func run(_ words: String...) -> ToolRun {
        ToolWorld().run(["manifest"] + words)
    }

    @Test("L-20 show prints what was read")
    func show() {
        #expect(
            run("show", fixture.manifest("many")).output == """
                App            com.example.notes
                Scenes         several at a time
                URL schemes    notes

                Role                                 Configuration  Delegate        Scene class  Storyboard
                UIWindowSceneSessionRoleApplication  Editor         EditorDelegate
                UIWindowSceneSessionRoleApplication  Viewer         ViewerDelegate

                """)
    }

    @Test("show --json is one object with stable names")
    func showJSON() throws {
        let object = try #require(run("show", fixture.manifest("many"), "--json").objects().first)
        #expect(
            object.members.map(\.key) == [
                "activityTypes", "bundleIdentifier", "bundleVersion", "configurations",
                "findings", "hasSceneManifest", "preferredDefaultRole", "supportsDashboard",
                "supportsInstrumentCluster", "supportsMultipleScenes", "supportsTabbedScenes",
                "unknownKeys", "urlSchemes",
            ])
        #expect(object["configurations"]?.arrayValue?.count == 2)
        #expect(object["urlSchemes"] == ["notes"])
    }

    @Test("L-21 lint prints code, key path, what is wrong and what to do; 1 on findings")
    func lint() {
        let broken = run("lint", fixture.manifest("broken"))
        #expect(broken.status == .answeredNo)
        #expect(
            broken.output.contains(
                "malformedManifestValue at "
                    + "UIApplicationSceneManifest.UIApplicationSupportsMultipleScenes: "))
        #expect(broken.lines.contains { $0.hasPrefix("  fix: ") })
        let clean = run("lint", fixture.manifest("single"))
        #expect(clean.status == .done)
        #expect(clean.output == "")
        #expect(clean.errors == "nothing found\n")
    }

    @Test("L-23 what is no property list exits with the same status everywhere")
    func notAPropertyList() throws {
        let junk = try fixture.file("junk.plist", "junk")
        let lint = run("lint", junk, "--json")
        #expect(lint.status == .usage)
        #expect(try lint.objects().first?.text("code") == "notAPropertyList")
        let show = run("show", junk)
        #expect(show.status == .usage)
        for words in [["plan"], ["doctor"]] {
            let judged = ToolWorld().run(
                words + ["--manifest", junk, "--store", fixture.path])
            #expect(judged.status == .usage, "\(words)")
        }
        #expect(show.errors.contains("as an Info.plist: the input is not a property list"))
        #expect(run("show", "/nowhere.plist").status == .usage)
    }

    @Test("L-50 lint --store judges the configurations that sessions remember")
    func store() throws {
        let stale = run("lint", fixture.manifest("renamed"), "--store", fixture.path)
        #expect(stale.status == .answeredNo)
        #expect(
            stale.output == """
                warning staleConfiguration at \
                UIApplicationSceneManifest.UISceneConfigurations.UIWindowSceneSessionRoleApplication: \
                2 sessions of configuration Editor would get the role's default, and their state \
                would not be restored
                  fix: keep an entry of that name, or name its successor in the rename map \
                (--rename Editor:NEW)
                note severalConfigurationsNeedProvider at \
                UIApplicationSceneManifest.UISceneConfigurations.UIWindowSceneSessionRoleApplication: \
                the role has 2 configurations; the provider in code chooses one, and without a provider \
                every window gets the first
                  fix: if the app has no application(_:configurationForConnecting:options:), implement \
                it, or keep one configuration

                """)
        let renamed = run(
            "lint", fixture.manifest("renamed"), "--store", fixture.path, "--rename",
            "Editor:Writer", "--json")
        #expect(renamed.status == .done)
        let codes = try renamed.objects().compactMap { $0.text("code") }
        #expect(codes == ["severalConfigurationsNeedProvider", "renamedConfiguration"])
        #expect(run("lint", fixture.manifest("many"), "--rename", "Editor:Writer").status == .usage)
        let gone = run("lint", fixture.manifest("car"), "--store", fixture.path, "--json")
        #expect(gone.status == .answeredNo)
        #expect(try gone.objects().first?.text("code") == "cannotDisplay")
        let surplus = run("lint", fixture.manifest("single"), "--store", fixture.path)
        #expect(surplus.status == .answeredNo)
        #expect(
            surplus.output.contains(
                "1 session of configuration Editor would be parked: the app supports one scene"
            ))
        #expect(run("lint", fixture.manifest("many"), "--store", fixture.path).status == .done)
    }

    @Test("several files are told apart")
    func several() throws {
        let rows = try run(
            "lint", fixture.manifest("broken"), fixture.manifest("single"), "--json"
        ).objects()
        #expect(Set(rows.compactMap { $0.text("file") }) == [fixture.manifest("broken")])
        #expect(
            rows.first?.members.map(\.key)
                == ["code", "file", "fix", "message", "path", "session", "severity"])
    }

    @Test("a store that is not there is 3")
    func missingStore() {
        #expect(run("lint", fixture.manifest("many"), "--store", "/nowhere").status == .noStore)
    }

    @Test("K-02 R-31 a broken plist, JSON or ZIP is wrong usage for every command that reads it")
    func brokenInputs() throws {
        let fixture = try EditedFixture()
        let scenario = fixture.file("a.scenario")
        try Data("manifest broken\nlaunch\n".utf8).write(to: URL(filePath: scenario))
        let file = fixture.file("broken")
        let lines = [
            ["plan", "--manifest", file], ["why", "letter", "--manifest", file],
            ["doctor", "--manifest", file], ["open-url", "notes://x", "--manifest", file],
            ["open-url", "https://a.example/x", "--aasa", file], ["manifest", "show", file],
            ["manifest", "lint", file], ["link", "lint", file],
            ["link", "match", "--aasa", file, "https://a.example/x"],
            ["link", "match", "--pattern", "@" + file, "https://a.example/x"],
            ["adopt", fixture.folder, "--manifest", file],
            ["adopt", fixture.folder, "--baseline", file], ["import", file, "--yes"],
            ["import", file, "--dry-run"], ["restore", file, "--yes"],
            ["salvage", file, "-o", fixture.file("salvaged")], ["simulate", scenario],
            ["fixture", "make", "--scenario", scenario, "-o", fixture.file("made")],
            ["fixture", "verify", file],
        ]
        let before = fixture.files
        for text in ["<plist version=\"1.0\"><dict><key>a", "{\"a\":", "PK\u{3}\u{4}x", "\u{0}"] {
            try Data(text.utf8).write(to: URL(filePath: file))
            for line in lines {
                let run = ToolWorld().run(line + ["--store", fixture.path])
                #expect(run.status == .usage, "\(line) \(text): \(run.errors)")
            }
        }
        #expect(fixture.files == before)
    }

    // HELP-BEGIN
    @Test("help manifest")
    func helpManifest() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "manifest").output == #"""
                Usage: scenestore manifest COMMAND

                Show and check what an Info.plist says about scenes.

                Commands
                  show  Show what was read: configurations, roles, schemes, activity types
                  lint  Find what is wrong in an Info.plist, or does not fit a store

                Example
                  scenestore manifest lint Info.plist
                      Finds mistakes

                """#)
    }

    @Test("help manifest show")
    func helpManifestShow() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "manifest", "show").output == #"""
                Usage: scenestore manifest show FILE [--json]

                Show what was read: configurations, roles, schemes, activity types.

                Reads XML and binary property lists. A malformed entry counts as absent, as it
                does for the app itself; 'manifest lint' explains it.

                Arguments
                  FILE  An Info.plist

                Options
                      --json  Print one JSON value a line, keys sorted

                Rows and columns: --limit, --sort, --columns and --wide; see 'scenestore help
                formats'. Options of every command: see 'scenestore help'.

                Example
                  scenestore manifest show App/Info.plist
                      What the app sees

                """#)
    }

    @Test("help manifest lint")
    func helpManifestLint() {
        var world = ToolWorld()
        world.terminal.width = 80
        #expect(
            world.run("help", "manifest", "lint").output == #"""
                Usage: scenestore manifest lint FILE… [--rename OLD:NEW]… [--json] [--csv]

                Find what is wrong in an Info.plist, or does not fit a store.

                Prints a line for each finding: severity, code, key path, what is wrong and what
                to do. The exit status is 1 when there is a warning or an error, and 2 when a
                file can't be parsed.

                With --store, it also checks the sessions of a store. It lists the remembered
                configurations that an update to this manifest would rename or make stale, and
                those that nothing could show any more.

                Arguments
                  FILE…  An Info.plist

                Options
                      --rename OLD:NEW  A configuration's old and new name, as in the rename
                                        map; may be repeated
                      --json            Print one JSON value a line, keys sorted
                      --csv             Print the table as CSV

                Options of every command: see 'scenestore help'.

                Examples
                  scenestore manifest lint App/Info.plist
                      Finds mistakes
                  scenestore manifest lint New/Info.plist --store ~/app
                      Before an update is shipped (exit status 1)

                """#)
    }

    // HELP-END
}
