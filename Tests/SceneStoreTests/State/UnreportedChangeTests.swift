import SceneStore
import SceneStoreHosting
import SceneStoreTesting
import Testing

private struct Draft: SavedState {
    static let activityType = "com.example.draft"
    var text = ""
}

private final class DraftScene: StatefulSceneDelegate {
    var state = Draft()
}

private final class DraftApp: SceneApplicationDelegate {
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { DraftScene() }
}

/// A host whose windows have a text, a title and a place, and are never reported to have changed.
private final class SilentHost: StatefulSceneHost {
    final class Window {
        var state = Draft()
        var title: String?
        var place: ScenePlacement?
    }

    func makeWindow(for session: SceneSession) -> Window {
        let window = Window()
        (window.title, window.place) = (session.title, session.placement)
        return window
    }
    func bringForward(_ window: Window) {}
    func close(_ window: Window) {}
    func state(of window: Window) -> Draft { window.state }
    func restore(_ state: Draft, in window: Window) { window.state = state }
    func title(of window: Window) -> String? { window.title }
    func placement(of window: Window) -> ScenePlacement? { window.place }
}

/// A change that nobody reported by `setNeedsSave()` is not lost by closing its window.
@Suite("Changes that nobody reported")
struct UnreportedChangeTests {
    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .windows("Note"))
    }

    private func calls(since count: Int) -> [String] {
        device.transcript.dropFirst(count).compactMap { line in
            if case .callback(let call) = line.event { call.name.rawValue } else { nil }
        }
    }

    private func launch(text: String) throws -> (SceneApplication, id: SceneSession.ID) {
        let running = try device.launch { DraftApp() }
        let scene = try #require(device.frontScene)
        try device.sceneDelegate(DraftScene.self).state.text = text
        try running.saveState(of: [scene.session.id])
        return (running, scene.session.id)
    }

    @Test(
        "L-46 a typed window keeps what it shows when it is closed or destroyed, reported or not",
        arguments: [false, true])
    func typed(isDestroyed: Bool) throws {
        let (running, id) = try launch(text: "old")
        try device.sceneDelegate(DraftScene.self).state.text = "new"
        let count = device.transcript.count
        if isDestroyed {
            running.requestSceneSessionDestruction(id)
        } else {
            try running.closeWindow(of: id)
        }
        #expect(calls(since: count) == ["save", "update", "disconnect", "discard"])
        try running.reopen(id)
        #expect(try device.sceneDelegate(DraftScene.self).state.text == "new")
    }

    @Test("L-46 each window of a group that is closed keeps what it shows")
    func group() throws {
        let (running, first) = try launch(text: "old")
        let second = try device.openWindow().session.id
        for id in [first, second] {
            (running.scene(for: id)?.delegate as? DraftScene)?.state.text = "new \(id)"
        }
        try running.closeAllWindows()
        try running.reopen(sessions: [first, second])
        for id in [first, second] {
            let delegate = try #require(running.scene(for: id)?.delegate as? DraftScene)
            #expect(delegate.state.text == "new \(id)")
        }
    }

    @Test("L-46 L-36 a typed window that shows its stored state is closed without a save")
    func unchanged() throws {
        let (running, id) = try launch(text: "old")
        let count = device.transcript.count
        try running.closeWindow(of: id)
        #expect(calls(since: count) == ["disconnect", "discard"])
    }

    @Test("L-46 L-55 what a window shows instead of its withheld state is no change at its closing")
    func placeholder() throws {
        let (_, id) = try launch(text: "old")
        try device.crash(restoring: nil)
        let running = try device.relaunch()
        #expect(device.frontScene?.session.withheldState == .crash)
        let count = device.transcript.count
        try running.closeWindow(of: id)
        #expect(calls(since: count) == ["disconnect", "discard"])
        try running.reopen(id)
        try running.restoreWithheldState(for: id)
        #expect(try device.sceneDelegate(DraftScene.self).state.text == "old")
    }

    @Test("L-46 L-52 a change that nobody reported is saved before a withheld state comes back")
    func beforeWithheld() throws {
        let (_, id) = try launch(text: "old")
        try device.crash(restoring: nil)
        let running = try device.relaunch()
        try device.sceneDelegate(DraftScene.self).state.text = "typed since"
        try running.restoreWithheldState(for: id)
        #expect(try device.sceneDelegate(DraftScene.self).state.text == "old")
        let history = try running.history(of: id)
        let texts = try history.map {
            try running.state(at: $0.generation, of: id).userInfo["text"]?.stringValue
        }
        #expect(texts.contains("typed since"))
    }

    @Test("L-46 a host's window keeps its text, its title and its place when it is closed")
    func host() throws {
        let device = try SimulatedDevice(options: .desktop(.window("Note")))
        let hosted = try device.launch(host: SilentHost())
        let id = try #require(device.frontScene).session.id
        let window = try #require(hosted.window(for: id))
        window.state.text = "new"
        (window.title, window.place) = ("New", ScenePlacement(x: 1, y: 2, width: 300, height: 200))
        hosted.closeWindow(window)
        #expect(hosted.reopenClosedWindow())
        let again = try #require(hosted.window(for: id))
        #expect(again.state.text == "new")
        #expect(again.title == "New")
        #expect(again.place?.width == 300)
        // The title alone is a change, too.
        again.title = "Newer"
        hosted.closeWindow(again)
        #expect(hosted.reopenClosedWindow())
        #expect(hosted.window(for: id)?.title == "Newer")
    }
}
