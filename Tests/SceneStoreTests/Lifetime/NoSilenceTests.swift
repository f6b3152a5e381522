import Foundation
import SceneStore
import SceneStoreTesting
import Synchronization
import Testing

/// What used to be lost in silence is told, and no isolation decides the outcome.
@Suite("No silence", .serialized)
struct NoSilenceTests {
    private static func container() throws -> String { try TemporaryDirectory.make() }

    @Test("S-27 an application that has no timers says so at its launch")
    func noScheduler() throws {
        var codes: [Diagnostic.Code] = []
        let schedulers: [((any SceneScheduler)?, Bool)] = [
            (nil, true), (.manual, false), (VirtualScheduler(clock: VirtualClock()), false),
        ]
        for (scheduler, isTold) in schedulers {
            codes = []
            let application = SceneApplication(
                store: try SceneSessionStore.open(at: .memory), delegate: NotesApp(),
                scheduler: scheduler)
            application.diagnosticHandler = { codes.append($0.code) }
            try application.launch()
            #expect(codes == (isTold ? [.noScheduler] : []))
            try application.quit()
        }
    }

    @Test("S-24 without timers performIdleWork saves what is due, and nothing that is not")
    func idleWork() throws {
        let clock = VirtualClock()
        let store = try SceneSessionStore.open(at: .memory)
        let application = SceneApplication(
            store: store, delegate: NotesApp(),
            environment: SceneEnvironment(
                now: { clock.now }, makeIdentifier: { "A" }, bootIdentifier: "boot",
                processIdentifier: 1), scheduler: .manual)
        try application.launch()
        let (scene, note) = try #require(application.firstNote)
        func saved() throws -> String? {
            try application.session(for: "A")?
                .stateRestorationActivity?.userInfo["text"]?.stringValue
        }
        note.text = "draft"
        scene.setNeedsSave()
        try application.performIdleWork()
        #expect(try saved() == nil)
        clock.now += 500
        try application.performIdleWork()
        #expect(try saved() == "draft")
        try application.quit()
    }

    // MARK: Where an application is made

    private final class Saved: Sendable {
        private let continuation: AsyncStream<Void>.Continuation
        private let stream: AsyncStream<Void>

        init() { (stream, continuation) = AsyncStream.makeStream() }

        func note() { continuation.yield() }

        func wait() async {
            for await _ in stream {
                break
            }
        }
    }

    /// Makes its application in its `init`, where no actor can be inferred.
    private actor InitMade {
        private var application: SceneApplication?
        private let ended: Saved?

        init(_ saved: Saved, ended: Saved? = nil) async throws {
            self.ended = ended
            let app = NotesApp()
            app.makeScene = {
                let scene = NoteScene()
                scene.willSave = { _ in saved.note() }
                return scene
            }
            let application = SceneApplication(
                store: try SceneSessionStore.open(at: .memory), delegate: app,
                scheduler: .executor(of: self))
            try application.launch()
            self.application = application
        }

        func change() { application?.connectedScenes.first?.setNeedsSave() }
        func quit() throws { try application?.quit() }

        deinit { ended?.note() }
    }

    @Test("S-27 an application made in an actor's init autosaves on that actor")
    func actorInit() async throws {
        let saved = Saved()
        let server = try await InitMade(saved)
        await server.change()
        await saved.wait()
        try await server.quit()
    }

    @Test(
        "S-27 a scheduler does not keep its actor alive, nor its application",
        .timeLimit(.minutes(10)))
    func cycle() async throws {
        let ended = Saved()
        try await InitMade(Saved(), ended: ended).change()
        // A timer that is due holds it a moment longer.
        await ended.wait()
    }

    @Test("S-27 .mainActor calls back on the main actor, whatever code names it")
    func mainActor() async throws {
        let scheduler: any SceneScheduler = .mainActor
        await withCheckedContinuation { continuation in
            _ = scheduler.schedule(after: 1) {
                MainActor.assertIsolated()
                continuation.resume()
            }
        }
    }

