import Testing

import SceneStore
@testable import SceneStoreTesting

@Suite("What outlives its application")
struct OutlivingTests {
    @Test("L-86 a scene and its storage that outlive the application refuse and never trap")
    func outliving() throws {
        let clock = VirtualClock()
        var options = SceneSessionStore.Options.seeded()
        options.clock = { clock.now }
        let store = try SceneSessionStore.open(at: .memory, options: options)
        var application: SceneApplication? = SceneApplication(
            store: store, delegate: NotesApp(),
            options: SceneApplicationOptions(manifest: .notes))
        try application?.launch()
        let (scene, note) = try #require(application?.firstNote)
        note.scene = scene
        let values = scene.storage
        values["known"] = 1
        #expect(values["known"] == 1)
        let sessions = application?.openSessions
        application = nil

        let calls: [(String, () throws -> Void)] = [
            ("title", { try scene.setTitle("t") }),
            ("placement", { try scene.setPlacement(nil) }),
            ("userInfo", { try scene.setUserInfo([:]) }),
            ("conditions", { try scene.setActivationConditions(.init()) }),
            ("extend", { try scene.extendStateRestoration() }),
            ("presentedValue", { try scene.setPresentedValue(1) }),
        ]
        for (name, call) in calls {
            let error = #expect(throws: SceneStoreError.self, "\(name)") { try call() }
            #expect(error?.code == .invalidState, "\(name)")
        }
        scene.setNeedsSave()
        #expect(try scene.session.presentedValue(as: Int.self) == nil)
        // What was read stays; what is set goes nowhere.
        #expect(values["known"] == 1)
        values["known"] = 2
        values["other"] = 2
        #expect(values["known"] == 1)
        #expect(values["other"] == nil)
        note.zoom = 2
        #expect(note.zoom == 1)
        #expect(note.tab == .text)
        #expect(sessions?.count == 1)
        #expect(
            try store.values.storageValues(key: scene.key) == ["known": 1])
    }

    @Test("L-86 storage that was never read holds its defaults when the application is gone")
    func unread() throws {
        let store = try SceneSessionStore.open(at: .memory)
        var application: SceneApplication? = SceneApplication(
            store: store, delegate: NotesApp(),
            options: SceneApplicationOptions(manifest: .notes))
        try application?.launch()
        let (scene, note) = try #require(application?.firstNote)
        note.scene = scene
        application = nil
        #expect(scene.storage["zoom"] == nil)
        note.zoom = 3
        #expect(note.zoom == 1)
        note.size = .init(width: 3, height: 3)
        #expect(note.size == .init(width: 1, height: 2))
    }
}
