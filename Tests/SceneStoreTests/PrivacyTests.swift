import Foundation
import SceneStoreSQLite
import Testing

import SceneStore
import SceneStoreExchange
@testable import SceneStoreTesting

@Suite("What an app decides about its sessions")
struct PrivacyTests {
    let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(
            storage: .temporaryDirectory, options: SceneApplicationOptions(manifest: .notes))
    }

    @Test(
        "S-70 a window that an app turns ephemeral doesn't come back, one that it turns back does")
    func forgotten() throws {
        let running = try device.launch { NotesApp() }
        let scene = try #require(running.firstNote?.scene)
        try running.setPrivacy(.ephemeral, for: scene.identifier)
        #expect(scene.session.restoration == .disabled)
        try device.openWindow()
        let kept = try #require(running.connectedScenes.first).identifier
        try running.setPrivacy(.ephemeral, for: kept)
        try running.setPrivacy(.standard, for: kept)
        let again = try device.relaunch()
        #expect(Array(again.openSessions.map(\.id)) == [kept])
    }

    @Test(
        "S-70 L-44 a window of a kind that isn't remembered leaves nothing of its content in a file"
    )
    func unremembered() throws {
        device.options.unrememberedConfigurations = ["Viewer"]
        let app = NotesApp()
        let running = try device.launch { app }
        app.makeConfiguration = { SceneConfiguration(name: "Viewer", role: $0.role) }
        try running.openWindow(presenting: "secret value")
        let (scene, note) = try #require(running.firstNote)
        #expect(scene.session.privacy == .ephemeral)
        note.text = "secret text"
        note.tab = .drawing
        try scene.setTitle("secret title")
        try scene.setUserInfo(["key": "secret info"])
        try running.setPlatformToken(Array("secret token".utf8), for: scene.identifier)
        try scene.setActivationConditions(
            ActivationConditions(prefersToActivate: .equals("secret target")))
        try scene.setPlacement(ScenePlacement(width: 640, height: 480))
        try running.saveState(of: [scene.identifier])
        // While it is there, it is found by what it shows.
        try running.openWindow(presenting: "secret value")
        #expect(running.connectedScenes.count == 2)
        #expect(note.tab == .drawing)
        let stored = try #require(try running.session(for: scene.identifier))
        #expect(stored.title == nil && stored.presentedValue == nil && stored.userInfo.isEmpty)
        #expect(stored.placement?.width == 640)
        device.kill()
        let folder = device.containerPath
        for name in ["scenes.sqlite", "scenes.sqlite-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: folder + "/" + name))
            for text in ["secret", "drawing"] {
                #expect(bytes.range(of: Data(text.utf8)) == nil, "\(name) has \(text)")
            }
        }
    }

    @Test("S-70 L-78 of a first kind that isn't remembered, conditions count and no link is stored")
    func firstKind() throws {
        let kinds = try #require(SceneManifest.notes.configurations[.windowApplication])
        device.options.unrememberedConfigurations = Set(kinds.compactMap(\.name))
        device.options.persistsInbox = true
        let running = try device.launch { NotesApp() }
        let scene = try #require(running.firstNote?.scene)
        // Its content stays out of the file whatever class it is given.
        try running.setPrivacy(.standard, for: scene.identifier)
        #expect(scene.session.privacy == .ephemeral)
        try scene.setActivationConditions(ActivationConditions(canActivate: .never))
        try running.receive(.shortcut(ShortcutItem(type: "t", targetContentIdentifier: "secret")))
        #expect(running.connectedScenes.count == 2)
        #expect(try running.store.inbox.pending().isEmpty)
        device.kill()
        for name in ["scenes.sqlite", "scenes.sqlite-wal"] {
            let bytes = try Data(
                contentsOf: URL(filePath: device.containerPath + "/" + name))
            #expect(bytes.range(of: Data("secret".utf8)) == nil, "\(name)")
        }
    }

    @Test("S-70 what a private window continues from another device is not stored")
    func privateHandoff() throws {
        device.options.persistsInbox = true
        let running = try device.launch { NotesApp() }
        let scene = try device.openWindow(privacy: .ephemeral)
        try scene.setActivationConditions(
            ActivationConditions(prefersToActivate: .equals("secret")))
        try running.announceActivity(type: "com.example.note", targetContentIdentifier: "secret")
        var activity = try UserActivity(activityType: "com.example.note")
        activity.targetContentIdentifier = "secret"
        try running.continueAnnounced(activity)
        #expect(try running.store.inbox.pending().isEmpty)
    }

    /// An app that makes a window of a kind for each payload.
    private final class KindApp: SceneConfigurationProvider {
        var kind = "Editor"
        var target = PayloadTarget.new

        func application(
            _ application: SceneApplication, targetFor payload: Payload
        ) -> PayloadTarget? { target }

        func application(
            _ application: SceneApplication, configurationForConnecting session: SceneSession,
            options: ConnectionOptions
        ) -> SceneConfiguration { SceneConfiguration(name: kind, role: session.role) }

        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { NoteScene() }
    }

    @Test(
        "S-70 L-65 a payload for which the app makes a private window is on no disk, any other is",
        arguments: ["Viewer", "Editor"], [SceneApplicationOptions.Delivery.uikit, .whenActive])
    func privateKind(kind: String, delivery: SceneApplicationOptions.Delivery) throws {
        device.options.unrememberedConfigurations = ["Viewer"]
        device.options.persistsInbox = true
        device.options.delivery = delivery
        let isKept = kind == "Editor"
        let app = KindApp()
        var running = try device.launch { app }
        app.kind = kind
        try running.receive(.shortcut(ShortcutItem(type: "warm secret")))
        #expect(running.connectedScenes.count == 2)
        #expect(try running.store.inbox.pending().count == (isKept ? 1 : 0))
        #expect(running.inbox.offered.count == (isKept ? 1 : 0))
        try running.waitingPayloads().forEach(running.discardPayload)
        try device.quit()
        running = try device.launch([.shortcut(ShortcutItem(type: "cold secret"))]) { app }
        #expect(running.connectedScenes.first?.session.configuration.name == kind)
        #expect(try running.store.inbox.pending().map(\.deaths) == (isKept ? [0] : []))
        device.kill()
        let folder = device.containerPath
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = try? Data(contentsOf: URL(filePath: folder + "/" + name))
            let isThere = bytes?.range(of: Data("secret".utf8)) != nil
            #expect(!isThere || isKept, "\(name)")
        }
        // A death while it is handed over counts, and it is offered again.
        running = try device.launch { app }
        #expect(try running.store.inbox.pending().map(\.deaths) == (isKept ? [1] : []))
    }

    @Test("S-70 L-65 what a private window takes that has no scene yet is on no disk")
    func privateWithoutScene() throws {
        device.options.remembersPrivateWindows = true
        device.options.persistsInbox = true
        let app = KindApp()
        try device.launch { app }
        let own = try device.openWindow(privacy: .ephemeral).identifier
        try device.application?.moveToBackground([own])
        try device.quit()
        let running = try device.launch { app }
        #expect(running.scene(for: own) == nil)
        app.target = .window(own)
        try running.receive(.shortcut(ShortcutItem(type: "secret")))
        #expect(running.scene(for: own) != nil)
        device.kill()
        let folder = device.containerPath
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = try? Data(contentsOf: URL(filePath: folder + "/" + name))
            #expect(bytes?.range(of: Data("secret".utf8)) == nil, "\(name)")
        }
    }

    @Test(
        "S-70 L-65 what a window took leaves the disk when it turns ephemeral, and of others stays",
        arguments: [SceneApplicationOptions.Delivery.uikit, .whenActive])
    func takenPayloads(delivery: SceneApplicationOptions.Delivery) throws {
        device.options.persistsInbox = true
        device.options.delivery = delivery
        let running = try device.launch([.shortcut(ShortcutItem(type: "cold secret"))]) {
            NotesApp()
        }
        let scene = try #require(running.connectedScenes.first)
        try running.receive(.shortcut(ShortcutItem(type: "warm secret")))
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try running.receive(
            .notification(NotificationResponse(identifier: "secret", date: date)))
        try device.openWindow()
        try running.receive(.shortcut(ShortcutItem(type: "another")))
        #expect(try running.waitingPayloads().count == 4)
        try running.setPrivacy(.ephemeral, for: scene.identifier)
        let another = Payload.shortcut(ShortcutItem(type: "another"))
        #expect(try running.waitingPayloads().map(\.payload) == [another])
        let folder = device.containerPath
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let bytes = try? Data(contentsOf: URL(filePath: folder + "/" + name))
            #expect(bytes?.range(of: Data("secret".utf8)) == nil, "\(name)")
        }
        // The app may still acknowledge it.
        try running.acknowledge(.shortcut(ShortcutItem(type: "warm secret")))
        #expect(running.inbox.offered.count == 3)
    }

    @Test(
        "S-70 L-78 conditions and value of a window that turns ephemeral are known until it closes")
    func privateConditions() throws {
        let running = try device.launch { NotesApp() }
        let scene = try #require(running.firstNote?.scene)
        try scene.setActivationConditions(ActivationConditions(prefersToActivate: .equals("a")))
        try scene.setPresentedValue("report")
        try device.openWindow()
        try running.setPrivacy(.ephemeral, for: scene.identifier)
        try running.receive(.shortcut(ShortcutItem(type: "t", targetContentIdentifier: "a")))
        #expect(running.connectedScenes.first?.identifier == scene.identifier)
        try running.openWindow(presenting: "report")
        #expect(running.connectedScenes.count == 2)
        let stored = try #require(try running.session(for: scene.identifier))
        #expect(stored.activationConditions == ActivationConditions())
        #expect(stored.presentedValue == nil)
        // What it shows is stored again with it.
        try running.setPrivacy(.standard, for: scene.identifier)
        #expect(try running.session(for: scene.identifier)?.presentedValue == "report")
        try running.setPrivacy(.ephemeral, for: scene.identifier)
        try running.closeWindow(of: scene.identifier)
        #expect(running.core.engine.privateSessions.isEmpty)
    }

    @Test("S-70 an app turns a session ephemeral: it comes back, and what it showed does not")
    func ephemeral() throws {
        device.options.remembersPrivateWindows = true
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        note.text = "draft"
        try running.saveState(of: [scene.identifier])
        try running.setPrivacy(.ephemeral, for: scene.identifier)
        #expect(scene.session.privacy == .ephemeral)
        note.text = "more"
        try running.moveToBackground([scene.identifier])
        #expect(try running.session(for: scene.identifier)?.stateRestorationActivity == nil)
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(again.firstNote?.scene.identifier == scene.identifier)
        #expect(again.firstNote?.scene.session.privacy == .ephemeral)
        #expect(again.firstNote?.note.text == "")
        // What is set while it is ephemeral is stored once it is not, if it is set again.
        let second = try #require(again.firstNote)
        second.note.zoom = 7
        try again.setPrivacy(.standard, for: scene.identifier)
        #expect(second.note.zoom == 7)
        second.note.zoom = 7
        #expect(try again.store.values.storageValues(key: second.scene.key) == ["zoom": .double(7)])
        #expect(throws: SceneStoreError(.requestDenied, "")) {
            try again.setPrivacy(.standard, for: "nobody")
        }
    }

    @Test("S-70 the scene storage of a window that turns ephemeral stays until its scene is gone")
    func ephemeralStorage() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        // Set, and never read before.
        note.zoom = 4
        try running.setPrivacy(.ephemeral, for: scene.identifier)
        #expect(note.zoom == 4)
        #expect(try running.store.values.storageValues(key: scene.key).isEmpty)
        try device.relaunch()
        #expect(device.application?.firstNote?.note.zoom == 1)
    }

    /// Runs a body while another connection looks at the store as it is now.
    private func whileRead(_ body: () -> Void) throws {
        let connection = try Connection(path: device.storePath, options: .init(.reader))
        try connection.read { _ throws(SceneStoreError) in
            _ = try Database.storeRow(connection)
            body()
        }
        try connection.close()
    }

    @Test("S-70 while a reader keeps old content, the class is changed and the erasure pending")
    func pending() throws {
        device.storeOptions.busyTimeout = 0
        let running = try device.launch { NotesApp() }
        let (scene, _) = try #require(running.firstNote)
        try running.setTitle("title", for: scene.identifier)
        let pending = SceneStoreError(.erasurePending, "")
        try whileRead {
            #expect(throws: pending) {
                try running.setPrivacy(.ephemeral, for: scene.identifier)
            }
        }
        #expect(scene.session.privacy == .ephemeral)
        #expect(try running.session(for: scene.identifier)?.privacy == .ephemeral)
        // Asked again, it is no sooner said to be done than it is.
        try whileRead {
            #expect(throws: pending) {
                try running.setPrivacy(.ephemeral, for: scene.identifier)
            }
        }
        try running.setPrivacy(.ephemeral, for: scene.identifier)
        // A container that is erased meanwhile takes its scenes along.
        try whileRead {
            #expect(throws: pending) { try running.erase() }
        }
        #expect(running.connectedScenes.isEmpty)
    }

    @Test("S-70 a key that never reaches the disk is there as long as the scene lives")
    func ephemeralKeys() throws {
        device.storeOptions.ephemeralKeys = ["zoom"]
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        note.zoom = 4
        note.tab = .drawing
        #expect(note.zoom == 4)
        #expect(try running.store.values.storageValues(key: scene.key).keys.sorted() == ["tab"])
        // Also when what is stored is read again.
        scene.storage.readAgain()
        #expect(note.zoom == 4)
        try running.setStorage(["zoom": .double(5)], for: scene.identifier)
        #expect(note.zoom == 5)
        device.kill()
        let again = try #require(try device.launch { NotesApp() }.firstNote)
        #expect(again.note.zoom == 1)
        #expect(again.note.tab == .drawing)
    }

    @Test("S-70 an equal value gets the mark that an earlier version did not give")
    func redactedAgain() throws {
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        note.zoom = 4
        device.kill()
        device.storeOptions.redactedKeys = ["zoom"]
        let again = try device.launch { NotesApp() }
        let connected = try #require(again.firstNote)
        #expect(connected.note.zoom == 4)
        let before = String(decoding: try again.store.export(), as: UTF8.self)
        #expect(!before.contains("$redacted"))
        connected.note.zoom = 4
        #expect(try again.store.values.storageValue(key: scene.key, name: "zoom") == .double(4))
        let after = String(decoding: try again.store.export(), as: UTF8.self)
        #expect(after.contains(#""zoom":{"$redacted":"double"}"#))
    }

    @Test("S-52 an app pins a session")
    func pinned() throws {
        let running = try device.launch { NotesApp() }
        let (scene, _) = try #require(running.firstNote)
        try running.setPinned(true, for: scene.identifier)
        #expect(scene.session.isPinned)
        #expect(try running.session(for: scene.identifier)?.isPinned == true)
        try running.setPinned(false, for: scene.identifier)
        #expect(try running.session(for: scene.identifier)?.isPinned == false)
    }

    @Test("S-30 a process asks the owner to hand over, and the owner may")
    func handOver() throws {
        let running = try device.launch { NotesApp() }
        let location = SceneSessionStore.Location.directory(device.containerPath)
        #expect(try running.store.handOverRequest() == nil)
        try SceneSessionStore.requestHandOver(at: location)
        #expect(try running.store.handOverRequest() != nil)
        try device.quit()
        // Nobody owns it any more: nothing is asked of the next owner.
        try SceneSessionStore.requestHandOver(at: location)
        let again = try device.launch { NotesApp() }
        #expect(try again.store.handOverRequest() == nil)
        #expect(throws: SceneStoreError.self) {
            try SceneSessionStore.requestHandOver(at: .directory("/nonexistent/container"))
        }
    }
}