    // The handler is the process's, which other tests have findings for: the process is the test's own.
    @Test("S-27 an actor whose timers wait because it is blocked is told of once, from elsewhere")
    func blockedActor() async {
        await #expect(processExitsWith: .success) { @MainActor in
            let told = Mutex<[Diagnostic.Code]>([])
            Diagnostic.handlerWithoutApplication = { found in
                told.withLock { $0.append(found.code) }
            }
            let scheduler = TaskScheduler(
                executorOf: MainActor.shared, patience: .milliseconds(1))
            let timers = (0..<3).map { _ in scheduler.schedule(after: 0) {} }
            // As readLine() does, nothing runs on the main actor meanwhile.
            while told.withLock({ $0.isEmpty }) {}
            #expect(told.withLock { $0 } == [.timersDelayed])
            timers.forEach { $0.cancel() }
        }
    }

    @Test("R-41 a diagnostic handler that causes what it is told of ends")
    func circle() throws {
        let application = SceneApplication(
            store: try SceneSessionStore.open(at: .memory), delegate: NotesApp(),
            scheduler: .manual)
        var count = 0
        application.diagnosticHandler = { [unowned application] in
            count += 1
            application.storage["last"] = .string($0.message)
        }
        try application.launch()
        let scene = try #require(application.connectedScenes.first)
        try application.quit()
        scene.setNeedsSave()
        #expect(count > 1)
    }

    @Test("L-01 an app that launches while its launch asks it is refused, and launches once")
    func nestedLaunch() throws {
        final class App: SceneApplicationDelegate {
            var codes: [SceneStoreError.Code] = []

            func application(
                _ application: SceneApplication, targetFor payload: Payload
            ) -> PayloadTarget? {
                do throws(SceneStoreError) {
                    try application.launch()
                } catch {
                    codes.append(error.code)
                }
                return nil
            }

            func application(
                _ application: SceneApplication, sceneDelegateFor session: SceneSession
            ) -> (any SceneDelegate)? { NoteScene() }
        }
        let app = App()
        let application = SceneApplication(
            store: try SceneSessionStore.open(at: .memory), delegate: app,
            options: .desktop(.window("Note")), scheduler: .manual)
        try application.launch([.urls([OpenURLContext(url: "notes://1")])])
        #expect(app.codes == [.invalidState])
        #expect(application.connectedScenes.count == 1)
        try application.quit()
    }

    @Test("L-16 L-50 an option that is set while the app runs leaves what its launch decided")
    func optionsInBetween() throws {
        let device = try SimulatedDevice(manifest: .notes)
        device.options.reconnection = .first(1)
        device.options.launchBehavior = .automatic(afterCrash: .restore, otherwise: .fresh)
        try device.launch { NotesApp() }
        try device.openWindow()
        device.kill()
        let running = try device.launch { NotesApp() }
        #expect(running.launchReason != .launch)
        running.options.autosaveDelay = 1
        running.options.manifest = .windows("Other")
        #expect(running.options.manifest == .notes)
        #expect(try running.connectNextSession() != nil)
    }

    // MARK: One application for a store

    @Test("L-41 a second application on an open store is refused; after the first it may launch")
    func secondApplication() throws {
        let store = try SceneSessionStore.open(at: .memory)
        var first: SceneApplication? = SceneApplication(
            store: store, delegate: NotesApp(), scheduler: .manual)
        try first?.launch()
        let second = SceneApplication(store: store, delegate: NotesApp(), scheduler: .manual)
        #expect(throws: SceneStoreError(.storeInUse, "")) { try second.launch() }
        #expect(second.launchReason == nil)
        withExtendedLifetime(first) {}
        first = nil
        try second.launch()
        try second.quit()
    }

    @Test("L-41 after a quit the store is closed for a second application, not in use")
    func afterQuit() throws {
        let store = try SceneSessionStore.open(at: .memory)
        let first = SceneApplication(store: store, delegate: NotesApp(), scheduler: .manual)
        try first.launch()
        try first.quit()
        let second = SceneApplication(store: store, delegate: NotesApp(), scheduler: .manual)
        #expect(throws: SceneStoreError(.closed, "")) { try second.launch() }
        withExtendedLifetime(first) {}
    }

    @Test("L-41 L-09 an application whose launch fails gives the store back")
    func failedLaunch() throws {
        let store = try SceneSessionStore.open(at: .memory)
        var options = SceneApplicationOptions(manifest: .notes)
        options.manifest?.configurations = [:]
        let failing = SceneApplication(
            store: store, delegate: UnconfiguredApp(), options: options, scheduler: .manual)
        #expect(throws: SceneStoreError(.noConfiguration, "")) { try failing.launch() }
        let other = SceneApplication(store: store, delegate: NotesApp(), scheduler: .manual)
        try other.launch()
        withExtendedLifetime(failing) {}
        try other.quit()
    }

    @Test("L-07 L-09 the reason says whether the manifest has a configuration for the role")
    func absentProvider() throws {
        let store = try SceneSessionStore.open(at: .memory)
        let application = SceneApplication(
            store: store, delegate: UnconfiguredApp(),
            options: SceneApplicationOptions(manifest: .notes), scheduler: .manual)
        var reasons: [String] = []
        application.decisionHandler = { decision in
            if decision.kind == .provider {
                reasons.append(decision.reason)
            }
        }
        try application.launch()
        var failure: SceneStoreError?
        application.requestSceneSessionActivation(
            SceneSessionActivationRequest(role: SceneSessionRole(rawValue: "projector"))
        ) { failure = $0 }
        #expect(failure?.code == .noConfiguration)
        #expect(
            reasons == [
                "the app has no provider; the manifest's first configuration is used",
                "the app has no provider, and the manifest no configuration for the role",
            ])
        try application.quit()
    }

    // MARK: Damage

    @Test("R-22 R-26 what the background check finds is told at once, not with the next event")
    func damageInIdleTime() throws {
        let device = try SimulatedDevice(options: SceneApplicationOptions(manifest: .notes))
        try device.launch { NotesApp() }
        try device.quit()
        // An index of the inbox, which nothing reads without one.
        try device.damagePage(33)
        let running = try device.launch { NotesApp() }
        var told: [Diagnostic] = []
        running.diagnosticHandler = { told.append($0) }
        while try running.performIdleWork(budgetMilliseconds: 1_000) {}
        #expect(told.map(\.code) == [.pageDamage])
        #expect(told.map(\.path) == ["inbox"])
    }

    // MARK: Scene storage

    @Test("L-86 a scene storage that has no scene reports what it can't store")
    func storageWithoutScene() async {
        await #expect(processExitsWith: .success) {
            let told = Mutex<[Diagnostic]>([])
            Diagnostic.handlerWithoutApplication = { found in told.withLock { $0.append(found) } }
            let note = NoteScene()
            note.zoom = 2
            #expect(note.zoom == 1)
            #expect(told.withLock { $0.map(\.code) } == [.storageWithoutScene])
            #expect(told.withLock { $0.map(\.path) } == ["zoom"])
            // The scene outlives its application.
            let device = try SimulatedDevice(manifest: .notes)
            try device.launch { NotesApp() }
            let scene = try #require(device.frontScene)
            let kept = try device.sceneDelegate(NoteScene.self)
            device.kill()
            kept.scene = scene
            kept.zoom = 3
            #expect(told.withLock { $0.count } == 2)
        }
    }

    // MARK: Words

    @Test("R-41 errors and findings have a message, a path and a fix")
    func words() {
        let error: any Error = SceneStoreError(.diskFull, "no space is left", path: "scenes.sqlite")
        let localized = error as? any LocalizedError
        #expect(localized?.errorDescription == "diskFull at scenes.sqlite: no space is left")
        #expect(localized?.failureReason == "no space is left")
        #expect(localized?.recoverySuggestion?.hasPrefix("make room") == true)
        let finding = Diagnostic(
            .noScheduler, .warning, "no timers", path: "here", fix: "pass one",
            sessionIdentifier: "A")
        #expect(
            "\(finding)" == "warning noScheduler at here: no timers; pass one (session A)")
        #expect(finding.recoverySuggestion == "pass one")
    }
}

/// An app that has neither a configuration provider nor an entry in its manifest.
private final class UnconfiguredApp: SceneApplicationDelegate {}
