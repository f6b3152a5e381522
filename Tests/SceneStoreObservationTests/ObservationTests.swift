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
    var refusals: [SceneStoreError.Code] = []
    var isSaved = true
    var willSave: () -> Void = {}
    var state: DraftState {
        get { DraftState(text: model.text, cursor: model.cursor) }
        set { (model.text, model.cursor) = (newValue.text, newValue.cursor) }
    }

    func scene(_ scene: Scene, couldNotRestore error: SceneStoreError) {
        refusals.append(error.code)
    }

    func shouldSaveState(of scene: Scene) -> Bool { isSaved }

    func scene(_ scene: Scene, willSave activity: inout UserActivity) { willSave() }
}

private final class DraftApp: SceneApplicationDelegate {
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { DraftScene() }
}

/// What apps write: the scene is kept when it connects, and the state is restored by hand.
private final class OwnScene: ObservedSceneDelegate {
    let model = DraftModel()
    weak var scene: Scene?
    var state: DraftState {
        get { DraftState(text: model.text, cursor: model.cursor) }
        set { (model.text, model.cursor) = (newValue.text, newValue.cursor) }
    }

    func scene(
        _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
    ) {
        self.scene = scene
    }

    func scene(
        _ scene: Scene, restoreInteractionStateWith activity: UserActivity
    ) throws {
        state = try DraftState(restoring: activity)
    }
}

private final class OwnApp: SceneApplicationDelegate {
    func application(
        _ application: SceneApplication, sceneDelegateFor session: SceneSession
    ) -> (any SceneDelegate)? { OwnScene() }
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

    @Test(
        "S-24 after a change that was not saved, or came in a save, the next one is",
        arguments: [true, false])
    func nextChange(isRefused: Bool) throws {
        let draft = try draft
        draft.isSaved = !isRefused
        draft.willSave = { [model = draft.model] in model.cursor += 1 }
        draft.model.text = "one"
        device.wait(milliseconds: 600)
        draft.isSaved = true
        draft.willSave = {}
        draft.model.text = "two"
        device.wait(milliseconds: 600)
        device.kill()
        try device.launch { DraftApp() }
        #expect(try self.draft.model.text == "two")
    }

    @Test("S-24 a delegate with callbacks of its own for connecting is observed, too")
    func ownCallbacks() throws {
        let device = try SimulatedDevice(manifest: .windows("Draft"))
        for text in ["new", "restored"] {
            try device.launch { OwnApp() }
            let own: OwnScene = try device.sceneDelegate()
            #expect(own.scene === device.frontScene)
            own.model.text = text
            device.wait(milliseconds: 600)
            device.kill()
            try device.launch { OwnApp() }
            #expect(try device.sceneDelegate(OwnScene.self).model.text == text)
            device.kill()
        }
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

    @Test("L-02 an app whose windows are seen without the focus is inactive")
    func inactive() throws {
        let application = try #require(device.application)
        try device.openWindow()
        let scenes = ObservableScenes(application)
        var phases: [ObservableScenes.Phase] = []
        application.core.feed.add { _ in
            phases.append(scenes.phase)
            return true
        }
        try device.moveToBackground()
        #expect(phases.contains(.inactive))
        #expect(phases.last == .background)
        try device.moveToForeground()
        #expect(phases.last == .active)
    }

    @Test("S-42 what nobody holds any more is told of nothing, and the others still are")
    func letGo() throws {
        let application = try #require(device.application)
        #expect(application.core.feed.isEmpty)
        var all: [ObservableScenes?] = [
            ObservableScenes(application), ObservableScenes(application),
        ]
        for (number, isLast) in [(0, false), (1, true)] {
            all[number] = nil
            try device.frontScene?.setTitle("Letter \(number)")
            #expect(application.core.feed.isEmpty == isLast)
            #expect(isLast || all[1]?.windows.first?.title == "Letter 0")
        }
    }

    @Test("L-35 a window without a scene is remembered, and is not connected")
    func connected() throws {
        let application = try #require(device.application)
        let scenes = ObservableScenes(application)
        try device.openWindow()
        #expect(scenes.connectedWindows.count == 2)
        let back = try #require(scenes.windows.last).id
        try application.moveToBackground([back])
        try application.evict(back)
        #expect(scenes.windows.count == 2)
        #expect(scenes.connectedWindows.map(\.id) == scenes.windows.map(\.id).filter { $0 != back })
        #expect(scenes.phase == .active)
    }

    @Test("L-45 what changes nothing in the list of windows draws no view again")
    func equalLists() throws {
        let application = try #require(device.application)
        let scenes = ObservableScenes(application)
        nonisolated(unsafe) var draws = 0
        withObservationTracking {
            _ = scenes.windows
        } onChange: {
            draws += 1
        }
        let front = try #require(device.frontScene)
        try draft.model.text = "typed"
        device.wait(milliseconds: 600)
        try application.saveState(of: [front.session.id])
        try front.setTitle(nil)
        #expect(draws == 0)
        try front.setTitle("Letter")
        #expect(draws == 1)
    }

    @Test("L-55 an observed window whose state can't be read is told why")
    func notRestored() throws {
        let front = try #require(device.frontScene).session.id
        var activity = try UserActivity(activityType: DraftState.activityType)
        activity.userInfo = ["text": 5, "cursor": "none"]
        try device.application?.setStateRestorationActivity(activity, for: front)
        try device.relaunch()
        #expect(try draft.refusals == [.decodingFailed])
        #expect(try draft.model.text == "")
        #expect(device.frontScene?.session.withheldState != nil)
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
