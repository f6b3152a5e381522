import Testing

import SceneStore
@testable import SceneStoreTesting

/// `SceneApplication` belongs to no isolation: a main-actor app and an actor both use it.
@Suite("Isolation")
struct IsolationTests {
    @MainActor
    final class MainApp: @MainActor SceneConfigurationProvider {
        var providerCalls = 0
        func application(
            _ application: SceneApplication, configurationForConnecting session: SceneSession,
            options: ConnectionOptions
        ) -> SceneConfiguration {
            MainActor.assertIsolated()
            providerCalls += 1
            return SceneConfiguration(name: "Editor", role: session.role)
        }
        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { MainScene() }
    }

    @MainActor
    final class MainScene: @MainActor StateRestoringSceneDelegate {
        func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
            try UserActivity(activityType: "com.example.edit", userInfo: ["n": 1])
        }
    }

    @MainActor
    @Test("L-31 a main-actor app saves and restores synchronously")
    func mainActorApp() throws {
        let device = try SimulatedDevice()
        let app = MainApp()
        try device.launch { app }
        try device.moveToBackground()
        device.kill()
        let second = MainApp()
        let again = try device.launch { second }
        #expect(app.providerCalls == 1)
        #expect(second.providerCalls == 0)
        #expect(again.connectedScenes.first?.session.stateRestorationActivity?.userInfo["n"] == 1)
    }

    actor Server {
        private var application: SceneApplication?

        func open(_ container: String) throws -> Int {
            let store = try SceneSessionStore.open(at: .directory(container))
            let application = SceneApplication(store: store, delegate: NotesApp())
            try application.launch()
            self.application = application
            return application.connectedScenes.count
        }

        func close() throws {
            try application?.quit()
            application = nil
        }
    }

    @Test("L-03 an actor hosts an application of its own, several side by side")
    func actors() async throws {
        let containers = try (0..<4).map { _ in try TemporaryDirectory.make() }
        defer { containers.forEach(TemporaryDirectory.remove) }
        for container in containers + containers {
            let server = Server()
            #expect(try await server.open(container) == 1)
            try await server.close()
        }
    }

    actor Timekeeper {
        private var isOnActor = false

        func run() async -> Bool {
            await withCheckedContinuation { continuation in
                wait { continuation.resume() }
            }
            return isOnActor
        }

        private func wait(_ done: @escaping () -> Void) {
            let scheduler = TaskScheduler()
            _ = scheduler?.schedule(after: 1) { [self] in
                preconditionIsolated()
                isOnActor = true
                done()
            }
        }
    }

    @Test("S-27 the default scheduler calls back where the application lives, and only there")
    func defaultScheduler() async {
        #expect(await Timekeeper().run())
    }

    @Test("S-27 outside of an actor there is no timer, and nothing is lost without one")
    func noScheduler() throws {
        #expect(TaskScheduler() == nil)
        let container = try TemporaryDirectory.make()
        defer { TemporaryDirectory.remove(container) }
        for launch in 1...2 {
            let store = try SceneSessionStore.open(at: .directory(container))
            let application = SceneApplication(store: store, delegate: NotesApp())
            try application.launch()
            let (scene, note) = try #require(application.firstNote)
            #expect(note.text == (launch == 1 ? "" : "changed"))
            note.text = "changed"
            scene.setNeedsSave()
            try application.quit()
        }
    }
}
