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
    /// The notification's identifier.
    ///
    /// Two responses with one identifier, action and date are one. Without a date, each one counts,
    /// except one that repeats what came with a scene's connection.
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

/// The window that an app chooses for a payload, before conditions are checked (L-79).
///
/// ```swift
/// func application(
///     _ application: SceneApplication, targetFor payload: Payload
/// ) -> PayloadTarget? {
///     if case .shortcut = payload { .new } else { nil }
/// }
/// ```
public enum PayloadTarget: Sendable, Hashable {
    /// To a session's window, connected or not.
    case window(SceneSession.ID)
    /// To the window of a role that was active last; to a new one when there is none.
    case role(SceneSessionRole)
    /// To a new window of the default role.
    case new
    /// To the window of the default role that shows an equal value, or to one that is opened for it.
    ///
    /// Which window comes back for the value is as for
    /// ``SceneSessionActivationRequest/presentedValue``. Each value gets a window of its own.
    case presenting(Value)
    /// No window, because the app has dealt with the payload itself, or refuses it.
    case handled
}

extension NotificationResponse {
    /// Two responses with one key are one.
    package var deduplicationKey: String {
        let time = date.map { "\u{0}\($0.timeIntervalSinceReferenceDate)" } ?? ""
        return "\(identifier)\u{0}\(actionIdentifier)\(time)"
    }
}

extension Payload {
    private static let handoffName = "handoff:"

    /// The name under which an activity from another device is kept, which is to be announced before
    /// it is handed over (L-60).
    package static func handoffKey(_ identifier: String) -> String {
        handoffName + identifier
    }

    /// Whether a payload that is kept under a name is an activity from another device.
    package func isHandoff(named key: String?) -> Bool {
        if case .activity = self { key?.hasPrefix(Self.handoffName) == true } else { false }
    }

    /// Names a payload that may arrive twice; nil when each arrival counts: of a notification without
    /// a date nobody knows whether it is the same one.
    package var deduplicationKey: String? {
        guard case .notification(let response) = self, response.date != nil else {
            return nil
        }
        return response.deduplicationKey
    }
}
