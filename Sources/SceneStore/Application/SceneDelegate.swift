/// The callbacks that concern one window.
///
/// The counterpart of
/// [UISceneDelegate](https://developer.apple.com/documentation/uikit/uiscenedelegate). Every method
/// has a default that does nothing. Callbacks come one after the other, on the isolation that calls
/// ``SceneApplication``; requests that a callback makes are carried out after it returns. To save a
/// state, conform to ``StateRestoringSceneDelegate`` or ``StatefulSceneDelegate``.
///
/// ```swift
/// final class ClockWindow: SceneDelegate {
///     var isTicking = false
///     func sceneDidBecomeActive(_ scene: Scene) { isTicking = true }
///     func sceneDidEnterBackground(_ scene: Scene) { isTicking = false }
/// }
/// ```
public protocol SceneDelegate: AnyObject {
    /// Tells the delegate that the session has a scene.
    ///
    /// The options have the payloads that made the scene, unless the app's delivery is
    /// ``SceneApplicationOptions/Delivery/whenActive``, as with `.desktop(…)`.
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions)
    /// Gives the delegate the state that was saved last.
    ///
    /// Not called if there is no state, or if it is withheld. Throw if you can't restore the state:
    /// it is kept, and the state that the window shows instead is saved next to it, never over it.
    /// ``SceneSession/withheldState`` is set from then on.
    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) throws
    /// Gives the delegate the state that was saved last, with what it was saved under.
    ///
    /// The context has the app version, system version, idiom and time. Implement this method or
    /// the one without a context.
    func scene(
        _ scene: Scene, restoreInteractionStateWith activity: UserActivity,
        savedUnder context: SaveContext) throws
    /// Tells the delegate that the window is about to be visible.
    func sceneWillEnterForeground(_ scene: Scene)
    /// Tells the delegate that the window has the focus.
    func sceneDidBecomeActive(_ scene: Scene)
    /// Tells the delegate that the window loses the focus.
    func sceneWillResignActive(_ scene: Scene)
    /// Tells the delegate that the window is no longer visible; its state is saved next.
    func sceneDidEnterBackground(_ scene: Scene)
    /// Tells the delegate that the session lost its scene; it may come back.
    func sceneDidDisconnect(_ scene: Scene)
    /// Gives the delegate links to open.
    ///
    /// With ``SceneApplicationOptions/Delivery/whenActive`` also the links that made the scene.
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext])
    /// Tells the delegate that an activity is on its way.
    ///
    /// Exactly one of `scene(_:continue:)` and
    /// `scene(_:didFailToContinueUserActivityWithType:error:)` follows.
    func scene(_ scene: Scene, willContinueUserActivityWithType type: String)
    /// Gives the delegate an activity to continue.
    func scene(_ scene: Scene, continue activity: UserActivity)
    /// Tells the delegate that the announced activity failed to arrive.
    func scene(
        _ scene: Scene, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError)
    /// Asks the delegate to perform a quick action.
    func windowScene(
        _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// Tells the delegate that the user responded to a notification.
    ///
    /// UIKit's completion handler has no counterpart here, because nothing waits for it: the response
    /// has been handled when the method returns.
    func scene(_ scene: Scene, didReceive response: NotificationResponse)
    /// Returns whether the window has work that is lost when it closes.
    func sceneHasUnsavedWork(_ scene: Scene) -> Bool
    /// Returns whether a window with unsaved work may close, when the user closes it or quits, or when
    /// another takes its place.
    ///
    /// Return ``ClosingAnswer/later`` to ask the user first, and then call
    /// ``SceneApplication/answerClosing(_:of:)``. Not called during a logout.
    func sceneShouldClose(_ scene: Scene) -> ClosingAnswer
    /// The scene is connected, or its state was restored. For `SceneStoreObservation`, which observes
    /// the state from then on whatever methods an app implements; not for apps.
    func _observeState(of scene: Scene)
}

extension SceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
    ) {}
    /// Does nothing.
    public func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) throws {}
    /// Calls the method without the context.
    public func scene(
        _ scene: Scene, restoreInteractionStateWith activity: UserActivity,
        savedUnder context: SaveContext
    ) throws {
        try self.scene(scene, restoreInteractionStateWith: activity)
    }
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: Scene) {}
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: Scene) {}
    /// Does nothing.
    public func sceneWillResignActive(_ scene: Scene) {}
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: Scene) {}
    /// Does nothing.
    public func sceneDidDisconnect(_ scene: Scene) {}
    /// Does nothing.
    public func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) {}
    /// Does nothing.
    public func scene(_ scene: Scene, willContinueUserActivityWithType type: String) {}
    /// Does nothing.
    public func scene(_ scene: Scene, continue activity: UserActivity) {}
    /// Does nothing.
    public func scene(
        _ scene: Scene, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError
    ) {}
    /// Reports that the action was not performed.
    public func windowScene(
        _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        completionHandler(false)
    }
    /// Does nothing.
    public func scene(_ scene: Scene, didReceive response: NotificationResponse) {}
    /// Answers no.
    public func sceneHasUnsavedWork(_ scene: Scene) -> Bool { false }
    /// Closes.
    public func sceneShouldClose(_ scene: Scene) -> ClosingAnswer { .close }
    /// Does nothing.
    public func _observeState(of scene: Scene) {}
}

/// A scene delegate whose scene has state to save.
///
/// A delegate that doesn't conform isn't asked, and its stored state stays. A delegate that returns
/// `nil` forgets it.
///
/// ```swift
/// final class ListWindow: StateRestoringSceneDelegate {
///     var line: Int64 = 0
///     func stateRestorationActivity(for scene: Scene) throws -> UserActivity? {
///         try UserActivity(
///             activityType: "com.example.list", userInfo: ["line": .integer(line)])
///     }
/// }
/// ```
public protocol StateRestoringSceneDelegate: SceneDelegate {
    /// Returns the state to store; `nil` forgets the earlier state.
    ///
    /// Throw if you can't make the state: the earlier state stays, and the failure is reported.
    func stateRestorationActivity(for scene: Scene) throws -> UserActivity?
    /// Tells the delegate that the activity is about to be stored. Changes made here are stored.
    func scene(_ scene: Scene, willSave activity: inout UserActivity)
    /// Tells the delegate that the activity was updated. Changes made here are stored.
    func scene(_ scene: Scene, didUpdate activity: inout UserActivity)
    /// Returns whether the scene wants to be asked for its state now.
    ///
    /// Return false to keep the stored state.
    func shouldSaveState(of scene: Scene) -> Bool
}

extension StateRestoringSceneDelegate {
    /// Changes nothing.
    public func scene(_ scene: Scene, willSave activity: inout UserActivity) {}
    /// Changes nothing.
    public func scene(_ scene: Scene, didUpdate activity: inout UserActivity) {}
    /// Answers yes.
    public func shouldSaveState(of scene: Scene) -> Bool { true }
}

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
    public func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) throws {
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

/// A scene delegate that stands for a host's window.
package protocol WindowOfHost {
    /// The window, while the scene is connected.
    var hostedWindow: AnyObject? { get }
    /// Whether the window has another title or place than the stored ones.
    func hasNewAppearance(_ scene: Scene) -> Bool
}
