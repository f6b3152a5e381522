import Observation
import SceneStore
import SceneStoreObservation
import SceneStoreTesting
import Testing

private struct DraftState: SavedState, Equatable {
    static let activityType = "com.example.draft"
    var text = "", cursor = 0
}

@Observable private final class DraftModel {
    var text = ""
    var cursor = 0
}

private final class DraftScene: ObservedSceneDelegate {
    let model = DraftModel()
    var state: DraftState {
        get { DraftState(text: model.text, cursor: model.cursor) }
        set { (model.text, model.cursor) = (newValue.text, newValue.cursor) }
    }
}

private final class DraftApp: SceneApplicationDelegate {
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { DraftScene() }
}

@Suite("Observation")
struct ObservationTests {
    private let device: SimulatedDevice

    init() throws {
        device = try SimulatedDevice(manifest: .windows("Draft"))
        try device.launch { DraftApp() }
    }

    private var draft: DraftScene { get throws { try device.sceneDelegate() } }

    @Test("S-24 an observed state is saved soon after each change, and restored")
    func autosave() throws {
        try draft.model.text = "one"
        device.wait(milliseconds: 600)
        try device.relaunch()
        #expect(try draft.model.text == "one")
        // After a restoration and after a save it is observed again.
        try draft.model.cursor = 3
        device.wait(milliseconds: 600)
        try draft.model.text = "two"
        device.wait(milliseconds: 600)
        try device.relaunch()
        #expect(try draft.state == DraftState(text: "two", cursor: 3))
    }

    @Test("S-24 what is not read of an observed state saves nothing")
    func unread() throws {
        let before = try #require(device.application).store.counters.transactions
        device.wait(milliseconds: 5_000)
        #expect(device.application?.store.counters.transactions == before)
    }

    @Test("L-02 windows, their titles and phases are observable values")
    func scenes() throws {
        let application = try #require(device.application)
        let scenes = ObservableScenes(application)
        #expect(scenes.windows.map(\.phase) == [.foregroundActive])
        #expect(scenes.phase == .active)
        nonisolated(unsafe) var isChanged = false
        withObservationTracking {
            _ = scenes.windows
        } onChange: {
            isChanged = true
        }
        try device.frontScene?.setTitle("Letter")
        #expect(isChanged)
        #expect(scenes.title(of: scenes.windows[0].id) == "Letter")
        try device.openWindow()
        #expect(scenes.connectedWindows.count == 2)
        try device.moveToBackground()
        #expect(scenes.phase == .background)
        try device.closeWindow()
        #expect(scenes.windows.count == 1)
    }

    @Test("L-36 what happens to windows is a stream, which ends with the application")
    func changes() async throws {
        let application = try #require(device.application)
        let changes = application.changes
        let second = try device.openWindow().session.id
        try device.closeWindow()
        try device.quit()
        var seen: [SceneChange.Kind] = []
        for await change in changes where change.session == second {
            seen.append(change.kind)
        }
        #expect(
            seen == [.connected, .enteredForeground, .becameActive, .disconnected, .discarded])
    }
}
