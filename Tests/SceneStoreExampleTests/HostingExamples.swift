import SceneStore
import SceneStoreHosting
import SceneStorePreScene
import SceneStoreTesting
import Testing

/// What the reference shows of toolkits, schedulers and code from before scenes.
@MainActor
@Suite("Examples of hosting")
struct HostingExamples {
    final class TextWindow {
        var note = NoteText()
        var isInFront = false
        var isOpen = true
    }

    // example: SceneHost
    final class TextHost: SceneHost {
        func makeWindow(for session: SceneSession) -> TextWindow { TextWindow() }
        func bringForward(_ window: TextWindow) { window.isInFront = true }
        func close(_ window: TextWindow) { window.isOpen = false }
        func stateRestorationActivity(of window: TextWindow) -> UserActivity? { nil }
        func restore(_ activity: UserActivity, in window: TextWindow) {}
    }
    // end

    // example: StatefulSceneHost
    final class NotesHost: StatefulSceneHost {
        func makeWindow(for session: SceneSession) -> TextWindow { TextWindow() }
        func bringForward(_ window: TextWindow) { window.isInFront = true }
        func close(_ window: TextWindow) { window.isOpen = false }
        func state(of window: TextWindow) -> NoteText { window.note }
        func restore(_ state: NoteText, in window: TextWindow) { window.note = state }
    }
    // end

    @Test("a toolkit's windows")
    func hosts() throws {
        let store = try SceneSessionStore.open(at: .memory)
        // example: HostedSceneApplication
        let hosted = HostedSceneApplication(store: store, host: NotesHost())
        try hosted.launch()  // the remembered windows are made, restored and shown
        let window = hosted.application.connectedScenes.first.flatMap {
            hosted.window(for: $0.session.id)
        }
        // end
        #expect(window?.isInFront == true)
        let device = try SimulatedDevice(manifest: .windows("Note"))
        try device.launch(host: TextHost())
        #expect(try device.window(TextWindow.self, at: 0).isOpen)
    }

    // example: SceneScheduler
    final class LoopScheduler: SceneScheduler {
        var timers: [(after: Int64, work: ScheduledWork)] = []
        func schedule(after milliseconds: Int64, _ work: @escaping () -> Void) -> ScheduledWork {
            timers.append((milliseconds, ScheduledWork(work)))
            return timers[timers.count - 1].work
        }
    }
    // end

    @Test("clocks and schedulers")
    func schedulers() throws {
        let clock = VirtualClock()
        // example: SceneEnvironment
        var environment = SceneEnvironment.system
        environment.now = { clock.now }  // a test turns it
        // end
        #expect(environment.now() == VirtualClock.start)
        var saves = 0
        // example: ScheduledWork
        let work = ScheduledWork { saves += 1 }
        work.perform()
        work.perform()  // does nothing: it was done
        // end
        #expect(saves == 1 && !work.isPending)
        do {
            let store = try SceneSessionStore.open(at: .memory)
            // example: TaskScheduler
            let application = SceneApplication(
                store: store, delegate: NotesApp(), scheduler: .mainActor)
            // In an actor's `init`, which has to be `async` for that: .executor(of: self)
            // end
            try application.launch()
        }
        do {
            let store = try SceneSessionStore.open(at: .memory)
            // example: SceneScheduler.manual
            let application = SceneApplication(
                store: store, delegate: NotesApp(), scheduler: .manual)
            try application.launch()
            while try application.performIdleWork() {}  // where the app's loop is idle
            // end
            #expect(application.connectedScenes.count == 1)
        }
        let loop = LoopScheduler()
        loop.schedule(after: 500) { saves += 1 }.perform()
        #expect(saves == 2 && loop.timers[0].after == 500)
    }

    // example: PreSceneHandler
    final class LinkPlugIn: PreSceneHandler {
        var links: [String] = []
        func open(_ context: OpenURLContext) -> Bool {
            links.append(context.url)
            return true
        }
    }
    // end

    final class ForwardingWindow: SceneDelegate {
        let forwarder: PreSceneForwarder

        init(_ forwarder: PreSceneForwarder) {
            self.forwarder = forwarder
        }

        // example: PreSceneForwarder
        func scene(
            _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
        ) {
            forwarder.scene(scene, willConnectTo: session, options: options)
        }
        // end
    }

    @Test("plug-ins from before scenes, and those that come late")
    func plugIns() throws {
        let context = OpenURLContext(url: "notes://note/12")
        let plugIn = LinkPlugIn()
        let scene = try Sample().scene
        ForwardingWindow(PreSceneForwarder(to: plugIn)).scene(
            scene, willConnectTo: scene.session,
            options: ConnectionOptions(payloads: [.urls([context])]))
        #expect(plugIn.links == ["notes://note/12"])
        var opened: [String] = []
        // example: LateListeners
        let links = LateListeners<OpenURLContext>()
        links.receive(context)  // nobody listens: it waits
        let listening = links.listen { opened.append($0.url) }  // gets it now
        listening.cancel()
        // end
        #expect(opened == ["notes://note/12"] && !links.isHeard)
    }
}
