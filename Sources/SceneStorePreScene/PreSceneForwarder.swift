import SceneStore

/// A forwarder that calls handlers from before scenes when an app's scenes get callbacks (L-66).
///
/// A framework or plug-in that knows only the callbacks of the application delegate continues to
/// work. It is launched with the payload in its launch options, gets each payload once, cold and
/// warm, and sees the app enter and leave the foreground, in the order of an app without scenes.
/// Call each method from the scene delegate's callback of the same name. One forwarder serves all
/// scenes of a process.
///
/// ```swift
/// func scene(
///     _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
/// ) {
///     forwarder.scene(scene, willConnectTo: session, options: options)
/// }
/// ```
///
/// A forwarder belongs to no isolation; use it where the app's delegates are called.
///
/// ## Topics
/// ### Scenes
/// - ``scene(_:willConnectTo:options:)``
/// - ``sceneWillEnterForeground(_:)``
/// - ``sceneDidBecomeActive(_:)``
/// - ``sceneWillResignActive(_:)``
/// - ``sceneDidEnterBackground(_:)``
/// - ``sceneDidDisconnect(_:)``
/// ### Payloads
/// - ``scene(_:openURLContexts:)``
/// - ``scene(_:willContinueUserActivityWithType:)``
/// - ``scene(_:continue:)``
/// - ``scene(_:didFailToContinueUserActivityWithType:error:)``
/// - ``windowScene(_:performActionFor:completionHandler:)``
/// - ``scene(_:didReceive:completionHandler:)``
public final class PreSceneForwarder {
    private enum Content {
        case url(OpenURLContext)
        /// An activity, and whether it was announced to the scene.
        case activity(UserActivity, isAnnounced: Bool)
        case announcement(String)
        case failure(String, SceneStoreError)
        case shortcut(ShortcutItem, (Bool) -> Void)
        case notification(NotificationResponse, () -> Void)
    }

    private let handler: any PreSceneHandler
    private var calls = PreSceneCalls<Content>()
    private var answer = false

    /// Makes a forwarder to a handler, which it keeps.
    public init(to handler: any PreSceneHandler) {
        self.handler = handler
    }

    // MARK: Scenes

    /// Forwards a connection; the first one of the process launches the handler, with the payload.
    public func scene(
        _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
    ) {
        let inBackground =
            scene.application?.core.engine.machine.phase(of: scene.key) == .background
        perform(
            calls.connect(options.payloads.flatMap(arrivals(of:)), inBackground: inBackground),
            LaunchOptions(options))
    }

    /// Forwards that a scene is about to be visible.
    public func sceneWillEnterForeground(_ scene: Scene) {
        perform(calls.enterForeground(scene.session.id.rawValue))
    }

    /// Forwards that a scene has the focus.
    public func sceneDidBecomeActive(_ scene: Scene) {
        perform(calls.activate(scene.session.id.rawValue))
    }

    /// Forwards that a scene loses the focus.
    public func sceneWillResignActive(_ scene: Scene) {
        perform(calls.resign(scene.session.id.rawValue))
    }

    /// Forwards that a scene is no longer visible.
    public func sceneDidEnterBackground(_ scene: Scene) {
        perform(calls.leave(scene.session.id.rawValue))
    }

    /// Forwards that a session lost its scene.
    public func sceneDidDisconnect(_ scene: Scene) {
        perform(calls.leave(scene.session.id.rawValue))
    }

    // MARK: Payloads

    /// Forwards links to open, and returns whether the handler opened the last one.
    @discardableResult
    public func scene(_ scene: Scene, openURLContexts contexts: [OpenURLContext]) -> Bool {
        receive(arrivals(of: .urls(contexts)))
    }

    /// Forwards that an activity is on its way, and returns whether the handler tells the user.
    @discardableResult
    public func scene(_ scene: Scene, willContinueUserActivityWithType type: String) -> Bool {
        calls.announce(type)
        return receive([.init(.announcement(type), isGated: true)])
    }

