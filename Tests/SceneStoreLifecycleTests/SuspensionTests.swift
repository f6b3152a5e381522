import Testing

@testable import SceneStore
@testable import SceneStoreTesting

@Suite("An app that shares its container")
struct SuspensionTests {
    let device: SimulatedDevice

    init() throws {
        var options = SceneApplicationOptions(manifest: .notes)
        options.releasesLockInBackground = true
        device = try SimulatedDevice(storage: .temporaryDirectory, options: options)
        device.storeOptions.ownerTimeout = 0
    }

    /// Another process takes the container meanwhile.
    private func other<Result>(
        _ body: (SceneSessionStore) throws -> Result
    ) throws -> Result {
        var options = device.storeOptions
        options.access = .editor
        let store = try SceneSessionStore.open(
            at: .directory(device.containerPath), options: options)
        let result = try body(store)
        try store.close()
        return result
    }

    @Test(
        "S-33 the lock is free after the last save in the background, and taken at the foreground")
    func releases() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        #expect(!running.store.isSuspended)
        note.text = "draft"
        try running.moveToBackground([scene.identifier])
        #expect(running.store.isSuspended)
        let saved = try other { store in
            let record = try #require(try store.record(identifier: scene.identifier))
            return try store.restorationActivity(key: record.key)
        }
        #expect(saved?.userInfo["text"] == "draft")
        try running.moveToForeground([scene.identifier])
        #expect(!running.store.isSuspended)
        note.text = "more"
        try running.moveToBackground([scene.identifier])
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "more")
    }

    @Test("S-33 without the option the lock stays")
    func keepsLock() throws {
        device.options.releasesLockInBackground = false
        let running = try device.launch { NotesApp() }
        let (scene, _) = try #require(running.firstNote)
        try running.moveToBackground([scene.identifier])
        #expect(!running.store.isSuspended)
    }

    @Test(
        "S-33 what is done in the background takes the lock for as long as it lasts, no timer does")
    func background() throws {
        let running = try device.launch { NotesApp() }
        let (scene, _) = try #require(running.firstNote)
        try running.moveToBackground([scene.identifier])
        try running.setTitle("done", for: scene.identifier)
        #expect(running.store.isSuspended)
        #expect(try running.session(for: scene.identifier)?.title == "done")
        #expect(running.store.isSuspended)
        device.wait(milliseconds: 600_000)
        #expect(running.store.isSuspended)
        #expect(try other { try $0.openRecords().count } == 1)
    }

    @Test("S-33 while another process owns the container the foreground says so, and works later")
    func owned() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        try running.moveToBackground([scene.identifier])
        try other { store in
            _ = store
            do throws(SceneStoreError) {
                try running.moveToForeground([scene.identifier])
                Issue.record("two owners")
            } catch {
                #expect(error.code == .owned)
            }
        }
        try running.moveToForeground([scene.identifier])
        note.text = "later"
        try running.moveToBackground([scene.identifier])
        device.kill()
        #expect(try device.launch { NotesApp() }.firstNote?.note.text == "later")
    }

    @Test("what openSessions cannot read is reported, and not taken for no sessions")
    func unreadableSessions() throws {
        let running = try device.launch { NotesApp() }
        var diagnostics: [Diagnostic] = []
        running.diagnosticHandler = { diagnostics.append($0) }
        let read = running.openSessions
        let unread = running.openSessions
        #expect(read.count == 1)
        #expect(diagnostics.isEmpty)
        try running.store.close()
        #expect(unread.isEmpty)
        #expect(diagnostics.map(\.code.rawValue) == ["closed"])
        let first = read[0]
        #expect(first.userInfo.isEmpty)
        #expect(diagnostics.map(\.sessionIdentifier) == [nil, first.persistentIdentifier])
    }

    @Test("S-33 a session that another process discarded is disconnected, not brought back")
    func discardedElsewhere() throws {
        let running = try device.launch { NotesApp() }
        var diagnostics: [Diagnostic] = []
        running.diagnosticHandler = { diagnostics.append($0) }
        running.requestSceneSessionActivation(
            SceneSessionActivationRequest(role: .windowApplication))
        let scenes = running.connectedScenes
        #expect(scenes.count == 2)
        let (gone, kept) = (scenes[0], scenes[1])
        try running.moveToBackground(scenes.map(\.identifier))
        try other { store in
            let record = try #require(try store.record(identifier: gone.identifier))
            try store.discard([record.key], cause: .user, deliveredNow: false)
        }
        gone.setNeedsSave()
        kept.setNeedsSave()
        try running.moveToForeground([kept.identifier])
        #expect(running.connectedScenes.map(\.identifier) == [kept.identifier])
        #expect(diagnostics.map(\.code) == [.discardedElsewhere])
        try device.quit()
        let app = NotesApp()
        let again = try device.launch { app }
        #expect(again.connectedScenes.map(\.identifier) == [kept.identifier])
        #expect(app.discards.map(\.persistentIdentifier) == [gone.identifier])
    }
}
