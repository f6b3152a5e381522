/// What an app does with one window.
///
/// The counterpart of
/// [UISceneDelegate](https://developer.apple.com/documentation/uikit/uiscenedelegate); every method
/// has a default that does nothing. Callbacks come one after the other, on the isolation that
/// calls ``SceneApplication``; requests that a callback makes are carried out after it returns.
///
/// ```swift
/// final class ClockWindow: SceneDelegate {
///     var isTicking = false
///     func sceneDidBecomeActive(_ scene: Scene) { isTicking = true }
///     func sceneDidEnterBackground(_ scene: Scene) { isTicking = false }
/// }
/// ```
public protocol SceneDelegate: AnyObject {
    /// The session has a scene now. What launched it rides in the options.
    func scene(_ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions)
    /// The state that was saved last. Not called when there is none, or when it is withheld.
    ///
    /// Throw when it can't be restored: the state is kept, and what the window shows instead is
    /// saved beside it, never over it; ``SceneSession/withheldState`` says so from then on.
    func scene(_ scene: Scene, restoreInteractionStateWith activity: UserActivity) throws
    /// The same, with the app version, system version, idiom and time that the state was saved under.
    /// Implement one of the two.
    func scene(
        _ scene: Scene, restoreInteractionStateWith activity: UserActivity,
        savedUnder context: SaveContext) throws
    /// The window is about to be seen.
    func sceneWillEnterForeground(_ scene: Scene)
    /// The window has the focus.
    func sceneDidBecomeActive(_ scene: Scene)
    /// The window loses the focus.
    func sceneWillResignActive(_ scene: Scene)
    /// The window is no longer seen; its state is saved next.
    func sceneDidEnterBackground(_ scene: Scene)
    /// The session lost its scene; it may come back.
    func sceneDidDisconnect(_ scene: Scene)
    /// Links to open, while the scene is connected.
    func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext])
    /// An activity is on its way; exactly one of the next two follows.
    func scene(_ scene: Scene, willContinueUserActivityWithType type: String)
    /// An activity to continue.
    func scene(_ scene: Scene, continue activity: UserActivity)
    /// The announced activity never came.
    func scene(
        _ scene: Scene, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError)
    /// A quick action to perform.
    func windowScene(
        _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
    /// The user answered a notification.
    func scene(_ scene: Scene, didReceive response: NotificationResponse)
    /// Whether the window has work that is lost when it closes.
    func sceneHasUnsavedWork(_ scene: Scene) -> Bool
    /// The user closes the window, or quits, and it has unsaved work: whether it may close.
    ///
    /// Answer ``ClosingAnswer/later`` to ask the user first, and call
    /// ``SceneApplication/answerClosing(_:of:)`` then. Not called during a logout.
    func sceneShouldClose(_ scene: Scene) -> ClosingAnswer
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
    /// Answers that the action was not performed.
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
}

/// A scene delegate whose scene has state to save.
///
/// Not conforming means not being asked, which keeps what is stored; answering `nil` forgets it.
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
    /// What the user is doing, to be stored; `nil` forgets the earlier state.
    ///
    /// Throw when it can't be answered: the earlier state stays, and the failure is told.
    func stateRestorationActivity(for scene: Scene) throws -> UserActivity?
    /// The activity is about to be stored; what is changed here is what is stored.
    func scene(_ scene: Scene, willSave activity: inout UserActivity)
    /// The activity was brought up to date; what is changed here is what is stored.
    func scene(_ scene: Scene, didUpdate activity: inout UserActivity)
    /// Whether the scene wants to be asked at all now; answering false keeps what is stored.
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
