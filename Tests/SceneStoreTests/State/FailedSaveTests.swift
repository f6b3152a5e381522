import Testing

import SceneStore
@testable import SceneStoreTesting

/// What an app is told when the store cannot take what it saves, and what becomes of it.
@Suite("Saves that fail")
struct FailedSaveTests {
    let device: SimulatedDevice

    init() throws {
        var options = SceneApplicationOptions(manifest: .notes)
        options.persistsInbox = true
        device = try SimulatedDevice(storage: .memory, options: options)
    }

    /// The app with a text that is not saved yet.
    private func launch() throws -> (SceneApplication, id: SceneSession.ID, NoteScene) {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        return (running, scene.identifier, note)
    }

    private func savedText(_ identifier: SceneSession.ID) throws -> String? {
        try device.readFile { (store) throws(SceneStoreError) in
            guard let record = try store.record(identifier: identifier) else {
                return nil
            }
            return try store.restorationActivity(key: record.key)?.userInfo["text"]?.stringValue
        }
    }

    @Test("S-21 leaving the front throws what could not be saved, and the next save takes it along")
    func background() throws {
        let (running, id, note) = try launch()
        note.text = "draft"
        try device.fillDisk()
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.moveToBackground([id]) }
        #expect(running.scene(for: id)?.activationState == .background)
        #expect(try savedText(id) == nil)
        try device.repairDisk()
        // The scene is not asked again: what it answered is kept.
        note.text = "later"
        let other = running.connectedScenes.count
        running.requestSceneSessionActivation(.init())
        #expect(running.connectedScenes.count == other + 1)
        let second = try #require(running.connectedScenes.first).session.persistentIdentifier
        try running.saveState(of: [second])
        #expect(try savedText(id) == "draft")
    }

    @Test("S-21 an idle moment writes what could not be saved before")
    func idle() throws {
        let (running, id, note) = try launch()
        note.text = "draft"
        try device.fillDisk()
        #expect(throws: SceneStoreError.self) { try running.moveToBackground([id]) }
        try device.repairDisk()
        device.wait(milliseconds: 31_000)
        #expect(try savedText(id) == "draft")
    }

    @Test(
        "S-21 L-17 saving now, and refreshing, throw what could not be saved; an autosave reports it"
    )
    func saveState() throws {
        let (running, id, note) = try launch()
        note.text = "draft"
        try device.fillDisk()
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.saveState(of: [id]) }
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        note.text = "draft, again"
        running.scene(for: id)?.setNeedsSave()
        device.wait(milliseconds: 600)
        #expect(device.diagnostics.map(\.code) == [.writeRefused])
        try device.repairDisk()
        try running.moveToBackground([id])
        try device.fillDisk()
        // More than the log has room for.
        let third = String(repeating: "third", count: 100_000)
        note.text = third
        var told: SceneStoreError.Code?
        running.requestSceneSessionRefresh(id) { told = $0.code }
        #expect(told == .diskFull)
        // Another refusal, after writes had succeeded.
        #expect(device.diagnostics.count == 2)
        try device.repairDisk()
        running.requestSceneSessionRefresh(id)
        #expect(try savedText(id) == third)
    }

    @Test("L-31 a state that can't be stored is thrown and names its session; others are saved")
    func refusal() throws {
        let (running, id, note) = try launch()
        running.requestSceneSessionActivation(.init())
        let other = try #require(running.connectedScenes.first).session.persistentIdentifier
        #expect(other != id)
        note.willSave = { $0.userInfo["text"] = .string(String(repeating: "x", count: 20_000_000)) }
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try running.moveToBackground([id, other])
        }
        #expect(device.diagnostics.map(\.sessionIdentifier) == [id])
        #expect(try savedText(id) == nil)
        #expect(try savedText(other) == "")
        // Quitting is not in vain because of it.
        try running.moveToForeground([id])
        try device.quit()
        #expect(device.diagnostics.count == 2)
    }

    @Test(
        "S-21 L-46 a change that could not be saved is asked for again by the next save, not before"
    )
    func changeAfterRefusal() throws {
        let (running, id, note) = try launch()
        try running.moveToBackground([id])
        note.text = "draft"
        note.willSave = { $0.userInfo["text"] = .string(String(repeating: "x", count: 20_000_000)) }
        running.scene(for: id)?.setNeedsSave()
        device.wait(milliseconds: 60_000)
        #expect(device.diagnostics.map(\.code.rawValue) == ["limitExceeded"])
        running.flushChanges()
        #expect(device.diagnostics.count == 2)
        note.willSave = { _ in }
        try device.quit()
        #expect(try savedText(id) == "draft")
    }

    @Test("S-21 L-31 a write that failed is told before a state that was refused")
    func failureBeforeRefusal() throws {
        let (running, id, note) = try launch()
        running.requestSceneSessionActivation(.init())
        let other = try #require(running.connectedScenes.first)
        note.willSave = { $0.userInfo["text"] = .string(String(repeating: "x", count: 20_000_000)) }
        (other.delegate as? NoteScene)?.text = "draft"
        try device.fillDisk()
        #expect(throws: SceneStoreError(.diskFull, "")) {
            try running.moveToBackground([id, other.identifier])
        }
        #expect(
            device.diagnostics.map(\.code.rawValue).sorted() == ["limitExceeded", "writeRefused"])
    }

    @Test("S-21 a scene that is evicted and comes back has the state that could not be saved")
    func evicted() throws {
        let (running, id, note) = try launch()
        note.text = "first"
        try running.saveState(of: [id])
        note.text = "draft"
        try device.fillDisk()
        #expect(throws: SceneStoreError.self) { try running.moveToBackground([id]) }
        try running.evict(id)
        running.requestSceneSessionActivation(.init(session: id))
        #expect(running.firstNote?.note.text == "draft")
        try device.repairDisk()
        try running.moveToBackground([id])
        #expect(try savedText(id) == "draft")
    }

    @Test("L-36 a closing that can't be noted as told leaves nobody without the focus")
    func closing() throws {
        let (running, id, note) = try launch()
        running.requestSceneSessionActivation(.init())
        let other = try #require(running.connectedScenes.first)
        let device = device
        note.app?.onDiscard = { try? device.fillDisk() }
        try running.closeWindow(of: other.identifier)
        #expect(running.scene(for: id)?.activationState == .foregroundActive)
        #expect(!device.diagnostics.isEmpty)
    }

    @Test("L-46 L-17 a window closed on a full disk takes what was typed along, for reopening")
    func refusedClosing() throws {
        let (running, id, note) = try launch()
        note.text = "draft"
        running.scene(for: id)?.setNeedsSave()
        try device.fillDisk()
        try running.closeWindow(of: id)
        #expect(running.scene(for: id) == nil)
        try device.repairDisk()
        device.wait(milliseconds: 31_000)
        try running.reopen(id)
        #expect(running.firstNote?.note.text == "draft")
        #expect(try savedText(id) == "draft")
    }

    @Test("L-39 quitting that can't save leaves the app running, and may be tried again")
    func quit() throws {
        let (running, id, note) = try launch()
        note.text = "draft"
        try device.fillDisk()
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.quit() }
        #expect(running.connectedScenes.count == 1)
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.quit() }
        try device.repairDisk()
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "draft")
        #expect(again.firstNote?.scene.identifier == id)
    }

    @Test("L-39 L-17 after a quit that failed the app goes on: who is in front next comes back")
    func goesOnAfterQuit() throws {
        let (running, id, note) = try launch()
        running.requestSceneSessionActivation(.init())
        let other = try #require(running.connectedScenes.first).identifier
        note.text = "draft"
        try device.fillDisk()
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.quit() }
        try device.repairDisk()
        try running.moveToForeground([other])
        try running.moveToBackground([other])
        try running.moveToForeground([id])
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.first?.identifier == id)
        #expect(again.connectedScenes.first?.activationState == .foregroundActive)
        #expect(again.firstNote?.note.text == "draft")
    }

    @Test("L-39 L-17 an end that could not be noted is thrown, though every window is saved")
    func unnotedEnd() throws {
        let (running, id, note) = try launch()
        note.text = "saved"
        try running.moveToBackground([id])
        try device.fillDisk()
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.quit() }
        device.kill()
        try device.repairDisk()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .recover)
        #expect(again.firstNote?.note.text == "saved")
    }

    @Test("L-11 a mark that could not be written goes along with the next write")
    func marks() throws {
        let (running, id, _) = try launch()
        running.requestSceneSessionActivation(.init())
        let other = try #require(running.connectedScenes.first).session.persistentIdentifier
        try device.failWrite(1, permanently: true)
        // The first window takes the focus, which only a mark says.
        running.requestSceneSessionActivation(.init(session: id))
        #expect(!device.diagnostics.isEmpty)
        try device.repairDisk()
        try running.saveState(of: [other])
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.first?.session.persistentIdentifier == id)
    }

    @Test("S-12 S-21 L-32 a session that the store lost keeps no other from being saved")
    func unknownSession() throws {
        let (running, id, note) = try launch()
        running.requestSceneSessionActivation(.init())
        let other = try #require(running.connectedScenes.first).session.persistentIdentifier
        let record = try #require(try running.store.record(identifier: other))
        try running.store.forget([record.key])
        note.text = "draft"
        #expect(throws: SceneStoreError(.noSuchSession, "")) {
            try running.moveToBackground([id, other])
        }
        #expect(try savedText(id) == "draft")
        #expect(device.diagnostics.contains { $0.sessionIdentifier == other })
        try running.saveState(of: [id])
    }

    @Test("L-60 a payload that the inbox can't keep is handed over all the same")
    func inbox() throws {
        let (running, _, note) = try launch()
        try device.failWrite(1, permanently: true)
        try running.receive(.urls([OpenURLContext(url: "notes://a")]))
        #expect(!device.diagnostics.isEmpty)
        #expect(note.opened == ["notes://a"])
    }
}