    /// Forwards an activity, and returns whether the handler continued it.
    @discardableResult
    public func scene(_ scene: Scene, continue activity: UserActivity) -> Bool {
        let isAnnounced = calls.endAnnouncement(activity.activityType)
        return receive([.init(.activity(activity, isAnnounced: isAnnounced), isGated: true)])
    }

    /// Forwards that the announced activity failed to arrive.
    public func scene(
        _ scene: Scene, didFailToContinueUserActivityWithType type: String,
        error: SceneStoreError
    ) {
        calls.endAnnouncement(type)
        receive([.init(.failure(type, error), isGated: true)])
    }

    /// Forwards a quick action. The handler reports once whether the action was performed.
    public func windowScene(
        _ scene: Scene, performActionFor shortcutItem: ShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        receive([.init(.shortcut(shortcutItem, completionHandler), isGated: true)])
    }

    /// Forwards that the user responded to a notification.
    ///
    /// A response that a connection already delivered, or that was received before, is not
    /// delivered again; its completion handler is called immediately.
    public func scene(
        _ scene: Scene, didReceive response: NotificationResponse,
        completionHandler: @escaping () -> Void = {}
    ) {
        var isDelivered = false
        let arrival = PreSceneCalls<Content>.Arrival(
            .notification(response, completionHandler), isGated: false,
            key: Payload.notification(response).deduplicationKey)
        for call in calls.receive([arrival]) {
            if case .deliver = call {
                isDelivered = true
            }
            perform([call])
        }
        if !isDelivered, !calls.isLaunching {
            completionHandler()
        }
    }

    // MARK: Performing

    private func arrivals(of payload: Payload) -> [PreSceneCalls<Content>.Arrival] {
        switch payload {
        case .urls(let contexts): contexts.map { .init(.url($0), isGated: true) }
        case .activity(let activity, _):
            [.init(.activity(activity, isAnnounced: false), isGated: true)]
        case .shortcut(let item): [.init(.shortcut(item) { _ in }, isGated: true)]
        case .notification(let response):
            [
                .init(
                    .notification(response) {}, isGated: false,
                    key: Payload.notification(response).deduplicationKey)
            ]
        }
    }

    @discardableResult
    private func receive(_ arrivals: [PreSceneCalls<Content>.Arrival]) -> Bool {
        answer = false
        perform(calls.receive(arrivals))
        return answer
    }

    private func perform(
        _ list: [PreSceneCalls<Content>.Call], _ options: LaunchOptions = LaunchOptions()
    ) {
        var (will, did) = (true, true)
        var launches = false
        for call in list {
            switch call {
            case .willFinishLaunching: will = handler.willFinishLaunching(with: options)
            case .didFinishLaunching:
                did = handler.didFinishLaunching(with: options)
                launches = true
            case .willEnterForeground: handler.willEnterForeground()
            case .didBecomeActive: handler.didBecomeActive()
            case .willResignActive: handler.willResignActive()
            case .didEnterBackground: handler.didEnterBackground()
            case .deliver(let content): deliver(content)
            }
        }
        if launches {
            perform(calls.launched(will: will, did: did))
        }
    }

    private func deliver(_ content: Content) {
        switch content {
        case .url(let context): answer = handler.open(context)
        case .activity(let activity, let isAnnounced):
            if !isAnnounced {
                _ = handler.willContinueUserActivity(withType: activity.activityType)
            }
            answer = handler.continueUserActivity(activity)
        case .announcement(let type): answer = handler.willContinueUserActivity(withType: type)
        case .failure(let type, let error):
            handler.didFailToContinueUserActivity(withType: type, error: error)
        case .shortcut(let item, let completion):
            handler.performAction(for: item, completionHandler: completion)
        case .notification(let response, let completion):
            handler.didReceive(response, completionHandler: completion)
        }
    }
}
