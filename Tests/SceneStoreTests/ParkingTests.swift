import SceneStoreStorage
import SceneStoreValues
import Testing

@testable import SceneStore
@testable import SceneStoreTesting

/// Sessions that are kept without a scene (L-16, L-18).
@Suite("Parked sessions")
struct ParkingTests {
    /// A device whose app had three windows, and now has one.
    private func oneWindowDevice() throws -> SimulatedDevice {
        let device = try SimulatedDevice(manifest: .windows())
        try device.launch { NotesApp() }
        try device.openWindow()
        try device.openWindow()
        try device.quit()
        device.options.environmentSupportsMultipleScenes = false
        return device
    }

    @Test("L-18 discardParked gives up what the app can't show, and reopen has it back")
    func discarding() throws {
        let device = try oneWindowDevice()
        let app = NotesApp()
        let running = try device.launch { app }
        let parked = try running.store.discards.parkedRecords()
        #expect(parked.count == 2 && parked.allSatisfy { $0.parkedCause == .oneWindow })
        try running.setPinned(true, for: parked[0].id)
        app.calls = []
        try running.discardParked()
        #expect(app.calls == ["discard"])
        #expect(running.openSessions.count == 2)
        let closed = try running.recentlyClosedGroups().flatMap(\.sessions)
        #expect(closed.map(\.persistentIdentifier) == [parked[1].id])
        #expect(closed.first?.discardCause == .cannotDisplay)
        app.calls = []
        try running.discardParked()
        #expect(app.calls.isEmpty)
    }

    @Test("L-18 L-17 discardParked is never held in memory: it throws and changes nothing")
    func discardingOnAFullDisk() throws {
        let device = try oneWindowDevice()
        let running = try device.launch { NotesApp() }
        try device.refuseWrites(.diskFull)
        #expect(throws: SceneStoreError(.diskFull, "")) { try running.discardParked() }
        #expect(running.openSessions.count == 3)
        try device.acceptWrites()
        try running.discardParked()
        #expect(running.openSessions.count == 1)
    }

    @Test(
        "L-18 a parked session expires after 30 days and three stable launches, not one earlier",
        arguments: [(30, 3, true), (29, 9, false), (90, 2, false), (30, 4, true)])
    func expiry(days: Int, launches: Int, expires: Bool) throws {
        let device = try oneWindowDevice()
        try device.launch { NotesApp() }
        try device.quit()
        device.wait(milliseconds: Int64(days) * 86_400_000)
        for _ in 1..<launches {
            try device.launch { NotesApp() }
            try device.quit()
        }
        let running = try device.launch { NotesApp() }
        #expect(running.openSessions.count == (expires ? 1 : 3))
    }

