import SceneStore
import SceneStoreTesting
import Testing

/// Four bugs that apps have, each with the test that finds it: it fails on the app with the bug
/// and passes on the app without.
@Suite("Planted bugs")
struct SampleAppTests {
    // snippet: bug-saves-on-quit
    func textSurvivesDeath(of app: @escaping () -> JournalApp) throws {
        let device = try SimulatedDevice(manifest: .windows("Entry", "List"))
        try device.launch(delegate: app)
        try device.sceneDelegate(EntryScene.self).text = "draft"
        try device.moveToBackground()
        try device.relaunch()
        #expect(try device.sceneDelegate(EntryScene.self).text == "draft")
    }
    // end

    // snippet: bug-provider-at-relaunch
    func windowIsWholeAgain(in app: @escaping () -> JournalApp) throws {
        let device = try SimulatedDevice(manifest: .windows("Entry", "List"))
        try device.launch(delegate: app)
        let title = try device.sceneDelegate(EntryScene.self).toolbarTitle
        try device.relaunch()
        #expect(try device.sceneDelegate(EntryScene.self).toolbarTitle == title)
    }
    // end

    // snippet: bug-warm-links-only
    func linkArrives(in app: @escaping () -> JournalApp) throws {
        let device = try SimulatedDevice(manifest: .windows("Entry", "List"))
        try device.launch(delegate: app)
        device.kill()
        try device.open("journal://today")
        #expect(try device.sceneDelegate(EntryScene.self).link == "journal://today")
    }
    // end

    // snippet: bug-changed-type
    func oldEntryIsRead(by type: (some EntryState).Type) throws {
        // What version 1 of the app encoded.
        let released = try GoldenEncoding("a16474657874656472616674")
        #expect(try released.decode(type).plainText == "draft")
    }
    // end

    @Test("state saved only on quit: the test fails, and passes after the fix")
    func savesOnQuit() throws {
        withKnownIssue { try textSurvivesDeath { JournalApp(.savesOnQuitOnly) } }
        try textSurvivesDeath { JournalApp() }
    }

    @Test("provider relied on at relaunch: the test fails, and passes after the fix")
    func reliesOnProvider() throws {
        withKnownIssue { try windowIsWholeAgain { JournalApp(.reliesOnProvider) } }
        try windowIsWholeAgain { JournalApp() }
    }

    @Test("link handled in the warm callback only: the test fails, and passes after the fix")
    func handlesWarmLinksOnly() throws {
        withKnownIssue { try linkArrives { JournalApp(.handlesWarmLinksOnly) } }
        try linkArrives { JournalApp() }
    }

    @Test("type changed without migration: the test fails, and passes after the fix")
    func changedType() throws {
        withKnownIssue { try oldEntryIsRead(by: ChangedEntryState.self) }
        try oldEntryIsRead(by: MigratingEntryState.self)
    }
}
