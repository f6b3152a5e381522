import SceneStore
import SceneStoreTesting
import Testing

/// The pages of things that go wrong, each with the five lines that show it.
@Suite("Pains")
struct PainTests {
    @Test("L-03 my provider isn't called")
    func provider() throws {
        // snippet: pain-provider
        let device = try SimulatedDevice(manifest: .windows("Note"))
        try device.launch { NotesApp() }
        #expect(device.takeCallbacks() == "will did config:A connect:A fg:A active:A")
        try device.relaunch()
        #expect(device.takeCallbacks() == "will did connect:A fg:A active:A")
        // end
    }

    @Test("L-60 my link is lost when the app is cold")
    func coldLink() throws {
        // snippet: pain-cold-link
        let device = try SimulatedDevice(manifest: .windows("Note"))
        try device.launch { NotesApp() }
        device.kill()
        try device.open("notes://today")
        #expect(try device.sceneDelegate(NoteScene.self).links == ["notes://today"])
        // end
    }

    @Test("L-50 a window is dead after an update")
    func update() throws {
        // snippet: pain-update
        let device = try SimulatedDevice(fixture: StoreFixture(.threeWindows))
        device.update(manifest: .windows("Note"), renaming: ["Editor": "Note", "Viewer": "Note"])
        try device.launch { NotesApp() }
        let texts = device.sceneDelegates(NoteScene.self).map(\.text)
        #expect(texts == ["document 1", "document 2", "document 3"])
        // end
    }

    @Test("L-50 without the rename the state is withheld, and kept")
    func updateWithoutRename() throws {
        // snippet: pain-update-stale
        let device = try SimulatedDevice(fixture: StoreFixture(.staleConfiguration))
        try device.launch { NotesApp() }
        let states = device.application?.connectedScenes.map(\.session.restoration)
        #expect(states == [.available, .stale, .available])
        #expect(device.diagnostics.map(\.code) == [.staleConfiguration])
        // end
    }

    @Test("L-39 my windows are lost, because quitting was taken for closing them")
    func quitting() throws {
        // snippet: pain-quit
        let device = try SimulatedDevice(fixture: StoreFixture(.threeWindows))
        try device.launch { NotesApp() }
        try device.closeWindow("B")
        try device.quit()
        #expect(try device.relaunch().openSessions.count == 2)
        // end
    }

    @Test("S-11 one bad row takes nothing else with it")
    func badRow() throws {
        // snippet: pain-bad-row
        let device = try SimulatedDevice(fixture: StoreFixture(.threeWindows))
        try device.damageState(of: "B")
        try device.launch { NotesApp() }
        let texts = device.sceneDelegates(NoteScene.self).map(\.text)
        #expect(texts == ["document 1", "", "document 3"])
        // end
    }

    @Test("L-52 restoration crashes at every launch")
    func crashLoop() throws {
        // snippet: pain-crash-loop
        let device = try SimulatedDevice(fixture: StoreFixture(.threeWindows))
        try device.launch { NotesApp() }
        for _ in 1...3 { try device.crash(restoring: "B") }
        try device.relaunch()
        #expect(device.sceneDelegates(NoteScene.self).map(\.text) == ["document 1", "document 3"])
        // end
    }
}
