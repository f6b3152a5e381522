import SceneStore
import Testing
@testable import SceneStoreTesting

@Suite("An app whose store is closed while nothing is done")
struct RestTests {
    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(
            storage: .temporaryDirectory, options: SceneApplicationOptions(manifest: .notes))
        device.storeOptions.closesWhenIdle = true
    }

    @Test("S-33 S-27 half a minute after an event the store is at rest, and no timer runs")
    func comesToRest() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        #expect(!running.store.isAtRest)
        device.wait(milliseconds: 3_600_000)
        #expect(running.store.isAtRest)
        note.text = "draft"
        running.scene(for: scene.identifier)?.setNeedsSave()
        device.wait(milliseconds: 10_000)
        // Saved, and open until the next idle moment.
        #expect(!running.store.isAtRest)
        device.wait(milliseconds: 120_000)
        #expect(running.store.isAtRest)
        let generation = running.store.currentGeneration()
        device.wait(milliseconds: 86_400_000)
        #expect(running.store.isAtRest)
        #expect(running.store.currentGeneration() == generation)
        try running.moveToBackground([scene.identifier])
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "draft")
    }

    @Test("S-33 S-27 a host that calls for idle work by itself need not wait")
    func byItself() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        // The launch has settled.
        device.wait(milliseconds: 3_600_000)
        note.text = "draft"
        try running.saveState(of: [scene.identifier])
        #expect(!running.store.isAtRest)
        while try running.performIdleWork(budgetMilliseconds: 1_000) {}
        #expect(running.store.isAtRest)
    }

    @Test("L-04 R-02 an app that dies at rest comes back with all that it had")
    func dies() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        note.text = "draft"
        try running.saveState(of: [scene.identifier])
        device.wait(milliseconds: 3_600_000)
        #expect(running.store.isAtRest)
        device.crash()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .recover)
        #expect(again.firstNote?.note.text == "draft")
    }
}
