import SceneStore

/// The payloads of a connection or of a warm callback, as the transcript shows them.
///
/// ```swift
/// let payload = TranscriptPayload(.urls([OpenURLContext(url: "notes://note/12")]))
/// let text = payload.text(of: TranscriptPayload.Key.urls)  // "notes://note/12"
/// ```
public struct TranscriptPayload: Hashable, Sendable {
    /// The links.
    public var urls: [String] = []
    /// The activities' types.
    public var activities: [String] = []
    /// The quick action's type.
    public var shortcut: String?
    /// The notification's identifier.
    public var notification: String?
    /// The bundle identifier of the app that asked.
    public var source: String?
    /// The type of an activity that is on its way from another device.
    public var handoff: String?
    /// Whether an earlier process was offered it and died.
    public var isRedelivered = false

    /// A part of the payload.
    public enum Key: String, Hashable, Sendable, CaseIterable {
        /// The links.
        case urls
        /// The activities' types.
        case activities
        /// The quick action's type.
        case shortcut
        /// The notification's identifier.
        case notification
        /// The bundle identifier of the app that asked.
        case source
        /// The type of an activity on its way.
        case handoff
        /// Whether it is offered again.
        case redelivered
    }

    /// Makes an empty payload.
    public init() {}

    /// The payload of a connection.
    public init(_ options: ConnectionOptions) {
        urls = options.urlContexts.map(\.url)
        activities = options.userActivities.map(\.activityType)
        shortcut = options.shortcutItem?.type
        notification = options.notificationResponse?.identifier
        source = options.sourceApplication
        handoff = options.handoffUserActivityType
        isRedelivered = options.isRedelivered
    }

    /// The payload of a warm callback.
    public init(_ payload: Payload, isRedelivered: Bool = false) {
        self.init(ConnectionOptions(payloads: [payload], isRedelivered: isRedelivered))
    }

    /// Whether there is nothing to show.
    public var isEmpty: Bool {
        self == TranscriptPayload()
    }

    /// Returns a part as text, or nil if the part doesn't apply.
    ///
    /// The elements of a list are joined by commas; a Boolean is `true` or `false`.
    public func text(of key: Key) -> String? {
        switch key {
        case .urls: urls.isEmpty ? nil : urls.joined(separator: ",")
        case .activities: activities.isEmpty ? nil : activities.joined(separator: ",")
        case .shortcut: shortcut
        case .notification: notification
        case .source: source
        case .handoff: handoff
        case .redelivered: isRedelivered ? "true" : "false"
        }
    }

    /// The parts that apply; null when none does.
    package var canonicalJSON: CanonicalJSON {
        var members: [CanonicalJSON.Object.Member] = []
        for key in Key.allCases {
            switch key {
            case .urls where !urls.isEmpty:
                members.append((key.rawValue, .array(urls.map { .string($0) })))
            case .activities where !activities.isEmpty:
                members.append((key.rawValue, .array(activities.map { .string($0) })))
            case .urls, .activities: break
            case .redelivered:
                if isRedelivered {
                    members.append((key.rawValue, true))
                }
            default:
                if let text = text(of: key) {
                    members.append((key.rawValue, .string(text)))
                }
            }
        }
        return members.isEmpty ? .null : .object(CanonicalJSON.Object(members))
    }

    /// The parts that apply, for people; empty when none does.
    var summary: String {
        Key.allCases.compactMap { key in
            if key == .redelivered {
                return isRedelivered ? "redelivered" : nil
            }
            return text(of: key).map { "\(key.rawValue) \(TextEscaping.terminal($0))" }
        }.joined(separator: ", ")
    }
}
