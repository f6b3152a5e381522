/// A scene delegate whose window shows one ``SavedState``. Saving and restoring need nothing else.
///
/// ```swift
/// final class NoteWindow: StatefulSceneDelegate {
///     var state = NoteText()  // saved by itself, and set again when the window comes back
/// }
/// ```
///
/// A delegate on the main actor conforms with `@MainActor StatefulSceneDelegate`. Call
/// ``Scene/setNeedsSave()`` when the state changes, to have it saved soon. The window is saved
/// anyway when it goes to the background, when it is closed, and when the app quits while it is in
/// front.
public protocol StatefulSceneDelegate: StateRestoringSceneDelegate {
    /// The type of the state.
    associatedtype SceneState: SavedState
    /// The window's state: set when a state is restored, read at each save and when the window closes.
    var state: SceneState { get set }
    /// Tells the delegate that a stored state could not be read.
    ///
    /// The stored state is withheld and kept, and ``state`` is unchanged.
    func scene(_ scene: Scene, couldNotRestore error: SceneStoreError)
}

extension StatefulSceneDelegate {
    /// Does nothing.
    public func scene(_ scene: Scene, couldNotRestore error: SceneStoreError) {}

    /// Sets ``state``, migrated to today's version.
    public func scene(
        _ scene: Scene, restoreInteractionStateWith activity: UserActivity
    ) throws {
        try restoreState(of: scene, from: activity)
    }

    /// Sets ``state``, or says that it can't be read and throws why.
    package func restoreState(
        of scene: Scene, from activity: UserActivity
    ) throws(SceneStoreError) {
        do throws(SceneStoreError) {
            state = try SceneState(restoring: activity)
        } catch {
            self.scene(scene, couldNotRestore: error)
            throw error
        }
    }

    func checkReadable(_ activity: UserActivity) throws(SceneStoreError) {
        try SceneState.checkReadable(activity)
    }

    /// Stores ``state`` with its version.
    public func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
        try state.userActivity()
    }
}
