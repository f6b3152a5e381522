import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

private struct First: SavedState, Equatable {
    static let activityType = "com.example.note"
    var text = ""
}

private struct Second: SavedState, Equatable {
    static let activityType = "com.example.note"
    static let version = 2
    static let migrations: [StateMigration] = [.from(1, .add("pages", 1))]
    var text = ""
    var pages = 1
}

private final class PageScene<State: SavedState>: StatefulSceneDelegate {
    var state: State
    init(_ state: State) { self.state = state }
}

private final class PageApp<State: SavedState>: SceneApplicationDelegate {
    let state: State
    init(_ state: State) { self.state = state }

    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { PageScene(state) }
}

private final class PageHost<State: SavedState>: StatefulSceneHost {
    final class Window {
        var state: State
        init(_ state: State) { self.state = state }
    }
    let state: State
    init(_ state: State) { self.state = state }
    func makeWindow(for session: SceneSession) -> Window { Window(state) }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func state(of window: Window) -> State { window.state }
    func restore(_ state: State, in window: Window) { window.state = state }
}

/// A host whose windows' titles and sizes follow their texts.
private final class TitledHost: StatefulSceneHost {
    final class Window {
        var state: First
        init(_ state: First) { self.state = state }
    }
    let text: String
    init(_ text: String) { self.text = text }
    func makeWindow(for session: SceneSession) -> Window { Window(First(text: text)) }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func state(of window: Window) -> First { window.state }
    func restore(_ state: First, in window: Window) { window.state = state }
    func title(of window: Window) -> String? { window.state.text }
    func placement(of window: Window) -> ScenePlacement? {
        ScenePlacement(x: 0, y: 0, width: Double(window.state.text.utf8.count), height: 9)
    }
}