    @Test("L-18 launches that died at once are not counted, and pinned sessions never expire")
    func neverExpiring() throws {
        let device = try oneWindowDevice()
        let first = try device.launch { NotesApp() }
        let pinned = try first.store.discards.parkedRecords()[0].id
        try first.setPinned(true, for: pinned)
        device.kill()
        device.wait(milliseconds: 40 * 86_400_000)
        for _ in 0..<5 {
            try device.launch { NotesApp() }
            device.kill()
        }
        #expect(try device.launch { NotesApp() }.openSessions.count == 3)
        for _ in 0..<3 {
            try device.quit()
            try device.launch { NotesApp() }
        }
        #expect(device.application?.openSessions.count == 2)
        #expect(
            device.application?.openSessions.contains { $0.persistentIdentifier == pinned } == true)
    }

    @Test("L-18 S-52 of what was left behind together, a pinned session stays")
    func pinnedLeftBehind() throws {
        let device = try SimulatedDevice(manifest: .windows())
        let first = try device.launch { NotesApp() }
        let pinned = try #require(first.connectedScenes.first).identifier
        try device.openWindow()
        try first.setPinned(true, for: pinned)
        try device.quit()
        device.options.launchBehavior = .fresh
        try device.launch { NotesApp() }
        try device.quit()
        device.wait(milliseconds: 15 * 86_400_000)
        try device.launch { NotesApp() }
        try device.quit()
        let running = try device.launch { NotesApp() }
        #expect(running.openSessions.count == 4)
        #expect(running.openSessions.contains { $0.persistentIdentifier == pinned })
    }

    @Test("L-44 L-18 a session that is not remembered and would expire goes without a discard")
    func unrememberedExpires() throws {
        let device = try SimulatedDevice(manifest: .windows())
        let left = try #require(device.launch { NotesApp() }.connectedScenes.first).identifier
        try device.quit()
        device.options.launchBehavior = .fresh
        try device.launch { NotesApp() }
        try device.quit()
        device.wait(milliseconds: 15 * 86_400_000)
        try device.launch { NotesApp() }.setRestorationEnabled(false, for: left)
        try device.quit()
        let app = NotesApp()
        let running = try device.launch { app }
        #expect(running.openSessions.count == 3)
        #expect(try running.session(for: left) == nil)
        #expect(app.discards.isEmpty)
    }

    @Test("L-44 L-52 a held session that is not remembered takes no place back")
    func unrememberedHeld() throws {
        let device = try SimulatedDevice(manifest: .windows())
        device.options.environmentSupportsMultipleScenes = false
        let held = try #require(device.launch { NotesApp() }.connectedScenes.first).identifier
        try device.quit()
        for _ in 0..<3 {
            try device.crash(restoring: held)
        }
        let running = try device.relaunch()
        try running.setRestorationEnabled(false, for: held)
        try device.closeWindow()
        let again = try device.relaunch()
        #expect(again.openSessions.count == 1)
        #expect(try again.session(for: held) == nil)
    }

    @Test(
        "L-12 L-35 S-24 a change that a window in the background reported is saved before it goes",
        arguments: [false, true])
    func changeBehind(isEvicted: Bool) throws {
        let device = try oneWindowDevice()
        let running = try device.launch { NotesApp() }
        let (scene, note) = try #require(running.firstNote)
        try device.moveToBackground()
        note.text = "late"
        scene.setNeedsSave()
        if isEvicted {
            try running.evict(scene.identifier)
        } else {
            try running.reopen(running.store.discards.parkedRecords()[0].id)
        }
        #expect(running.scene(for: scene.identifier) == nil)
        let stored = try running.session(for: scene.identifier)
        #expect(stored?.stateRestorationActivity?.userInfo["text"] == "late")
    }

    @Test("L-16 quitting without keeping windows parks all, and each can be had back")
    func notKept() throws {
        let device = try SimulatedDevice(manifest: .windows())
        let running = try device.launch { NotesApp() }
        running.firstNote?.note.text = "mine"
        try running.saveState(of: running.connectedScenes.map(\.identifier))
        let mine = try #require(running.connectedScenes.first).identifier
        try device.openWindow()
        try running.quit(keepingWindows: false)
        device.kill()
        let again = try device.launch { NotesApp() }
        #expect(again.connectedScenes.count == 1)
        #expect(again.openSessions.count == 3)
        #expect(again.connectedScenes.allSatisfy { $0.identifier != mine })
        try again.receive(.urls([OpenURLContext(url: "notes://x")]))
        #expect(again.connectedScenes.count == 1)
        again.requestSceneSessionActivation(.init(session: mine))
        #expect(again.firstNote?.note.text == "mine")
        #expect(try again.store.discards.parkedRecords().count == 1)
        try again.reopen(try again.store.discards.parkedRecords()[0].id)
        #expect(again.connectedScenes.count == 3)
    }

    @Test("L-16 an app that lists its windows is launched safely without a new one")
    func safeList() throws {
        let device = try SimulatedDevice(manifest: .windows())
        try device.launch { NotesApp() }
        try device.quit()
        device.options.launchBehavior = .safe
        device.options.showsListWhenSafe = true
        let running = try device.launch { NotesApp() }
        #expect(running.connectedScenes.isEmpty && running.openSessions.count == 1)
        try device.quit()
        device.options.showsListWhenSafe = false
        #expect(try device.launch { NotesApp() }.openSessions.count == 2)
    }

    @Test(
        "L-12 L-16 in an app of one window that lists its windows when launched safely, one opens")
    func safeListOfOne() throws {
        let device = try SimulatedDevice(manifest: .notes)
        device.options.manifest?.supportsMultipleScenes = false
        try device.launch { NotesApp() }
        try device.quit()
        device.options.launchBehavior = .safe
        device.options.showsListWhenSafe = true
        let running = try device.launch { NotesApp() }
        #expect(running.connectedScenes.isEmpty)
        running.requestSceneSessionActivation(.init())
        #expect(running.connectedScenes.count == 1)
        #expect(device.diagnostics.isEmpty)
        var refusal: SceneStoreError?
        running.requestSceneSessionActivation(.init()) { refusal = $0 }
        #expect(refusal?.code == .multipleScenesNotSupported)
    }

    @Test("L-16 a configuration is opened when none comes back, and another one never does")
    func opening() throws {
        var options = SceneApplicationOptions.desktop(.window("Editor"), .window("Welcome"))
        options.openingConfiguration = "Welcome"
        options.unrememberedConfigurations = ["Welcome"]
        let device = try SimulatedDevice(options: options)
        let names = { (running: SceneApplication) in
            running.connectedScenes.compactMap(\.session.configuration.name)
        }
        let running = try device.launch { NotesApp() }
        #expect(names(running) == ["Welcome"])
        try device.openWindow()
        #expect(Set(names(running)) == ["Editor", "Welcome"])
        try device.quit()
        let again = try device.launch { NotesApp() }
        #expect(names(again) == ["Editor"])
        try again.closeWindow(of: try #require(again.connectedScenes.first).identifier)
        try device.quit()
        #expect(names(try device.launch { NotesApp() }) == ["Welcome"])
        try device.quit()
        // A link gets a window of the usual kind, and so does an app that names one it doesn't have.
        let link = Payload.urls([OpenURLContext(url: "notes://x")])
        #expect(names(try device.launch([link]) { NotesApp() }) == ["Editor"])
        device.kill()
        try device.wipe()
        device.options.openingConfiguration = "Nowhere"
        #expect(names(try device.launch { NotesApp() }) == ["Editor"])
    }
}

