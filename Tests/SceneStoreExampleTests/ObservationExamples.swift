import Observation
import SceneStore
import SceneStoreObservation
import SceneStoreTesting
import Testing

/// What the reference shows of windows and states that are observed.
@MainActor
@Suite("Examples of observation")
struct ObservationExamples {
    @Observable
    final class NoteModel {
        var text = ""
        var line = 0
    }

    // example: ObservedSceneDelegate
    final class NoteScene: ObservedSceneDelegate {
        let model = NoteModel()  // @Observable
        var state: NoteText {
            get { NoteText(text: model.text, line: model.line) }
            set { (model.text, model.line) = (newValue.text, newValue.line) }
        }
    }
    // end

    // example: ObservedSceneDelegate
    @Observable
    final class ZoomModel: SceneStorageOwner {
        @ObservationIgnored weak var scene: Scene?
        @ObservationIgnored @SceneStorage("zoom") var zoom = 1.0
    }
    // end

    final class NoteWindow {
        let model = HostedNoteModel()
        var isInFront = false
        var isOpen = true
    }

    @Observable
    final class HostedNoteModel {
        var state = NoteText(text: "", line: 0)
    }

    // example: ObservedSceneHost
    final class NotesHost: ObservedSceneHost {
        func makeWindow(for session: SceneSession) -> NoteWindow { NoteWindow() }
        func bringForward(_ window: NoteWindow) { window.isInFront = true }
        func close(_ window: NoteWindow) { window.isOpen = false }
        func state(of window: NoteWindow) -> NoteText { window.model.state }  // @Observable
        func restore(_ state: NoteText, in window: NoteWindow) { window.model.state = state }
    }
    // end

    final class App: SceneApplicationDelegate {
        func application(
            _ application: SceneApplication, sceneDelegateFor session: SceneSession
        ) -> (any SceneDelegate)? { NoteScene() }
    }

    @Test("a change of the model is saved")
    func saving() throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        try device.launch { App() }
        try device.moveToBackground()
        try device.moveToForeground()
        try device.sceneDelegate(NoteScene.self).model.text = "Milk"
        device.wait(milliseconds: 3_000)
        device.kill()
        try device.relaunch()
        #expect(try device.sceneDelegate(NoteScene.self).model.text == "Milk")
    }

    @Test("a change of a hosted window's model is saved")
    func hosting() throws {
        let device = try SimulatedDevice(manifest: .windows("Note"))
        try device.launch(host: NotesHost())
        try device.window(NoteWindow.self, at: 0).model.state.text = "Milk"
        device.wait(milliseconds: 3_000)
        device.kill()
        try device.relaunch()
        #expect(try device.window(NoteWindow.self, at: 0).model.state.text == "Milk")
    }

    @Test("the windows, for views that observe")
    func windows() throws {
        let sample = try Sample()
        let application = sample.application
        // example: ObservableScenes
        let scenes = ObservableScenes(application)
        let notes = scenes.windows.filter { $0.role == .windowApplication }
        let isInFront = scenes.phase == .active
        // end
        #expect(notes.count == 1 && isInFront)
        let model = ZoomModel()
        model.scene = sample.scene
        model.zoom = 1.5
        #expect(sample.scene.storage["zoom"] == 1.5)
    }
}
