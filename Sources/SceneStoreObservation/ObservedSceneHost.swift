import SceneStore
import SceneStoreHosting

/// A host whose windows are observed: a change of what a window shows saves it soon, without
/// ``SceneStore/HostedSceneApplication/windowDidChange(_:)``.
///
/// ```swift
/// final class NotesHost: ObservedSceneHost {
///     func makeWindow(for session: SceneSession) -> NoteWindow { NoteWindow() }
///     func bringForward(_ window: NoteWindow) { window.isInFront = true }
///     func close(_ window: NoteWindow) { window.isOpen = false }
///     func state(of window: NoteWindow) -> NoteText { window.model.state }  // @Observable
///     func restore(_ state: NoteText, in window: NoteWindow) { window.model.state = state }
/// }
/// ```
///
/// SceneStore observes what ``SceneStore/StatefulSceneHost/state(of:)``,
/// ``SceneStore/SceneHost/title(of:)`` and ``SceneStore/SceneHost/placement(of:)`` read from
/// observable objects. For a change of anything else, call
/// ``SceneStore/HostedSceneApplication/windowDidChange(_:)`` as in every host.
///
/// The observation of a window begins as soon as the host has made it, and again when its state was
/// restored. That includes the windows of a launch, new ones and reopened ones.
public protocol ObservedSceneHost: StatefulSceneHost {}

extension ObservedSceneHost {
    /// Observes a window that is new, or that was restored.
    public func _observe(_ window: Window, of scene: Scene) {
        scene.savingWhenChanged {
            // What can't be made now is tried, and reported, in the next save.
            _ = try? state(of: window)
            readAppearance(of: window)
        }
    }

    /// Returns the state, and observes what it read.
    public func _observedActivity(of window: Window, _ scene: Scene) throws -> UserActivity? {
        try scene.savingWhenChanged {
            readAppearance(of: window)
            return Result { try stateRestorationActivity(of: window) }
        }.get()
    }

    private func readAppearance(of window: Window) {
        _ = title(of: window)
        _ = placement(of: window)
    }
}
