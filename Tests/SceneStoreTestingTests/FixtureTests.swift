import Foundation
import SceneStore
import SceneStoreTesting
import Testing

/// Stores in a known state.
@Suite("Fixtures")
struct FixtureTests {
    private static let quick = StoreFixture.Template.allCases.filter {
        $0 != .tenThousandSessions
    }

    @Test("the same template and seed give the same bytes", arguments: quick)
    func sameBytes(_ template: StoreFixture.Template) throws {
        let first = try StoreFixture(template, seed: 7)
        #expect(try StoreFixture(template, seed: 7).files == first.files)
        #expect(try StoreFixture(template, seed: 8).files != first.files)
        #expect(!first.files.isEmpty)
    }

    /// Except the damaged one: a store in a file is salvaged by the launch that meets the damage.
    @Test(
        "a fixture is the same store in memory and on a file",
        arguments: quick.filter { $0 != .damagedPage })
    func sameEverywhere(_ template: StoreFixture.Template) throws {
        let fixture = try StoreFixture(template)
        var transcripts: [String] = []
        for storage in [SimulatedDevice.Storage.memory, .temporaryDirectory] {
            let device = try SimulatedDevice(storage: storage, fixture: fixture)
            do throws(SceneStoreError) {
                try device.launch { NotesApp() }
                transcripts.append(device.takeCallbacks())
            } catch {
                transcripts.append(error.code.rawValue)
            }
        }
        #expect(transcripts[0] == transcripts[1])
        #expect(!transcripts[0].isEmpty)
    }

    /// What the first launch on each template tells the app.
    @Test(
        "a launch on a template goes as its name says",
        arguments: [
            (.firstLaunch, "will did connect:A fg:A active:A", [""]),
            (
                .threeWindows,
                "will did connect:A restore:A fg:A active:A connect:B restore:B fg:B"
                    + " connect:C restore:C fg:C", ["document 1", "document 2", "document 3"]
            ),
            (
                .discardedWhileAway,
                "will did discard:B connect:A restore:A fg:A active:A connect:C restore:C fg:C",
                ["document 1", "document 3"]
            ),
            (.heldAfterCrashes, "will did connect:A restore:A fg:A active:A", ["document 1"]),
            (.tornWrite, "will did connect:A restore:A fg:A active:A", ["document 1"]),
            (
                .ephemeralSession,
                "will did connect:A restore:A fg:A active:A connect:B fg:B", ["document 1", ""]
            ),
            (
                .staleConfiguration,
                "will did connect:A restore:A fg:A active:A connect:B fg:B"
                    + " connect:C restore:C fg:C", ["document 1", "", "document 3"]
            ),
        ] as [(StoreFixture.Template, String, [String])])
    func launches(_ template: StoreFixture.Template, _ calls: String, _ texts: [String]) throws {
        let device = try SimulatedDevice(fixture: StoreFixture(template))
        try device.launch { NotesApp() }
        #expect(device.takeCallbacks() == calls)
        #expect(device.sceneDelegates(NoteScene.self).map(\.text) == texts)
    }