/// One decision, one transaction (L-46, L-65).
@Suite("What a save takes along")
struct SavedTogetherTests {
    /// A window that tells its title and place while it is asked for its state.
    final class PlacedScene: StateRestoringSceneDelegate {
        var number = 0

        func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
            try scene.setTitle("title \(number)")
            try scene.setPlacement(ScenePlacement(x: Double(number), y: 0, width: 1, height: 1))
            return try UserActivity(
                activityType: "com.example.note", userInfo: ["n": .integer(Int64(number))])
        }
    }

    final class PlacedApp: SceneApplicationDelegate {
        let scene = PlacedScene()
        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { scene }
    }

    @Test("S-21 a save with a changed title and placement is one transaction and one sync")
    func oneTransaction() throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        let app = PlacedApp()
        let running = try device.launch { app }
        let id = try #require(running.connectedScenes.first).identifier
        app.scene.number = 1
        let before = running.store.counters
        try running.saveState(of: [id])
        #expect(running.store.counters.transactions == before.transactions + 1)
        #expect(running.store.counters.durableTransactions == before.durableTransactions + 1)
        let session = try #require(try running.session(for: id))
        #expect(session.title == "title 1" && session.placement?.x == 1)
        try running.saveState(of: [id])
        #expect(running.store.counters.transactions == before.transactions + 1)
    }

    @Test("L-46 a window that is closed keeps its title and place in the discard's transaction")
    func closing() throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        let app = PlacedApp()
        let running = try device.launch { app }
        let scene = try #require(running.connectedScenes.first)
        app.scene.number = 2
        scene.setNeedsSave()
        let before = running.store.counters.transactions
        try running.closeWindow(of: scene.identifier)
        // The discard with all that it takes along, and that it was told.
        #expect(running.store.counters.transactions == before + 2)
        try running.reopen(scene.identifier)
        let session = try #require(try running.session(for: scene.identifier))
        #expect(session.title == "title 2" && session.placement?.x == 2)
        #expect(session.stateRestorationActivity?.userInfo["n"] == 2)
    }

    @Test("L-83 a title that is too long is refused to who tells it, and the state is saved")
    func tooLong() throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        let app = PlacedApp()
        let running = try device.launch { app }
        let id = try #require(running.connectedScenes.first).identifier
        #expect(throws: SceneStoreError.self) {
            try running.setTitle(String(repeating: "x", count: 20_000_000), for: id)
        }
        try running.saveState(of: [id])
        #expect(try running.session(for: id)?.title == "title 0")
    }

    @Test("L-65 a payload that arrives is kept in one transaction")
    func inbox() throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        device.options.persistsInbox = true
        let running = try device.launch { NotesApp() }
        let before = running.store.counters.transactions
        try running.receive(.urls([OpenURLContext(url: "notes://a")]))
        #expect(running.store.counters.transactions == before + 1)
    }
}
