import Foundation
import SceneStore
import SceneStoreRecovery
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

    // MARK: - Without the file

    /// An app with one window, whose text is stored, and whose store is at rest.
    private func rested() throws -> SceneApplication {
        let running = try device.launch { NotesApp() }
        try type("first", running)
        device.wait(milliseconds: 3_600_000)
        #expect(running.store.isAtRest)
        return running
    }

    private func type(_ text: String, _ running: SceneApplication) throws {
        let (scene, note) = try #require(running.firstNote)
        note.text = text
        try running.saveState(of: [scene.identifier])
    }

    /// Opens a window, types in it and closes the other one, all in memory.
    private func live(_ running: SceneApplication) throws {
        let first = try #require(running.connectedScenes.first)
        try device.openWindow()
        // It is held in memory, and the app is told.
        #expect(throws: SceneStoreError.self) { try type("second", running) }
        try running.closeWindow(of: first.identifier)
        #expect(running.openSessions.count == 1)
        #expect(try running.recentlyClosedGroups().flatMap(\.sessions).count == 1)
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        #expect(throws: SceneStoreError.self) { try running.reset() }
        #expect(throws: SceneStoreError.self) { try running.quit() }
    }

    private func expectWhole(_ running: SceneApplication) throws {
        #expect(running.storeRefusal == nil)
        #expect(device.diagnostics.count == 1)
        #expect(try running.recentlyClosedGroups().flatMap(\.sessions).count == 1)
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "second")
        #expect(try again.recentlyClosedGroups().flatMap(\.sessions).count == 1)
        #expect(try again.store.verify(.full).findings.isEmpty)
    }

    private var file: String { device.containerPath + "/scenes.sqlite" }

    @Test("L-17 S-26 windows go on when the container is moved away at rest, until it is back")
    func movedFolder() throws {
        let running = try rested()
        try device.refuseWrites(.moved)
        try live(running)
        _ = try running.performIdleWork()
        #expect(running.storeRefusal?.code == .moved)
        try device.acceptWrites()
        _ = try running.performIdleWork()
        try expectWhole(running)
    }

    @Test("L-17 S-26 windows go on when the file is moved away at rest, until it is back")
    func movedFile() throws {
        let running = try rested()
        try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
        try live(running)
        try FileManager.default.moveItem(atPath: file + ".moved", toPath: file)
        try running.reopenStore()
        try expectWhole(running)
    }

    @Test(
        "L-17 L-42 what was deleted at rest is written into a new file by reopenStore",
        arguments: [false, true])
    func deleted(isFolder: Bool) throws {
        let running = try rested()
        try FileManager.default.removeItem(atPath: isFolder ? device.containerPath : file)
        try live(running)
        _ = try running.performIdleWork()
        #expect(running.storeRefusal?.code == .moved)
        try running.reopenStore()
        try expectWhole(running)
    }

    @Test("L-17 R-27 a store that was put in the place of one at rest is left as it is")
    func exchanged() throws {
        let running = try rested()
        try FileManager.default.removeItem(atPath: file)
        let foreign = Data("another file".utf8)
        try foreign.write(to: URL(fileURLWithPath: file))
        try live(running)
        #expect(running.storeRefusal?.code == .replaced)
        #expect(throws: SceneStoreError.self) { try running.reopenStore() }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == foreign)
        #expect(try running.recentlyClosedGroups().flatMap(\.sessions).count == 1)
    }

    @Test("L-17 R-27 what another program wrote into the file at rest is not taken for the store")
    func overwritten() throws {
        let running = try rested()
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0x41, count: 4_096))
        try handle.close()
        #expect(throws: SceneStoreError(.replaced, "")) {
            try running.setTitle("t", for: try #require(running.firstNote).scene.identifier)
        }
    }
}