/// Which withheld state comes back when the app names none.
@Suite("The withheld state that is taken back")
struct WithheldChoiceTests {
    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .windows("Note"))
    }

    /// Version 1 crashes over "old", and version 2 leaves "new", which version 1 can't read.
    private func twoWithheld() throws {
        try device.launch { PageApp(First(text: "old")) }
        try device.moveToBackground()
        try device.crash(restoring: nil)
        try device.launch { PageApp(First(text: "old")) }
        let second = try #require(device.frontScene)
        #expect(second.session.restoration == .withheld)
        device.kill()
        try device.launch { PageApp(Second(text: "shown instead")) }
        try device.sceneDelegate(PageScene<Second>.self).state.text = "new"
        try device.moveToBackground()
        device.kill()
        try device.launch { PageApp(First(text: "shown instead")) }
        let fourth = try #require(device.frontScene)
        #expect(fourth.session.withheldState == .newer)
    }

    @Test("L-52 without a generation the newest withheld state comes back that the app can read")
    func readable() throws {
        try twoWithheld()
        let scene = try #require(device.frontScene)
        let running = try #require(device.application)
        #expect(try running.withheldStates(of: scene.session.id).count == 2)
        try running.restoreWithheldState(for: scene.session.id)
        #expect(try device.sceneDelegate(PageScene<First>.self).state.text == "old")
        #expect(scene.session.restoration == .available)
    }

    @Test("L-52 when the app can read none of them it is told why, and nothing changes")
    func unreadable() throws {
        try device.launch { PageApp(Second(text: "new")) }
        try device.moveToBackground()
        device.kill()
        try device.launch { PageApp(First(text: "shown instead")) }
        let scene = try #require(device.frontScene)
        let running = try #require(device.application)
        let before = try running.withheldStates(of: scene.session.id)
        #expect(before.count == 1)
        #expect(throws: SceneStoreError(.newerState, "")) {
            try running.restoreWithheldState(for: scene.session.id)
        }
        #expect(try running.withheldStates(of: scene.session.id) == before)
        #expect(scene.session.withheldState == .newer)
        // A generation, also in the history, is refused alike.
        let delegate = try device.sceneDelegate(PageScene<First>.self)
        #expect(throws: SceneStoreError(.newerState, "")) {
            try running.restoreWithheldState(
                for: scene.session.id, generation: before[0].generation)
        }
        delegate.state.text = "typed since"
        #expect(throws: SceneStoreError(.newerState, "")) {
            try running.restore(before[0].generation, of: scene.session.id)
        }
        #expect(delegate.state.text == "typed since")
        #expect(try running.withheldStates(of: scene.session.id) == before)
        // What the window shows goes on being saved beside it.
        scene.setNeedsSave()
        running.flushChanges()
        device.kill()
        try device.relaunch()
        #expect(try device.sceneDelegate(PageScene<First>.self).state.text == "typed since")
        let after = try device.application?.withheldStates(of: scene.session.id)
        #expect(after?.map(\.generation) == before.map(\.generation))
    }

    @Test("L-52 after a rollback the newest state comes back that the old version can read")
    func rolledBack() throws {
        for text in ["older", "old"] {
            try device.launch { PageApp(First(text: text)) }
            try device.sceneDelegate(PageScene<First>.self).state.text = text
            try device.moveToBackground()
            device.kill()
        }
        for text in ["new", "newest"] {
            try device.launch { PageApp(Second()) }
            try device.sceneDelegate(PageScene<Second>.self).state.text = text
            try device.moveToBackground()
            device.kill()
        }
        let running = try device.launch { PageApp(First(text: "shown instead")) }
        let scene = try #require(device.frontScene)
        #expect(scene.session.withheldState == .newer)
        let states = try running.history(of: scene.session.id).count
        try running.restoreNewestReadableState(for: scene.session.id)
        #expect(try device.sceneDelegate(PageScene<First>.self).state.text == "old")
        #expect(scene.session.restoration == .available)
        // What the window showed was saved first, and nothing is lost.
        #expect(try running.history(of: scene.session.id).count >= states)
        #expect(try running.withheldStates(of: scene.session.id).count == 1)
        let generations = try running.history(of: scene.session.id).map(\.generation)
        try running.restoreNewestReadableState(for: scene.session.id)
        #expect(try running.history(of: scene.session.id).map(\.generation) == generations)
        device.kill()
        try device.relaunch()
        #expect(try device.sceneDelegate(PageScene<First>.self).state.text == "old")
    }

    @Test("L-52 a withheld state may be the newest one that the app can read")
    func newestIsWithheld() throws {
        try device.launch { PageApp(First(text: "old")) }
        try device.moveToBackground()
        try device.crash(restoring: nil)
        let running = try device.launch { PageApp(First(text: "shown instead")) }
        let scene = try #require(device.frontScene)
        #expect(scene.session.restoration == .withheld)
        try running.restoreNewestReadableState(for: scene.session.id)
        #expect(try device.sceneDelegate(PageScene<First>.self).state.text == "old")
        #expect(try running.withheldStates(of: scene.session.id).isEmpty)
    }

    @Test("L-52 without a state that the app can read it is told why, and without any that, too")
    func noneReadable() throws {
        let first = try device.launch { PageApp(Second(text: "new")) }
        let id = try #require(device.frontScene).session.id
        #expect(throws: SceneStoreError(.noSuchState, "")) {
            try first.restoreNewestReadableState(for: id)
        }
        try device.moveToBackground()
        device.kill()
        let running = try device.launch { PageApp(First(text: "shown instead")) }
        #expect(throws: SceneStoreError(.newerState, "")) {
            try running.restoreNewestReadableState(for: id)
        }
    }

    @Test("L-52 L-45 the title and the place of a state that comes back are stored with it")
    func titleComesBack() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        try device.launch(host: TitledHost("Diary"))
        try device.moveToBackground()
        try device.crash(restoring: nil)
        let hosted = try device.launch(host: TitledHost("empty"))
        let id = try #require(device.frontScene).session.id
        try #require(hosted.window(for: id)).state.text = "typed since"
        try device.moveToBackground()
        #expect(try hosted.application.session(for: id)?.title == "typed since")
        try hosted.application.restoreWithheldState(for: id)
        device.wait(milliseconds: 600)
        let session = try #require(try hosted.application.session(for: id))
        #expect(session.title == "Diary")
        #expect(session.placement?.width == 5)
    }

    /// An error that only the app knows.
    private struct NotNow: Error {}

    /// A window that writes activities itself, and throws when it is asked to restore one.
    private final class RefusingScene: StateRestoringSceneDelegate {
        let app: RefusingApp
        init(_ app: RefusingApp) { self.app = app }

        func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) throws {
            if let refusal = app.refusal { throw refusal }
            app.text = activity.userInfo["text"]?.stringValue ?? ""
        }

        func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
            try UserActivity(
                activityType: "com.example.note", userInfo: ["text": .string(app.text)])
        }
    }

    private final class RefusingApp: SceneApplicationDelegate {
        var text = ""
        var refusal: (any Error)?

        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { RefusingScene(self) }
    }

    @Test("L-52 L-55 what the app's own restore throws is thrown, and nothing changes")
    func refused() throws {
        let app = RefusingApp()
        app.text = "old"
        let running = try device.launch { app }
        let id = try #require(device.frontScene).session.id
        try running.saveState(of: [id])
        let old = try #require(try running.history(of: id).first).generation
        try device.crash(restoring: nil)
        app.text = "shown instead"
        let again = try device.launch { app }
        let scene = try #require(device.frontScene)
        let before = try again.withheldStates(of: id)
        #expect(before.map(\.generation) == [old])
        app.refusal = NotNow()
        #expect(throws: SceneStoreError(.restoreFailed, "")) {
            try again.restoreWithheldState(for: id)
        }
        app.refusal = SceneStoreError(.limitExceeded, "too many pages")
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try again.restoreWithheldState(for: id, generation: old)
        }
        #expect(throws: SceneStoreError(.limitExceeded, "")) {
            try again.restore(old, of: id)
        }
        #expect(app.text == "shown instead")
        #expect(scene.session.withheldState == .crash)
        #expect(try again.withheldStates(of: id).map(\.generation) == [old])
        // What was shown was saved first, and is the current state still.
        #expect(
            try again.session(for: id)?.stateRestorationActivity?.userInfo["text"]
                == "shown instead")
        app.refusal = nil
        try again.restoreWithheldState(for: id)
        #expect(app.text == "old")
        #expect(scene.session.withheldState == nil)
        #expect(scene.session.stateRestorationActivity?.userInfo["text"] == "old")
    }

    @Test("L-52 L-46 an unsaved change is saved before a withheld state comes back")
    func savesFirst() throws {
        try twoWithheld()
        let scene = try #require(device.frontScene)
        let running = try #require(device.application)
        try device.sceneDelegate(PageScene<First>.self).state.text = "typed since"
        scene.setNeedsSave()
        try running.restoreWithheldState(for: scene.session.id)
        #expect(try device.sceneDelegate(PageScene<First>.self).state.text == "old")
        let history = try running.history(of: scene.session.id)
        let texts = try history.map {
            try running.state(at: $0.generation, of: scene.session.id).userInfo["text"]?.stringValue
        }
        #expect(texts.contains("typed since"))
        #expect(texts.contains("new"))
    }

    @Test("L-55 beside a withheld state, what a window shows instead leaves title and place alone")
    func appearance() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        try device.launch(host: TitledHost("Diary"))
        try device.moveToBackground()
        try device.crash(restoring: nil)
        let hosted = try device.launch(host: TitledHost("empty"))
        let id = try #require(device.frontScene).session.id
        func expectStored(_ title: String) throws {
            let session = try #require(try hosted.application.session(for: id))
            #expect(session.title == title)
            #expect(session.placement?.width == Double(title.utf8.count))
        }
        #expect(device.frontScene?.session.restoration == .withheld)
        try device.moveToBackground()
        try device.moveToForeground()
        try expectStored("Diary")
        try hosted.application.restoreWithheldState(for: id)
        try device.moveToBackground()
        try expectStored("Diary")
        // What the user makes of the window is stored with it.
        let window = try #require(hosted.window(for: id))
        #expect(window.state.text == "Diary")
        window.state.text = "Letter"
        try device.moveToForeground()
        try device.moveToBackground()
        try expectStored("Letter")
    }

    @Test("L-52 a host's type is asked also of a session without a window")
    func host() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        try device.launch(host: PageHost(Second(text: "new")))
        try device.moveToBackground()
        device.kill()
        let hosted = try device.launch(host: PageHost(First()))
        let session = try #require(device.frontScene).session.id
        try device.moveToBackground()
        try hosted.application.evict(session)
        #expect(throws: SceneStoreError(.newerState, "")) {
            try hosted.application.restoreWithheldState(for: session)
        }
    }

    @Test("L-52 an app that writes activities is asked by its formats")
    func formats() throws {
        try twoWithheld()
        let session = try #require(device.frontScene).session.id
        let running = try #require(device.application)
        try device.moveToBackground()
        try running.evict(session)
        running.options.stateMigrations["com.example.note"] = []
        try running.restoreWithheldState(for: session)
        running.requestSceneSessionActivation(.init(session: session))
        let delegate = running.scene(for: session)?.delegate as? PageScene<First>
        #expect(delegate?.state.text == "old")
    }
}
