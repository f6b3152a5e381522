import SceneStore
import SceneStoreEngine
import SceneStoreTesting
import Testing

/// What can happen to a device, seen by an app's real delegates.
@Suite("A simulated device")
struct DeviceTests {
    static let storages: [SimulatedDevice.Storage] = [.memory, .temporaryDirectory]

    func device(_ storage: SimulatedDevice.Storage = .memory) throws -> SimulatedDevice {
        let device = try SimulatedDevice(manifest: .windows("Note", "List"), storage: storage)
        try device.launch { NotesApp() }
        return device
    }

    func write(_ text: String, on device: SimulatedDevice) throws {
        try device.sceneDelegate(NoteScene.self).text = text
        try device.moveToBackground()
    }

    func text(on device: SimulatedDevice) throws -> String {
        try device.sceneDelegate(NoteScene.self).text
    }

    @Test("every way a process ends keeps what was saved", arguments: storages)
    func ends(_ storage: SimulatedDevice.Storage) throws {
        let ends: [(SimulatedDevice) throws -> Void] = [
            { $0.kill() }, { $0.crash() }, { try $0.quit() }, { try $0.forceQuit() },
            { $0.reboot() }, { $0.update(version: "2") },
        ]
        let device = try device(storage)
        for (number, end) in ends.enumerated() {
            try write("text \(number)", on: device)
            try end(device)
            #expect(!device.isRunning)
            try device.relaunch()
            #expect(try text(on: device) == "text \(number)")
        }
        let reasons = device.transcript.compactMap { line -> LaunchReason? in
            if case .launch(let reason) = line.event { reason } else { nil }
        }
        #expect(
            reasons == [.first, .recover, .recover, .launch, .recover, .restore, .recover])
    }

    @Test("L-35 an evicted window comes back with a new scene object", arguments: storages)
    func eviction(_ storage: SimulatedDevice.Storage) throws {
        let device = try device(storage)
        let identifier = try #require(device.frontScene).session.persistentIdentifier
        try write("kept", on: device)
        try device.evict()
        #expect(device.frontScene == nil)
        device.application?.requestSceneSessionActivation(
            SceneSessionActivationRequest(session: identifier))
        #expect(try text(on: device) == "kept")
        #expect(
            device.takeCallbacks()
                == "will did config:A connect:A fg:A active:A inactive:A bg:A save:A update:A"
                + " disconnect:A connect:A restore:A fg:A active:A")
    }

    @Test("L-52 a crash while restoring calls nobody afterwards, and is blamed on the session")
    func crashWhileRestoring() throws {
        let device = try device()
        try write("draft", on: device)
        _ = device.takeCallbacks()
        try device.crash(restoring: "A")
        #expect(!device.isRunning)
        #expect(device.takeCallbacks() == "will did connect:A restore:A")
        try device.relaunch()
        #expect(device.takeCallbacks() == "will did connect:A fg:A active:A")
        #expect(device.frontScene?.session.restoration == .withheld)
        #expect(throws: SceneStoreError(.invalidState, "")) {
            try device.crash(restoring: "Z")
        }
        #expect(device.isRunning)
    }

    @Test("L-41 a process that is killed within a callback does nothing more", arguments: storages)
    func killedInCallback(_ storage: SimulatedDevice.Storage) throws {
        final class DyingScene: StateRestoringSceneDelegate {
            let die: () -> Void
            init(_ die: @escaping () -> Void) { self.die = die }
            func stateRestorationActivity(for scene: Scene) -> UserActivity? {
                die()
                return try? UserActivity(activityType: "com.example.late")
            }
        }
        final class DyingApp: SceneApplicationDelegate {
            let die: () -> Void
            init(_ die: @escaping () -> Void) { self.die = die }
            func application(
                _ application: SceneApplication, sceneDelegateFor session: SceneSession
            ) -> (any SceneDelegate)? { DyingScene(die) }
        }
        let device = try SimulatedDevice(manifest: .windows("Note"), storage: storage)
        try device.launch { [unowned device] in DyingApp { device.kill() } }
        try device.moveToBackground()
        #expect(!device.isRunning)
        #expect(device.takeCallbacks().hasSuffix("inactive:A bg:A save:A"))
        try device.launch { NotesApp() }
        #expect(device.frontScene?.session.stateRestorationActivity == nil)
        #expect(device.takeCallbacks() == "will did connect:A fg:A active:A")
    }

    @Test("L-41 S-27 no timer of a process that was killed fires, its app's own neither")
    func timersOfTheDead() throws {
        let device = try device()
        var fired: [String] = []
        _ = device.scheduler.schedule(after: 1_000) { fired.append("dead") }
        device.kill()
        try device.relaunch()
        _ = device.scheduler.schedule(after: 1_000) { fired.append("alive") }
        device.wait(milliseconds: 5_000)
        #expect(fired == ["alive"])
    }

    @Test("L-41 S-20 a connection that a killed process leaves open locks nothing on its disk")
    func locksOfTheDead() throws {
        let device = try device()
        let disk = try #require(device.disk)
        // The app's own database, in the middle of a transaction.
        let dead = try Connection(disk, "/cache.sqlite")
        try dead.run("CREATE TABLE page (id INTEGER); BEGIN IMMEDIATE")
        device.kill()
        let alive = try Connection(disk, "/cache.sqlite")
        try alive.run("INSERT INTO page VALUES (1)")
        #expect(try alive.number("SELECT count(*) FROM page") == 1)
        dead.abandon()
    }

    @Test("S-24 S-27 timers fire at their times, and those of one time as they were scheduled")
    func timers() {
        let clock = VirtualClock()
        let scheduler = VirtualScheduler(clock: clock)
        var fired: [String] = []
        for (name, delay) in [("last", 20), ("one", 10), ("two", 10)] as [(String, Int64)] {
            _ = scheduler.schedule(after: delay) { fired.append(name) }
        }
        for (step, expected) in [
            (9, []), (1, ["one", "two"]), (9, ["one", "two"]), (1, ["one", "two", "last"]),
        ] as [(Int64, [String])] {
            scheduler.advance(by: step)
            #expect(fired == expected)
        }
        #expect(clock.now == VirtualClock.start + 20)
    }

    @Test("L-50 an update renames a configuration")
    func update() throws {
        let device = try device()
        try write("draft", on: device)
        device.update(manifest: .windows("Page"), version: "2", renaming: ["Note": "Page"])
        #expect(device.options.appVersion == "2")
        try device.relaunch()
        #expect(try text(on: device) == "draft")
        #expect(device.frontScene?.session.configuration.name == "Page")
    }

    @Test("locking leaves the front and saves; unlocking comes back", arguments: storages)
    func locking(_ storage: SimulatedDevice.Storage) throws {
        let device = try device(storage)
        _ = device.takeCallbacks()
        try device.lock()
        try device.lock()
        #expect(device.isLocked)
        #expect(device.takeCallbacks() == "inactive:A bg:A save:A update:A")
        try device.unlock()
        #expect(device.takeCallbacks() == "fg:A active:A")
        try device.lock(protectingFiles: true)
        device.kill()
        #expect(throws: SceneStoreError(.protected, "")) { try device.relaunch() }
        try device.unlock()
        try device.relaunch()
        #expect(device.frontScene != nil)
    }

    @Test("L-42 a wiped container is a first launch", arguments: storages)
    func wiping(_ storage: SimulatedDevice.Storage) throws {
        let device = try device(storage)
        let identifier = device.frontScene?.session.persistentIdentifier
        try write("gone", on: device)
        device.kill()
        try device.wipe()
        let application = try device.relaunch()
        #expect(application.launchReason == .first)
        #expect(device.frontScene?.session.persistentIdentifier != identifier)
        #expect(try text(on: device) == "")
    }

    @Test("links and other payloads launch the app when it does not run, else reach it")
    func payloads() throws {
        let device = try device()
        try device.open("notes://warm", sourceApplication: "com.example.mail")
        device.kill()
        try device.open("notes://cold")
        #expect(try device.sceneDelegate(NoteScene.self).links == ["notes://cold"])
        try device.deliver(.notification(NotificationResponse(identifier: "n")))
        #expect(
            device.takeCallbacks()
                == "will did config:A connect:A fg:A active:A url:A will did connect:A fg:A"
                + " active:A response:A")
    }

    @Test("windows are opened, closed while running and while away", arguments: storages)
    func windows(_ storage: SimulatedDevice.Storage) throws {
        let device = try device(storage)
        let second = try device.openWindow()
        #expect(device.name(of: second) == "B")
        try device.openWindow()
        try device.closeWindow()
        #expect(device.name(of: try #require(device.frontScene)) == "B")
        try device.quit()
        try device.closeWindow("A")
        _ = device.takeCallbacks()
        try device.relaunch()
        #expect(device.takeCallbacks() == "will did discard:A connect:B restore:B fg:B active:B")
        device.options.environmentSupportsMultipleScenes = false
        try device.relaunch()
        #expect(throws: SceneStoreError(.multipleScenesNotSupported, "")) {
            try device.openWindow()
        }
    }

    @Test("L-66 an app without scenes has a transcript too")
    func preScene() throws {
        let device = try SimulatedDevice()
        device.options.lifecycle = .application
        try device.launch { NotesApp() }
        device.kill()
        try device.open("notes://cold")
        #expect(device.takeCallbacks() == "will did didBecomeActive will did open didBecomeActive")
    }

    @Test("the transcript reads like a scenario's")
    func transcript() throws {
        let device = try device()
        device.kill()
        #expect(
            device.transcriptText
                == """
                launch 1: first
                  will
                  did
                  config       A  UIWindowSceneSessionRoleApplication -> "Note"
                  connect      A  "Note", delegate NoteSceneDelegate, reason first
                  fg           A
                  active       A
                  exit            kill

                """)
        #expect(device.transcript.map(\.json).count == 8)
    }

    @Test("L-56 L-76 what is reported and decided is recorded beside the handlers that an app sets")
    func ownHandlers() throws {
        final class HandlingApp: SceneApplicationDelegate {
            var told: [Diagnostic.Code] = []
            var decisions = 0
            func application(
                _ application: SceneApplication,
                willFinishLaunchingWithOptions options: LaunchOptions
            ) -> Bool {
                application.diagnosticHandler = { [unowned self] in told.append($0.code) }
                application.decisionHandler = { [unowned self] _ in decisions += 1 }
                return true
            }
            func application(
                _ application: SceneApplication, sceneDelegateFor session: SceneSession
            ) -> (any SceneDelegate)? { FailingScene() }
        }
        final class FailingScene: StateRestoringSceneDelegate {
            func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
                throw SceneStoreError(.invalidState, "no state")
            }
        }
        let app = HandlingApp()
        let device = try SimulatedDevice(manifest: .windows("Note"))
        try device.launch { app }
        try device.moveToBackground()
        #expect(app.told.map(\.rawValue) == ["saveFailed"])
        #expect(device.diagnostics.map(\.code) == app.told)
        let before = app.decisions
        try device.open("notes://link")
        #expect(app.decisions > before)
        #expect(device.transcript.contains { $0.reasons.contains { $0.contains("delivery") } })
    }

    @Test("L-04 S-25 a device on a directory that has a store goes on behind that store")
    func existingDirectory() throws {
        let first = try device(.temporaryDirectory)
        try first.openWindow()
        first.wait(milliseconds: 90_000)
        try first.quit()
        let second = try SimulatedDevice(
            manifest: .windows("Note", "List"), storage: .directory(first.containerPath))
        try second.launch { NotesApp() }
        #expect(second.clock.now == first.clock.now)
        #expect(second.name(of: try second.openWindow()) == "C")
        #expect(second.application?.openSessions.count == 3)
        // A time of one's own counts, also one before the store's.
        second.kill()
        let past = try SimulatedDevice(
            storage: .directory(first.containerPath), options: second.options,
            now: VirtualClock.start)
        try past.launch { NotesApp() }
        #expect(past.clock.now == VirtualClock.start)
        #expect(past.name(of: try past.openWindow()) == "D")
    }

    @Test("L-87 openWindow returns the window that was asked for, not one that this one opens")
    func requestedWindow() throws {
        final class PairApp: SceneApplicationDelegate {
            let openCompanion: () -> Void
            init(_ openCompanion: @escaping () -> Void) { self.openCompanion = openCompanion }
            func application(
                _ application: SceneApplication, sceneDelegateFor session: SceneSession
            ) -> (any SceneDelegate)? {
                if session.configuration.name == "Note" {
                    openCompanion()
                }
                return nil
            }
        }
        let device = try SimulatedDevice(manifest: .windows("List", "Note"))
        var request = SceneSessionActivationRequest()
        request.configurationName = "List"
        try device.launch { [unowned device, request] in
            PairApp { device.application?.requestSceneSessionActivation(request) }
        }
        let opened = try device.openWindow(configuration: "Note")
        #expect(opened.session.configuration.name == "Note")
        #expect(device.frontScene?.session.configuration.name == "List")
    }

    @Test("calls that don't fit the state are errors, not traps")
    func wrongState() throws {
        let device = try SimulatedDevice()
        let wrong = SceneStoreError(.invalidState, "")
        #expect(throws: wrong) { try device.relaunch() }
        #expect(throws: wrong) { try device.quit() }
        #expect(throws: wrong) { try device.moveToBackground() }
        #expect(throws: wrong) { try device.sceneDelegate(NoteScene.self) }
        #expect(throws: wrong) { try device.open("notes://x") }
        try device.launch { NotesApp() }
        #expect(throws: wrong) { try device.launch { NotesApp() } }
        #expect(throws: wrong) { try device.closeWindows(of: []) }
        #expect(throws: wrong) { try device.damageState() }
    }
}
