import SceneStore
import Testing

@testable import SceneStoreTesting

/// What an app is told that goes on after its end, or without its store.
@Suite("After the end")
struct AfterTheEndTests {
    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(
            storage: .temporaryDirectory, options: SceneApplicationOptions(manifest: .notes))
    }

    @Test(
        "L-41 the first change that comes after quit is told, and no other",
        arguments: [true, false])
    func changes(isFlush: Bool) throws {
        let running = try device.launch { NotesApp() }
        let scene = try #require(running.connectedScenes.first)
        scene.setNeedsSave()
        try running.quit()
        var found: [Diagnostic] = []
        running.diagnosticHandler = { found.append($0) }
        for _ in 0..<2 {
            if isFlush {
                running.flushChanges()
            } else {
                scene.setNeedsSave()
            }
            #expect(found.map(\.code.rawValue) == ["invalidState"])
        }
    }

    @Test("L-17 a quit that loses a change names its session, also after the store was closed")
    func lost() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        note.text = "draft"
        scene.setNeedsSave()
        try running.store.close()
        #expect(throws: SceneStoreError(.closed, "")) { try running.quit() }
        #expect(try running.quit(discardingUnsaved: true) == [scene.identifier.rawValue])
        #expect(running.hasEnded)
    }

    @Test("L-17 a store that the app closed is not opened again, and reopenStore says so")
    func reopening() throws {
        let running = try device.launch { NotesApp() }
        try running.reopenStore()
        try running.store.close()
        #expect(throws: SceneStoreError(.closed, "")) { try running.reopenStore() }
    }
}
