#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A URL that the app is asked to open.
///
/// The link is kept as the text that arrived; parsers must not repair it silently.
///
/// ```swift
/// let link = OpenURLContext(
///     url: "notes://note/12", sourceApplication: "com.example.mail")
/// try application.open([link])
/// ```
public struct OpenURLContext: Hashable, Sendable {
    /// The link as it arrived.
    public var url: String
    /// The bundle identifier of the app that asked.
    public var sourceApplication: String?
    /// Whether the file must be opened in place.
    public var openInPlace: Bool

    /// Makes a request to open a link.
    public init(url: String, sourceApplication: String? = nil, openInPlace: Bool = false) {
        self.url = url
        self.sourceApplication = sourceApplication
        self.openInPlace = openInPlace
    }
}

/// A quick action that the user chose.
///
/// ```swift
/// let item = ShortcutItem(
///     type: "com.example.new-note", userInfo: ["folder": "inbox"], localizedTitle: "New Note")
/// try application.receive(.shortcut(item))
/// ```
public struct ShortcutItem: Hashable, Sendable {
    /// The type of the action.
    public var type: String
    /// The title that the user chose; empty when it isn't known.
    public var localizedTitle: String
    /// The text below the title.
    public var localizedSubtitle: String?
    /// The identifier of the content, compared with ``ActivationConditions``.
    public var targetContentIdentifier: String?
    /// The action's data; property-list values.
    public var userInfo: ValueDictionary

    /// Makes a quick action.
    public init(
        type: String, targetContentIdentifier: String? = nil, userInfo: ValueDictionary = [:],
        localizedTitle: String = "", localizedSubtitle: String? = nil
    ) {
        self.type = type
        self.localizedTitle = localizedTitle
        self.localizedSubtitle = localizedSubtitle
        self.targetContentIdentifier = targetContentIdentifier
        self.userInfo = userInfo
    }
}

/// The user's response to a notification.
///
/// ```swift
/// let response = NotificationResponse(identifier: "reminder-12", userInfo: ["note": 12])
/// try application.receive(.notification(response))
/// ```
public struct NotificationResponse: Hashable, Sendable {
    /// The notification's identifier; two responses with one identifier, action and date are one.
    public var identifier: String
    /// The action that the user chose.
    public var actionIdentifier: String
    /// The identifier of the content, compared with ``ActivationConditions``.
    public var targetContentIdentifier: String?
    /// The notification's data.
    public var userInfo: ValueDictionary
    /// The time when the notification was delivered.
    ///
    /// A later notification with the same identifier is a different one.
    public var date: Date?

    /// The action of a plain tap.
    public static let defaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"

    /// Makes a response.
    public init(
        identifier: String,
        actionIdentifier: String = NotificationResponse.defaultActionIdentifier,
        targetContentIdentifier: String? = nil,
        userInfo: ValueDictionary = [:], date: Date? = nil
    ) {
        self.identifier = identifier
        self.actionIdentifier = actionIdentifier
        self.targetContentIdentifier = targetContentIdentifier
        self.userInfo = userInfo
        self.date = date
    }
}

/// Something from outside that a session is to handle.
///
/// ```swift
/// let activity = try UserActivity(activityType: "com.example.note")
/// let payloads: [Payload] = [.urls([link]), .activity(activity)]
/// try payloads.forEach(application.receive)
/// ```
public enum Payload: Hashable, Sendable {
    /// Links to open, in order.
    case urls([OpenURLContext])
    /// An activity to continue, and the bundle identifier of the app that sent it, if known.
    case activity(UserActivity, sourceApplication: String? = nil)
    /// A quick action.
    case shortcut(ShortcutItem)
    /// The response to a notification.
    case notification(NotificationResponse)

    /// The text that ``ActivationConditions`` are compared with (L-72).
    ///
    /// It is the payload's target identifier, an activity's web page if the activity has no target,
    /// or the complete text of a link.
    public var activationIdentifier: String? {
        switch self {
        case .urls(let contexts): contexts.first?.url
        case .activity(let activity, _): activity.activationIdentifier
        case .shortcut(let item): item.targetContentIdentifier
        case .notification(let response): response.targetContentIdentifier
        }
    }
}

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
