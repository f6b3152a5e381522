import SceneStore
import SceneStoreTesting
import Testing

/// What the page of faults and fixtures shows.
@Suite("Faults and fixtures on their page")
struct FixtureSnippetTests {
    // snippet: fault-power-cut
    @Test(arguments: 1...20) func aPowerCutLosesNothingThatWasSaved(seed: UInt64) throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        try device.launch { NotesApp() }
        try device.sceneDelegate(NoteScene.self).text = "draft"
        try device.moveToBackground()
        try device.cutPower(seed: seed)
        try device.relaunch()
        #expect(try device.sceneDelegate(NoteScene.self).text == "draft")
    }
    // end

    // snippet: fixture-builder
    @Test func twoWindowsOfWhichOneWasInFront() throws {
        var builder = StoreFixtureBuilder(options: .init(manifest: .windows("Note")))
        builder.addWindow(.init(title: "Shopping"))
        builder.addWindow(.init(title: "Work", isFront: false))
        builder.end = .kill
        let device = try SimulatedDevice(fixture: builder.build())
        let application = try device.launch { NotesApp() }
        #expect(application.connectedScenes.map(\.session.title) == ["Shopping"])
        #expect(application.openSessions.map(\.title) == ["Shopping", "Work"])
    }
    // end
}