    @Test("a newer schema is refused, and the file stays as it is")
    func newerSchema() throws {
        let fixture = try StoreFixture(.newerSchema)
        let device = try SimulatedDevice(fixture: fixture)
        #expect(throws: SceneStoreError(.newerSchema, "")) {
            try device.launch { NotesApp() }
        }
        #expect(try StoreFixture(of: device).files == fixture.files)
    }

    @Test(
        "S-11 a damaged page is told, its state is gone, and another page's is not",
        arguments: [
            (SimulatedDevice.Storage.memory, "corrupt"), (.temporaryDirectory, "storeSetAside"),
        ])
    func damagedPage(_ storage: SimulatedDevice.Storage, _ code: String) throws {
        let device = try SimulatedDevice(storage: storage, fixture: StoreFixture(.damagedPage))
        let application = try device.launch { NotesApp() }
        let texts = device.sceneDelegates(NoteScene.self).map { String($0.text.prefix(10)) }
        #expect(texts.contains("document 3"))
        #expect(!texts.contains("document 2"))
        #expect(application.openSessions.count == 3)
        #expect(device.diagnostics.contains { $0.code.rawValue == code })
    }

    @Test("S-11 after a launch that came upon a damaged page the next one has a whole store again")
    func damagedPageIsSalvaged() throws {
        let device = try SimulatedDevice(
            storage: .temporaryDirectory, fixture: StoreFixture(.damagedPage))
        _ = try device.launch { NotesApp() }
        device.kill()
        let application = try device.launch { NotesApp() }
        #expect(application.openSessions.count == 3)
        let texts = device.sceneDelegates(NoteScene.self).map { String($0.text.prefix(10)) }
        #expect(texts.contains("document 1"))
        #expect(texts.contains("document 3"))
        try device.quit()
        let files = try FileManager.default.contentsOfDirectory(
            atPath: "\(device.containerPath)/quarantine")
        #expect(files.contains { $0.hasSuffix(".sqlite") })
        let told = device.diagnostics.count { $0.code.rawValue == "corrupt" }
        _ = try device.launch { NotesApp() }
        #expect(device.diagnostics.count { $0.code.rawValue == "corrupt" } == told)
        try device.quit()
        let again = try FileManager.default.contentsOfDirectory(
            atPath: "\(device.containerPath)/quarantine")
        #expect(again == files)
    }

    @Test("ten thousand sessions: one connects, all are remembered")
    func tenThousand() throws {
        let fixture = try StoreFixture(.tenThousandSessions)
        #expect(fixture.sessionIdentifiers.count == 1)
        let device = try SimulatedDevice(fixture: fixture)
        let application = try device.launch { NotesApp() }
        #expect(application.openSessions.count == 10_000)
        #expect(device.takeCallbacks() == "will did connect:A restore:A fg:A active:A")
    }

    @Test("S-20 idle work ends at one moment of the device's clock, however slow the machine is")
    func idleWork() throws {
        let device = try SimulatedDevice(fixture: StoreFixture(.tenThousandSessions))
        let application = try device.launch { NotesApp() }
        device.wait(milliseconds: 31_000)
        #expect(try !application.performIdleWork(budgetMilliseconds: 0))
    }

    @Test("L-02 a builder's first window is one of the app's own role")
    func firstRole() throws {
        let projector = SceneSessionRole(rawValue: "com.example.projector")
        var builder = StoreFixtureBuilder()
        builder.options.manifest?.configurations[projector] = [
            SceneConfiguration(name: "Show", role: projector)
        ]
        builder.addWindow(.init(role: projector))
        #expect(throws: SceneStoreError(.invalidState, "")) { try builder.build() }
        var other = StoreFixtureBuilder(options: builder.options)
        other.addWindow(.init())
        other.addWindow(.init(role: projector))
        let device = try SimulatedDevice(fixture: other.build())
        let application = try device.launch { NotesApp() }
        #expect(Set(application.openSessions.map(\.role)) == [.windowApplication, projector])
    }

    @Test("a builder makes windows with all that is stored of one")
    func builder() throws {
        var builder = StoreFixtureBuilder()
        var window = StoreFixtureBuilder.Window(
            configuration: "Viewer", title: "Plans", userInfo: ["number": 1],
            storage: ["zoom": 2.5])
        window.placement = ScenePlacement(x: 1, y: 2, width: 3, height: 4)
        window.activationConditions = ActivationConditions()
        builder.addWindow(window)
        builder.addWindow(.init(configuration: "Editor", isFront: false))
        builder.end = .forceQuit
        let device = try SimulatedDevice(fixture: builder.build())
        let application = try device.launch { NotesApp() }
        let scene = try #require(device.frontScene)
        #expect(scene.session.configuration.name == "Viewer")
        #expect(scene.session.title == "Plans")
        #expect(scene.session.userInfo == ["number": 1])
        #expect(scene.session.placement == window.placement)
        #expect(scene.storage["zoom"] == 2.5)
        #expect(application.connectedScenes.count == 1)
        #expect(application.openSessions.count == 2)
        #expect(application.launchReason == .recover)
    }

    @Test("a builder without windows is an app that was never launched")
    func emptyBuilder() throws {
        let fixture = try StoreFixtureBuilder().build()
        #expect(fixture.files.isEmpty)
        let device = try SimulatedDevice(fixture: fixture)
        #expect(try device.launch { NotesApp() }.launchReason == .first)
    }
}
