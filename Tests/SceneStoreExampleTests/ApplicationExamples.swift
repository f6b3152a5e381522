import SceneStore
import SceneStoreExchange
import SceneStoreTesting
import Testing

/// What the reference shows of an application and its windows.
@MainActor
@Suite("Examples of the application")
struct ApplicationExamples: SampleExamples {
    let sample: Sample

    init() throws {
        sample = try Sample()
    }

    @Test("the first lines of an app, and its choices")
    func first() throws {
        try withDirectory { path in
            // example: SceneApplication
            let store = try SceneSessionStore.open(at: .directory(path))
            let application = SceneApplication(store: store, delegate: NotesApp())
            try application.launch()  // the remembered windows come back
            // end
            #expect(application.connectedScenes.count == 1)
            try application.quit()
        }
        do {
            let manifest = SceneManifest.windows("Note")
            // example: SceneApplicationOptions
            var options = SceneApplicationOptions(manifest: manifest)
            options.reconnection = .first(3)
            options.launchBehavior = .safe
            options.delivery = .whenActive
            // end
            #expect(options.reconnection == .first(3))
        }
        do {
            // example: SceneApplicationOptions.ClosingLastWindow
            var options = SceneApplicationOptions.desktop(.window("Page"))
            options.closingLastWindow = .quits  // the next start brings the page back
            // end
            #expect(options.closingLastWindow == .quits)
        }
        do {
            // example: SceneApplicationOptions.Lifecycle
            var options = SceneApplicationOptions()
            options.lifecycle = .application  // no scenes: the app's delegate gets every call
            // end
            #expect(options.lifecycle == .application)
        }
        // example: DeclaredWindow
        let options = SceneApplicationOptions.desktop(
            .window("Document"), .single("Preferences", role: .preferences))
        // end
        #expect(options.singleRoles == [.preferences])
    }

    enum Delegates {
        // example: SceneApplicationDelegate
        final class NotesApp: SceneApplicationDelegate {
            func application(
                _ application: SceneApplication, sceneDelegateFor session: SceneSession
            ) -> (any SceneDelegate)? { NoteWindow() }
        }
        // end

        // example: SceneConfigurationProvider
        final class ReaderApp: SceneConfigurationProvider {
            func application(
                _ application: SceneApplication, configurationForConnecting session: SceneSession,
                options: ConnectionOptions
            ) -> SceneConfiguration { SceneConfiguration(name: "Note", role: session.role) }
        }
        // end

        // example: SceneDelegate
        final class ClockWindow: SceneDelegate {
            var isTicking = false
            func sceneDidBecomeActive(_ scene: Scene) { isTicking = true }
            func sceneDidEnterBackground(_ scene: Scene) { isTicking = false }
        }
        // end

        // example: StateRestoringSceneDelegate
        final class ListWindow: StateRestoringSceneDelegate {
            var line: Int64 = 0
            func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
                try UserActivity(
                    activityType: "com.example.list", userInfo: ["line": .integer(line)])
            }
        }
        // end

        // example: StatefulSceneDelegate
        final class NoteWindow: StatefulSceneDelegate {
            var state = NoteText()  // saved by itself, and set again when the window comes back
        }
        // end
    }

    @Test("delegates of the application and of its scenes")
    func delegates() throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        try device.launch { Delegates.NotesApp() }
        try device.sceneDelegate(Delegates.NoteWindow.self).state.text = "Milk"
        try device.moveToBackground()
        device.kill()
        try device.relaunch()
        #expect(try device.sceneDelegate(Delegates.NoteWindow.self).state.text == "Milk")
        let clock = Delegates.ClockWindow()
        clock.sceneDidBecomeActive(scene)
        #expect(clock.isTicking)
        clock.sceneDidEnterBackground(scene)
        #expect(!clock.isTicking)
        let activity = try Delegates.ListWindow().stateRestorationActivity(for: scene)
        #expect(activity?.userInfo["line"] == 0)
        let reader = Delegates.ReaderApp()
        let configuration = reader.application(
            application, configurationForConnecting: session, options: ConnectionOptions())
        #expect(configuration.name == "Note")
    }

    @Test("scenes, sessions and what changes them")
    func scenes() async throws {
        // example: Scene
        for scene in application.connectedScenes where scene.activationState == .foregroundActive {
            try scene.setTitle("Shopping")
        }
        // end
        // example: SceneApplication.openSessions
        let sessions = application.openSessions
        let titles = sessions.compactMap(\.title)  // ["Shopping"]
        // end
        #expect(titles == ["Shopping"])
        var gone: [SceneSession.ID] = []
        // example: SceneChange
        let changes = application.changes
        try application.closeWindow(of: session.id)
        try application.quit()  // ends the stream
        for await change in changes where change.kind == .discarded {
            gone.append(change.session)
        }
        // end
        #expect(gone.count == 1)
    }

    @Test("what was closed, what waits and what is kept")
    func kept() throws {
        let device = sample.device
        try device.openWindow()
        try device.closeWindow()
        if let group = try application.recentlyClosedGroups().first {
            try application.bringBack(group)
        }
        #expect(application.connectedScenes.count == 2)
        // example: WaitingPayload
        for payload in try application.waitingPayloads() where payload.isSetAside {
            try application.discardPayload(payload)
        }
        // end
        // example: ReturnableWindows
        for windows in try application.returnableWindows() where windows.cause == .held {
            try application.bringBack(windows)
        }
        // end
        #expect(try application.returnableWindows().isEmpty)
    }

    @Test("the history of a session, and what the next launch does")
    func history() throws {
        for text in ["Milk", "Milk, eggs"] {
            sample.device.wait(milliseconds: 60_000)
            try application.setStateRestorationActivity(
                NoteText(text: text).userActivity(), for: session.id)
        }
        let midnight = try #require(application.history(of: session.id).first).context.savedAt
        // example: SceneApplication.history
        let history = try application.history(of: session.id)
        if let yesterday = history.first(where: { $0.context.savedAt < midnight }) {
            try application.restore(yesterday.generation, of: session.id)
        }
        // end
        let state = try application.session(for: session.id)?.stateRestorationActivity
        #expect(state?.userInfo["text"] == "Milk")
        var staying: [SceneSession.ID] = []
        // example: LaunchPreview
        let preview = try application.previewNextLaunch()
        for entry in preview.entries where entry.fate == .stays {
            staying.append(entry.session)
        }
        // end
        #expect(staying == [] && preview.entries.count == 1)
        var others: [SceneSession.ID] = []
        // example: DeliveryPreview
        let link = Payload.urls([OpenURLContext(url: "notes:Shopping")])
        let delivery = try application.previewDelivery(of: link)
        for window in delivery.candidates where window.can && window.session != delivery.session {
            others.append(window.session)
        }
        // end
        #expect(others == [] && delivery.session == session.id)
    }

    final class IdleLoop {
        let application: SceneApplication
        var isLoading = true

        init(_ application: SceneApplication) { self.application = application }

        // example: SceneApplication.connectNextSession
        func mainLoopIsIdle() throws {
            isLoading = try application.connectNextSession() != nil
        }
        // end
    }

    @Test("windows that come back while the app is idle")
    func idleMoments() throws {
        let loop = IdleLoop(application)
        try loop.mainLoopIsIdle()
        #expect(!loop.isLoading)
    }
}
