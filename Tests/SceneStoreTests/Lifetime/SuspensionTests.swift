import Observation
import Synchronization
import Testing

import SceneStore
import SceneStoreEngine
import SceneStoreSQLite
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

    @Test("S-33 whatever is called in the background lets the container go when it is done")
    func everyCall() throws {
        device.options.persistsInbox = true
        let running = try device.launch { NotesApp() }
        for _ in 0..<3 {
            running.requestSceneSessionActivation(
                SceneSessionActivationRequest(role: .windowApplication))
        }
        let names = running.connectedScenes.map(\.identifier)
        let link = Payload.notification(NotificationResponse(identifier: "n1"))
        try running.receive(link)
        #expect(running.inbox.offered.map(\.payload) == [link])
        let (scene, note) = try #require(running.firstNote)
        try running.moveToBackground(names)
        try running.closeWindow(of: names[1])
        #expect(running.store.isSuspended)
        let name = scene.identifier
        let sessions = running.openSessions
        let activity = try UserActivity(activityType: "com.example.edit")
        let calls: [(String, () throws -> Void)] = [
            ("session", { _ = try running.session(for: name) }),
            ("userInfo", { try running.setUserInfo(["a": 1], for: name) }),
            ("title", { try running.setTitle("t", for: name) }),
            ("placement", { try running.setPlacement(nil, for: name) }),
            ("conditions", { try running.setActivationConditions(.init(), for: name) }),
            ("state", { try running.setStateRestorationActivity(activity, for: name) }),
            ("restoration", { try running.setRestorationEnabled(true, for: name) }),
            ("storage", { try running.setStorage(["b": 1], for: name) }),
            ("privacy", { try running.setPrivacy(.redacted, for: name) }),
            ("pinned", { try running.setPinned(true, for: name) }),
            ("saveState", { try running.saveState(of: [name]) }),
            ("idle", { try running.performIdleWork() }),
            ("recentlyClosed", { _ = try running.recentlyClosedGroups().flatMap(\.sessions) }),
            ("openSessions", { #expect(running.openSessions.count == 3) }),
            ("identifiers", { #expect(sessions.map(\.id).count == 3) }),
            ("element", { _ = sessions.first }),
            ("acknowledge", { try running.acknowledge(link) }),
            ("values", { #expect(scene.storage["c"] == nil) }),
            ("values set", { scene.storage["c"] = 1 }),
            ("wrapped", { #expect(note.zoom == 1) }),
            ("wrapped set", { note.zoom = 2 }),
            ("scene's userInfo", { try scene.setUserInfo([:]) }),
            ("scene's title", { try scene.setTitle(nil) }),
            ("scene's placement", { try scene.setPlacement(nil) }),
            ("scene's conditions", { try scene.setActivationConditions(.init()) }),
            ("presentedValue", { _ = try scene.session.presentedValue(as: Int.self) }),
            ("presentedValue set", { try scene.setPresentedValue(1) }),
            ("extend", { try scene.extendStateRestoration() }),
            ("complete", { try scene.completeStateRestoration() }),
            (
                "changes",
                {
                    scene.setNeedsSave(); running.flushChanges()
                }
            ),
            ("refresh", { running.requestSceneSessionRefresh(name) }),
            ("evict", { try running.evict(names[2]) }),
            ("destroy", { running.requestSceneSessionDestruction(names[2]) }),
            ("forget", { try running.forget(names[3]) }),
            ("reset", { try running.reset() }),
            ("erase", { try running.erase() }),
        ]
        for (name, call) in calls {
            try call()
            #expect(running.store.isSuspended, "\(name)")
            try running.store.suspend()
        }
    }

    @Test("S-33 L-86 scene storage that another owner keeps from being read is read later")
    func unreadStorage() throws {
        let running = try device.launch { NotesApp() }
        var diagnostics: [Diagnostic] = []
        running.diagnosticHandler = { diagnostics.append($0) }
        let (scene, _) = try #require(running.firstNote)
        try running.setStorage(["zoom": 2.0], for: scene.identifier)
        try running.moveToBackground([scene.identifier])
        try other { _ in
            #expect(scene.storage["zoom"] == nil)
            scene.storage["tab"] = "drawing"
        }
        #expect(diagnostics.map(\.code.rawValue) == ["owned", "owned"])
        #expect(scene.storage["zoom"] == 2.0)
        #expect(scene.storage["tab"] == nil)
        scene.storage["tab"] = "drawing"
        #expect(scene.storage["tab"] == "drawing")
        #expect(running.store.isSuspended)
    }

    @Test("S-33 L-52 the end of the stable period in the background lets the container go, too")
    func stablePeriod() throws {
        let first = try device.launch { NotesApp() }
        let name = try #require(first.firstNote).scene.identifier
        try device.quit()
        let key = try other { store in
            let record = try #require(try store.record(identifier: name))
            _ = try store.launches.begin(
                LaunchContext(bootIdentifier: "boot", processIdentifier: 1))
            try store.launches.setRestoring(key: record.key)
            return record.key
        }
        let running = try device.launch { NotesApp() }
        #expect(try running.store.record(key: key)?.isStateWithheld == true)
        try running.moveToBackground(running.connectedScenes.map(\.identifier))
        #expect(running.store.isSuspended)
        device.wait(milliseconds: 600_000)
        #expect(running.store.isSuspended)
        #expect(try other { try $0.record(key: key)?.isStateWithheld } == false)
    }

    @Test("S-33 L-65 what the app acknowledged is watched no more, and takes no lock for it")
    func acknowledged() throws {
        device.options.persistsInbox = true
        let running = try device.launch { NotesApp() }
        let payload = Payload.urls([OpenURLContext(url: "notes://a")])
        try device.deliver(payload)
        try running.acknowledge(payload)
        try running.moveToBackground(running.connectedScenes.map(\.identifier))
        try other { _ in
            device.wait(milliseconds: 600_000)
        }
        #expect(running.store.isSuspended)
        #expect(device.diagnostics.isEmpty)
    }

    @Test("S-33 L-87 S-70 a private window keeps what it shows after another process's turn")
    func privateWindow() throws {
        let running = try device.launch { NotesApp() }
        let own = try #require(running.connectedScenes.first)
        let scene = try device.openWindow(privacy: .ephemeral)
        let conditions = ActivationConditions(prefersToActivate: .equals("secret"))
        try scene.setTitle("secret title")
        try scene.setPresentedValue("secret")
        try scene.setActivationConditions(conditions)
        try device.moveToBackground()
        try other { store in
            let record = try #require(try store.record(identifier: own.identifier))
            try store.values.setTitle("elsewhere", key: record.key)
        }
        try running.moveToForeground([scene.identifier])
        #expect(own.session.title == "elsewhere")
        #expect(scene.session.title == "secret title")
        #expect(scene.session.presentedValue == "secret")
        #expect(scene.session.activationConditions == conditions)
    }

    @Test("S-33 scene storage that another process wrote is read again, and not taken for the old")
    func storage() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        note.zoom = 2
        try running.moveToBackground([scene.identifier])
        #expect(scene.storage["late"] == nil)
        let isTold = Mutex(false)
        withObservationTracking {
            _ = scene.storage["late"]
        } onChange: {
            isTold.withLock { $0 = true }
        }
        try other { store in
            let record = try #require(try store.record(identifier: scene.identifier))
            try store.values.setStorage(["zoom": .double(3), "late": 1], key: record.key)
            try store.values.setTitle("elsewhere", key: record.key)
        }
        try running.moveToForeground([scene.identifier])
        #expect(note.zoom == 3)
        #expect(isTold.withLock { $0 })
        #expect(scene.storage["late"] == 1)
        #expect(scene.session.title == "elsewhere")
        // What was the value before is a change now.
        note.zoom = 2
        device.kill()
        #expect(try device.launch { NotesApp() }.firstNote?.note.zoom == 2)
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

    @Test("S-24 S-33 an autosave that another owner keeps from the container is tried again")
    func autosaveAgain() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        try running.moveToBackground([scene.identifier])
        note.text = "later"
        try other { _ in
            scene.setNeedsSave()
            device.wait(milliseconds: 4_000)
            #expect(device.diagnostics.contains { $0.code.rawValue == "owned" })
        }
        device.wait(milliseconds: 5_000)
        let saved = try other { store in
            let record = try #require(try store.record(identifier: scene.identifier))
            return try store.restorationActivity(key: record.key)?.userInfo["text"]
        }
        #expect(saved == "later")
    }

    @Test("S-33 L-39 a quit that another owner keeps from saving saves at its second try")
    func quitsAgain() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        try running.moveToBackground([scene.identifier])
        note.text = "later"
        try other { _ in
            scene.setNeedsSave()
            #expect(throws: SceneStoreError(.owned, "")) { try running.quit() }
            #expect(running.connectedScenes.count == 1)
        }
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.launchReason == .launch)
        #expect(again.firstNote?.note.text == "later")
    }

    @Test("L-17 S-33 a quit that may lose something ends though another process owns the container")
    func quitsLosing() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        note.text = "first"
        try running.moveToBackground([scene.identifier])
        note.text = "later"
        try other { store in
            scene.setNeedsSave()
            #expect(try running.quit(discardingUnsaved: true) == [scene.identifier.rawValue])
            #expect(running.hasEnded)
            let record = try #require(try store.record(identifier: scene.identifier))
            try store.values.setTitle("elsewhere", key: record.key)
        }
        let again = try SceneSessionStore.open(
            at: .directory(device.containerPath), options: device.storeOptions)
        let record = try #require(try again.record(identifier: scene.identifier))
        #expect(try again.session(for: record).title == "elsewhere")
        #expect(try again.restorationActivity(key: record.key)?.userInfo["text"] == "first")
        try again.close()
    }

    @Test("S-33 L-17 the lock is free in the background though the disk refuses the last save")
    func releasesRefused() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        note.text = "first"
        try running.saveState(of: [scene.identifier])
        try device.refuseWrites(.diskFull)
        note.text = "later"
        try? running.moveToBackground([scene.identifier])
        #expect(running.storeRefusal?.code == .diskFull)
        let folder = try ContainerFolder.open(device.containerPath, access: .inspector)
        #expect(try OwnerLock.owner(of: folder) == nil)
        try device.acceptWrites()
        try running.moveToForeground([scene.identifier])
        _ = try running.performIdleWork()
        #expect(running.storeRefusal == nil)
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
        let first = try #require(read.first)
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
