import SceneStore

/// A host whose windows show one ``SavedState`` each. Saving and restoring need nothing else.
///
/// ```swift
/// final class NotesHost: StatefulSceneHost {
///     func makeWindow(for session: SceneSession) -> TextWindow { TextWindow() }
///     func bringForward(_ window: TextWindow) { window.isInFront = true }
///     func close(_ window: TextWindow) { window.isOpen = false }
///     func state(of window: TextWindow) -> NoteText { window.note }
///     func restore(_ state: NoteText, in window: TextWindow) { window.note = state }
/// }
/// ```
///
/// Windows of several kinds share one state: an enum with a case for each kind; the page
/// <doc:HostingAToolkit> has an example.
public protocol StatefulSceneHost: SceneHost {
    /// The type of the state.
    associatedtype WindowState: SavedState
    /// Returns the state that the window shows now; called in each save, and when a window closes.
    ///
    /// Throw if you can't make the state: the earlier state stays, and the failure is reported.
    func state(of window: Window) throws -> WindowState
    /// Shows a state that was saved earlier, migrated to today's version. Throw when it can't be
    /// shown: the state is withheld and kept.
    func restore(_ state: WindowState, in window: Window) throws
    /// Shows a state, with the app version, system version and time that it was saved under.
    func restore(
        _ state: WindowState, in window: Window, savedUnder context: SaveContext) throws
    /// Tells the host that a stored state could not be read.
    ///
    /// The stored state is withheld and kept, and the window stays as it was made.
    func window(_ window: Window, couldNotRestore error: SceneStoreError)
}

extension StatefulSceneHost {
    /// Calls the method without the context.
    public func restore(
        _ state: WindowState, in window: Window, savedUnder context: SaveContext
    ) throws {
        try restore(state, in: window)
    }

    /// Does nothing.
    public func window(_ window: Window, couldNotRestore error: SceneStoreError) {}

    /// Does nothing, because ``restore(_:in:savedUnder:)`` is called instead.
    public func restore(_ activity: UserActivity, in window: Window) throws {}

    /// Restores the window's state, migrated to today's version.
    public func restore(
        _ activity: UserActivity, in window: Window, savedUnder context: SaveContext
    ) throws {
        let state: WindowState
        do throws(SceneStoreError) {
            state = try WindowState(restoring: activity)
        } catch {
            self.window(window, couldNotRestore: error)
            throw error
        }
        try restore(state, in: window, savedUnder: context)
    }

    func checkReadable(_ activity: UserActivity) throws(SceneStoreError) {
        try WindowState.checkReadable(activity)
    }

    /// Stores the window's state with its version.
    public func stateRestorationActivity(of window: Window) throws -> UserActivity? {
        try state(of: window).userActivity()
    }
}
