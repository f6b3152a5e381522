/// The reason for a connection, with its payloads.
///
/// The counterpart of
/// [UIScene.ConnectionOptions](https://developer.apple.com/documentation/uikit/uiscene/connectionoptions).
/// In `scene(_:willConnectTo:options:)` they hold payloads only with the delivery `.uikit`, the
/// default. With `.whenActive`, which all `.desktop(…)` options set, payloads arrive by the callbacks
/// of the scene instead, such as `scene(_:openURLContexts:)`, right after its first `active`.
///
/// ```swift
/// func scene(
///     _ scene: Scene, willConnectTo session: SceneSession, options: ConnectionOptions
/// ) {
///     options.urlContexts.forEach { open($0.url) }  // the links that made this window
/// }
/// ```
public struct ConnectionOptions: Hashable, Sendable {
    /// Links to open.
    public var urlContexts: [OpenURLContext] = []
    /// Activities to continue.
    public var userActivities: [UserActivity] = []
    /// A quick action to perform.
    public var shortcutItem: ShortcutItem?
    /// A notification that the user answered.
    public var notificationResponse: NotificationResponse?
    /// The type of an activity that is on its way from another device.
    public var handoffUserActivityType: String?
    /// The bundle identifier of the app that asked.
    public var sourceApplication: String?
    /// Whether a payload was offered to an earlier process, which died before it acknowledged it.
    ///
    /// The options may also contain new payloads. With the delivery `.whenActive` the callbacks
    /// deliver the payloads, and the mark is `Scene.isPayloadRedelivered`.
    public var isRedelivered = false

    /// Makes empty options.
    public init() {}

    /// Makes options that hold payloads.
    public init(payloads: [Payload], isRedelivered: Bool = false) {
        for payload in payloads {
            add(payload)
        }
        self.isRedelivered = isRedelivered
    }

    /// Whether the connection brings no payload and no announced activity.
    public var isEmpty: Bool {
        // By patterns: a comparison with nil copies what is compared.
        guard case nil = shortcutItem, case nil = notificationResponse else {
            return false
        }
        return urlContexts.isEmpty && userActivities.isEmpty && handoffUserActivityType == nil
    }

    /// The payloads in the order of delivery: links, activities, the action, the notification.
    public var payloads: [Payload] {
        var result: [Payload] = urlContexts.isEmpty ? [] : [.urls(urlContexts)]
        // The source is the links', or that of the only activity; of several nobody knows whose.
        let source = urlContexts.isEmpty && userActivities.count == 1 ? sourceApplication : nil
        result += userActivities.map { .activity($0, sourceApplication: source) }
        if let shortcutItem {
            result.append(.shortcut(shortcutItem))
        }
        if let notificationResponse {
            result.append(.notification(notificationResponse))
        }
        return result
    }

    /// Adds one payload.
    public mutating func add(_ payload: Payload) {
        switch payload {
        case .urls(let contexts):
            urlContexts += contexts
            sourceApplication =
                sourceApplication ?? contexts.lazy.compactMap(\.sourceApplication).first
        case .activity(let activity, let source):
            userActivities.append(activity)
            sourceApplication = sourceApplication ?? source
        case .shortcut(let item): shortcutItem = item
        case .notification(let response): notificationResponse = response
        }
    }
}
