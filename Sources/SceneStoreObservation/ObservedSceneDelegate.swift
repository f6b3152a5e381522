import Observation
import SceneStore

/// A scene delegate whose state is observed: a change saves it soon, without
/// ``SceneStore/Scene/setNeedsSave()``.
///
/// ```swift
/// final class NoteScene: ObservedSceneDelegate {
///     let model = NoteModel()  // @Observable
///     var state: NoteText {
///         get { NoteText(text: model.text, line: model.line) }
///         set { (model.text, model.line) = (newValue.text, newValue.line) }
///     }
/// }
/// ```
///
/// SceneStore observes what `state` reads from observable objects. A property wrapper such as
/// `@SceneStorage` inside an `@Observable` class needs `@ObservationIgnored`, because the macro
/// turns the property into a computed one:
///
/// ```swift
/// @Observable
/// final class ZoomModel: SceneStorageOwner {
///     @ObservationIgnored weak var scene: Scene?
///     @ObservationIgnored @SceneStorage("zoom") var zoom = 1.0
/// }
/// ```
///
/// ``SceneStore/Scene/storage`` needs neither: it is observable key by key.
///
/// The observation begins when the scene is connected, and again when its state was restored, whatever
/// callbacks your delegate implements itself.
public protocol ObservedSceneDelegate: StatefulSceneDelegate {}

extension ObservedSceneDelegate {
    /// Stores the state, and observes what it read.
    public func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        try scene.savingWhenChanged { state }.userActivity()
    }

    /// Observes the state of a window that is new, or that was restored.
    public func _observeState(of scene: Scene) {
        _ = scene.savingWhenChanged { state }
    }
}

extension Scene {
    /// Reads observable values; when one of them changes the scene is saved soon, once. Call it in each
    /// save, as ``ObservedSceneDelegate`` and ``ObservedSceneHost`` do, to be saved at the next change,
    /// too.
    package func savingWhenChanged<Result>(_ read: () -> Result) -> Result {
        // Observation calls back where the value is changed, which is where the scene lives: the
        // compiler can't see that, for the closure is declared to be called from anywhere.
        nonisolated(unsafe) weak let scene = self
        return withObservationTracking(read) {
            scene?.setNeedsSave()
        }
    }
}
