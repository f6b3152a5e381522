import SceneStoreStorage
import SceneStoreValues
import Testing

@testable import SceneStore
@testable import SceneStoreTesting

/// Nothing that was typed is lost by closing, restoring or saving.
@Suite("Closing and failing")
struct ClosingTests {
    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .notes)
    }

    /// A window that can't be restored or saved.
    final class FailingScene: StateRestoringSceneDelegate {
        struct Failure: Error {}
        var fails = true
        var text = "new"

        func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) throws {
            if fails { throw Failure() }
        }

        func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
            if fails { throw Failure() }
            return try UserActivity(
                activityType: "com.example.edit", userInfo: ["text": .string(text)])
        }
    }

    final class FailingApp: SceneApplicationDelegate {
        let scene = FailingScene()
        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { scene }
    }

    /// An app with a window that saved once, and fails from now on.
    private func failing() throws -> (SceneApplication, Scene) {
        let app = FailingApp()
        app.scene.fails = false
        let running = try device.launch { app }
        let scene = try #require(running.connectedScenes.first)
        try running.saveState(of: [scene.identifier])
        app.scene.fails = true
        return (running, scene)
    }

    @Test("L-46 closing a window keeps what was typed since the last save, for reopening")
    func closingSaves() throws {
        let app = NotesApp()
        let running = try device.launch { app }
        let (scene, note) = try #require(running.firstNote)
        note.text = "saved"
        try running.saveState(of: [scene.identifier])
        note.text = "typed since"
        scene.setNeedsSave()
        app.calls = []
        let before = running.store.counters.transactions
        try running.closeWindow(of: scene.identifier)
        #expect(app.calls == ["save", "disconnect", "discard"])
        // The discard with its state, and that it was told.
        #expect(running.store.counters.transactions == before + 2)
        try running.reopen(scene.identifier)
        #expect(running.firstNote?.note.text == "typed since")
    }

    @Test("L-46 a window without a change is closed as before")
    func closingAsksNobody() throws {
        let app = NotesApp()
        let running = try device.launch { app }
        let (scene, _) = try #require(running.firstNote)
        app.calls = []
        try running.closeWindow(of: scene.identifier)
        #expect(app.calls == ["disconnect", "discard"])
    }

    @Test("L-46 a destroyed window is asked like one that is closed")
    func destroyingSaves() throws {
        let app = NotesApp()
        let running = try device.launch { app }
        let (scene, note) = try #require(running.firstNote)
        note.text = "typed"
        scene.setNeedsSave()
        running.requestSceneSessionDestruction(scene.identifier)
        try running.reopen(scene.identifier)
        #expect(running.firstNote?.note.text == "typed")
    }

    @Test("L-46 L-56 a window whose last save throws closes, and its earlier state is kept")
    func closingThrows() throws {
        let (running, scene) = try failing()
        scene.setNeedsSave()
        try running.closeWindow(of: scene.identifier)
        #expect(running.connectedScenes.isEmpty)
        try running.reopen(scene.identifier)
        #expect(
            try running.session(for: scene.identifier)?
                .stateRestorationActivity?.userInfo["text"] == "new")
    }

    @Test("L-56 a save that throws keeps the earlier state, is told, and lets the app quit")
    func savingThrows() throws {
        let (running, scene) = try failing()
        #expect(throws: SceneStoreError.self) {
            try running.saveState(of: [scene.identifier])
        }
        try running.quit()
    }

    @Test("L-55 a state that could not be restored is taken back by restoreWithheldState")
    func takingBack() throws {
        try device.launch { NotesApp() }
        let identifier = try #require(device.application?.connectedScenes.first).identifier
        device.application?.firstNote?.note.text = "mine"
        try device.quit()
        let app = FailingApp()
        let running = try device.launch { app }
        let scene = try #require(running.connectedScenes.first)
        #expect(scene.session.withheldState == .failed)
        app.scene.fails = false
        try running.saveState(of: [identifier])
        #expect(
            try running.session(for: identifier)?.stateRestorationActivity?.userInfo["text"]
                == "new")
        #expect(try running.session(for: identifier)?.withheldState == .failed)
        try running.restoreWithheldState(for: identifier)
        let session = try running.session(for: identifier)
        #expect(session?.stateRestorationActivity?.userInfo["text"] == "mine")
        #expect(session?.withheldState == nil)
        #expect(throws: SceneStoreError.self) {
            try running.restoreWithheldState(for: identifier)
        }
    }

    @Test("R-26 S-40 a state that is not the last one is withheld, told and in the ledger")
    func lostState() throws {
        try device.launch { NotesApp() }
        let identifier = try #require(device.application?.connectedScenes.first).identifier
        for text in ["first", "second"] {
            device.application?.firstNote?.note.text = text
            try device.application?.saveState(of: [identifier])
        }
        try device.quit()
        // As a page of states that was written in vain leaves it.
        try device.alterDatabase(
            "DELETE FROM state WHERE id IN (SELECT state_id FROM session)")
        for launch in 1...2 {
            let running = try device.launch { NotesApp() }
            let scene = try #require(running.connectedScenes.first)
            #expect(scene.session.restoration == .withheld)
            #expect(scene.session.withheldState == .lost)
            #expect(running.firstNote?.note.restored == nil)
            let ledger = try #require(try running.store.launches.records(limit: 1).first).ledger
            #expect(ledger.counts == [.withheld: 1])
            #expect(
                ledger.exceptions.map(\.reason) == ["the state that was saved last is lost"])
            #expect(
                device.diagnostics.count { $0.code == .stateStale } == 1, "launch \(launch)")
            if launch == 1 {
                device.kill()
            }
        }
        try device.application?.restoreWithheldState(for: identifier)
        #expect(
            try device.application?.session(for: identifier)?.stateRestorationActivity?
                .userInfo["text"] == "first")
    }

    @Test("L-52 a withheld state outlives every later state", arguments: [1, 40, 300])
    func pinnedForEver(saves: Int) throws {
        try device.launch { NotesApp() }
        let identifier = try #require(device.application?.connectedScenes.first).identifier
        device.application?.firstNote?.note.text = "mine"
        try device.quit()
        let app = FailingApp()
        let running = try device.launch { app }
        app.scene.fails = false
        for number in 0..<saves {
            app.scene.text = "state \(number)"
            try running.saveState(of: [identifier])
            device.wait(milliseconds: 3_600_000)
        }
        try running.restoreWithheldState(for: identifier)
        #expect(
            try running.session(for: identifier)?.stateRestorationActivity?.userInfo["text"]
                == "mine")
    }

    @Test("L-51 an equal save under another version is stored in place, without history")
    func confirmation() throws {
        device.options.appVersion = "1"
        try device.launch { NotesApp() }
        let identifier = try #require(device.application?.connectedScenes.first).identifier
        try device.quit()
        device.options.appVersion = "2"
        device.wait(milliseconds: 60_000)
        let running = try device.launch { NotesApp() }
        let record = try #require(try running.store.record(identifier: identifier))
        let before = try running.store.history.versions(key: record.key)
        try running.saveState(of: [identifier])
        let after = try running.store.history.versions(key: record.key)
        #expect(before.map(\.generation) == after.map(\.generation))
        #expect(before.map(\.context.savedAt) == after.map(\.context.savedAt))
        #expect(after.map(\.context.appVersion) == ["2"])
        // When it stood by the state is kept beside it.
        let context = try #require(try running.store.saveContext(key: record.key))
        #expect(context.confirmedAt == device.clock.now)
        #expect(context.savedAt < device.clock.now)
        let transactions = running.store.counters.transactions
        try running.saveState(of: [identifier])
        #expect(running.store.counters.transactions == transactions)
    }
}
