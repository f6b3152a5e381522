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

/// The payloads that launched a pre-scene app.
///
/// Empty in an app with scenes, whose payloads are in a scene's ``ConnectionOptions``.
///
/// ```swift
/// let options = LaunchOptions(ConnectionOptions(payloads: payloads))
/// let isLink = options.url != nil  // true
/// ```
public struct LaunchOptions: Hashable, Sendable {
    /// One of UIKit's launch options, by its name in Swift.
    ///
    /// The counterpart of
    /// [UIApplication.LaunchOptionsKey](https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey).
    package struct Key: RawRepresentable, Hashable, Sendable {
        /// The name, such as `url`.
        package let rawValue: String

        /// Makes a key from a name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The link.
        package static let url = Key(rawValue: "url")
        /// The app that asked to open the link.
        package static let sourceApplication = Key(rawValue: "sourceApplication")
        /// The property list that the sending app added to the link.
        package static let annotation = Key(rawValue: "annotation")
        /// The activity, with its type and identifier.
        package static let userActivityDictionary = Key(rawValue: "userActivityDictionary")
        /// The activity's type.
        package static let userActivityType = Key(rawValue: "userActivityType")
        /// The quick action.
        package static let shortcutItem = Key(rawValue: "shortcutItem")
        /// The notification from a server.
        package static let remoteNotification = Key(rawValue: "remoteNotification")
        /// The notification from before `UserNotifications`.
        package static let localNotification = Key(rawValue: "localNotification")
        /// The device moved.
        package static let location = Key(rawValue: "location")
        /// Bluetooth central managers to restore.
        package static let bluetoothCentrals = Key(rawValue: "bluetoothCentrals")
        /// Bluetooth peripheral managers to restore.
        package static let bluetoothPeripherals = Key(rawValue: "bluetoothPeripherals")
        /// Downloads of Newsstand that ended.
        package static let newsstandDownloads = Key(rawValue: "newsstandDownloads")
        /// A CloudKit share that the user accepted.
        package static let cloudKitShareMetadata = Key(rawValue: "cloudKitShareMetadata")
        /// The tap on an advertisement that led here.
        package static let eventAttribution = Key(rawValue: "eventAttribution")

        /// All that UIKit documents.
        package static let all: [Key] = [
            .url, .sourceApplication, .annotation, .userActivityDictionary, .userActivityType,
            .shortcutItem, .remoteNotification, .localNotification, .location, .bluetoothCentrals,
            .bluetoothPeripherals, .newsstandDownloads, .cloudKitShareMetadata, .eventAttribution,
        ]
    }

    /// The link.
    public var url: String?
    /// The bundle identifier of the app that asked to open the link, or handed the activity over.
    public var sourceApplication: String?
    /// The property list that the sending app added to the link.
    public var annotation: Value?
    /// The activity.
    public var userActivity: UserActivity?
    /// The activity's type.
    public var userActivityType: String?
    /// The identifier of the activity, a UUID: UIKit's, which is the same before and after its data
    /// arrives. Elsewhere equal activities have the same one.
    public var userActivityIdentifier: String?
    /// The notification that the user answered.
    public var remoteNotification: NotificationResponse?
    /// The quick action.
    public var shortcutItem: ShortcutItem?
    /// Whether the system launched the app because the device moved.
    public var isLocationEvent = false
    /// The restoration identifiers of Bluetooth central managers to make again.
    public var bluetoothCentrals: [String] = []
    /// The restoration identifiers of Bluetooth peripheral managers to make again.
    public var bluetoothPeripherals: [String] = []
    /// The identifiers of Newsstand's downloads that ended.
    public var newsstandDownloads: [String] = []
    /// The keys of options whose objects can't be stored as values.
    ///
    /// They are ``Key/localNotification``, ``Key/cloudKitShareMetadata``, ``Key/eventAttribution``
    /// and keys of newer systems.
    package var objectKeys: Set<Key> = []

    /// Makes empty options.
    public init() {}

    /// Makes options that hold payloads, the first of each kind.
    package init(payloads: [Payload]) {
        for payload in payloads {
            switch payload {
            case .urls(let contexts):
                url = url ?? contexts.first?.url
                sourceApplication = sourceApplication ?? contexts.first?.sourceApplication
            case .activity(let activity, let source):
                sourceApplication = sourceApplication ?? source
                userActivity = userActivity ?? activity
                userActivityType = userActivityType ?? activity.activityType
                userActivityIdentifier = userActivityIdentifier ?? activity.launchIdentifier
            case .shortcut(let item): shortcutItem = shortcutItem ?? item
            case .notification(let response):
                remoteNotification = remoteNotification ?? response
            }
        }
    }

    /// The keys that UIKit's dictionary would have.
    package var keys: Set<Key> {
        let isPresent: [(Key, Bool)] = [
            (.url, url != nil), (.sourceApplication, sourceApplication != nil),
            (.annotation, annotation != nil),
            (
                .userActivityDictionary,
                userActivity != nil || userActivityType != nil || userActivityIdentifier != nil
            ),
            (.userActivityType, userActivityType != nil), (.shortcutItem, shortcutItem != nil),
            (.remoteNotification, remoteNotification != nil), (.location, isLocationEvent),
            (.bluetoothCentrals, !bluetoothCentrals.isEmpty),
            (.bluetoothPeripherals, !bluetoothPeripherals.isEmpty),
            (.newsstandDownloads, !newsstandDownloads.isEmpty),
        ]
        return Set(isPresent.filter(\.1).map(\.0)).union(objectKeys)
    }
}

extension UserActivity {
    /// Stands for the activity's content, as a UUID.
    package var launchIdentifier: String? {
        guard let bytes = try? ValueCodec.encode(self) else {
            return nil
        }
        let parts = [ContentHash.hash(bytes), ContentHash.hash(bytes, seed: 1)]
        return parts.withUnsafeBytes { UUID(uuid: $0.load(as: uuid_t.self)).uuidString }
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
        guard case .activity = self, let key else {
            return false
        }
        return key.hasPrefix(Self.handoffName)
    }

    /// Names a payload that may arrive twice; nil when each arrival counts.
    package var deduplicationKey: String? {
        if case .notification(let response) = self { response.deduplicationKey } else { nil }
    }
}

/// The stored form of payloads: a map with one key, which says what it is, and for an activity the
/// key of the app that handed it over.
extension ValueEncoder {
    /// Appends a payload; false when something in it is not allowed.
    package mutating func append(_ payload: Payload) -> Bool {
        guard takeNode() else {
            return false
        }
        var source: String?
        if case .activity(_, let application) = payload {
            source = application
        }
        appendMapHead(source == nil ? 1 : 2)
        return switch payload {
        case .urls(let contexts): field("urls") { $0.append(contexts) }
        case .activity(let activity, _):
            field("source", source != nil) { $0.appendName(source ?? "") }
                && field("activity") { $0.append(activity) }
        case .shortcut(let item): field("shortcut") { $0.append(item) }
        case .notification(let response): field("notification") { $0.append(response) }
        }
    }

    private mutating func append(_ contexts: [OpenURLContext]) -> Bool {
        guard takeNode() else {
            return false
        }
        appendArrayHead(contexts.count)
        for (index, context) in contexts.enumerated() {
            guard append(context) else {
                return note(.index(index))
            }
        }
        return true
    }

    private mutating func append(_ context: OpenURLContext) -> Bool {
        guard takeNode() else {
            return false
        }
        let hasSource = context.sourceApplication != nil
        appendMapHead(1 + (hasSource ? 1 : 0) + (context.openInPlace ? 1 : 0))
        return field("url") { $0.append(.string(context.url)) }
            && field("source", hasSource) { $0.appendName(context.sourceApplication ?? "") }
            && field("inPlace", context.openInPlace) { $0.append(.boolean(true)) }
    }

    private mutating func append(_ item: ShortcutItem) -> Bool {
        guard takeNode() else {
            return false
        }
        let hasInfo = !item.userInfo.isEmpty
        let hasTarget = item.targetContentIdentifier != nil
        let hasTitle = !item.localizedTitle.isEmpty
        let hasSubtitle = item.localizedSubtitle != nil
        appendMapHead(1 + [hasInfo, hasTarget, hasTitle, hasSubtitle].count { $0 })
        return field("info", hasInfo) { $0.append(item.userInfo) }
            && field("type") { $0.appendName(item.type) }
            && field("title", hasTitle) { $0.append(.string(item.localizedTitle)) }
            && field("target", hasTarget) { $0.appendName(item.targetContentIdentifier ?? "") }
            && field("subtitle", hasSubtitle) { $0.append(.string(item.localizedSubtitle ?? "")) }
    }

    private mutating func append(_ response: NotificationResponse) -> Bool {
        guard takeNode() else {
            return false
        }
        let hasInfo = !response.userInfo.isEmpty
        let hasTarget = response.targetContentIdentifier != nil
        let hasAction = !response.actionIdentifier.hasSameBytes(
            as: NotificationResponse.defaultActionIdentifier)
        let hasDate = response.date != nil
        appendMapHead(
            1 + (hasDate ? 1 : 0) + (hasInfo ? 1 : 0) + (hasAction ? 1 : 0) + (hasTarget ? 1 : 0))
        return field("id") { $0.appendName(response.identifier) }
            && field("date", hasDate) { $0.append(response.date.map { .date($0) } ?? .null) }
            && field("info", hasInfo) { $0.append(response.userInfo) }
            && field("action", hasAction) { $0.appendName(response.actionIdentifier) }
            && field("target", hasTarget) { $0.appendName(response.targetContentIdentifier ?? "") }
    }

    /// Appends a field, if there is one.
    private mutating func field(
        _ key: StaticString, _ isPresent: Bool = true, _ append: (inout Self) -> Bool
    ) -> Bool {
        guard isPresent else {
            return true
        }
        appendKey(key)
        return append(&self) || note(.key(Self.property(of: "\(key)")))
    }

    /// Who encodes knows a field by its property's name.
    private static func property(of key: String) -> String {
        switch key {
        case "action": "actionIdentifier"
        case "id": "identifier"
        case "info": "userInfo"
        case "inPlace": "openInPlace"
        case "notification": "notificationResponse"
        case "shortcut": "shortcutItem"
        case "source": "sourceApplication"
        case "subtitle": "localizedSubtitle"
        case "target": "targetContentIdentifier"
        case "title": "localizedTitle"
        case "urls": "urlContexts"
        default: key
        }
    }
}

extension Payload {
    /// Makes a payload of its stored fields.
    package init(storedFields: ValueDictionary, path: String = "") throws(SceneStoreError) {
        var content = storedFields
        if storedFields["activity"] != nil {
            content["source"] = nil
        }
        guard content.count == 1, let pair = content.first else {
            throw StoredFields.malformed(path)
        }
        let place = KeyPathText.text(path, .key(pair.key))
        switch pair.key {
        case "urls":
            self = .urls(
                try StoredFields(storedFields, path: path).elements("urls", OpenURLContext.init))
        case "activity":
            self = .activity(
                try UserActivity(storedValue: pair.value, path: place),
                sourceApplication: try StoredFields(storedFields, path: path)
                    .optional("source", \.stringValue))
        case "shortcut": self = .shortcut(try ShortcutItem(storedValue: pair.value, path: place))
        case "notification":
            self = .notification(try NotificationResponse(storedValue: pair.value, path: place))
        default: throw StoredFields.malformed(place)
        }
    }
}

extension UserActivity {
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        try self.init(storedFields: StoredFields(storedValue, path: path).fields, path: path)
    }
}

extension OpenURLContext {
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: path)
        self.init(
            url: try fields.required("url", \.stringValue),
            sourceApplication: try fields.optional("source", \.stringValue),
            openInPlace: try fields.optional("inPlace", \.boolValue) ?? false)
    }
}

extension ShortcutItem {
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: path)
        self.init(
            type: try fields.required("type", \.stringValue),
            targetContentIdentifier: try fields.optional("target", \.stringValue),
            userInfo: try fields.optional("info", \.dictionaryValue) ?? [:],
            localizedTitle: try fields.optional("title", \.stringValue) ?? "",
            localizedSubtitle: try fields.optional("subtitle", \.stringValue))
    }
}

extension NotificationResponse {
    fileprivate init(storedValue: Value, path: String) throws(SceneStoreError) {
        let fields = try StoredFields(storedValue, path: path)
        self.init(
            identifier: try fields.required("id", \.stringValue),
            actionIdentifier: try fields.optional("action", \.stringValue)
                ?? NotificationResponse.defaultActionIdentifier,
            targetContentIdentifier: try fields.optional("target", \.stringValue),
            userInfo: try fields.optional("info", \.dictionaryValue) ?? [:],
            date: try fields.optional("date", \.dateValue))
    }
}

extension ValueCodec {
    /// The bytes of a payload.
    package static func encode(
        _ payload: Payload, limits: Limits = .standard
    ) throws(SceneStoreError) -> [UInt8] {
        try encoded(limits, "") { $0.append(payload) }
    }

    /// The payload that bytes stand for.
    package static func decodePayload(
        _ bytes: UnsafeRawBufferPointer, limits: Limits = .standard
    ) throws(SceneStoreError) -> Payload {
        // The payload's map and the activity's are above the userInfo, or an array between them.
        try Payload(storedFields: fields(bytes, limits, extraLevels: 3))
    }

    /// The payload that bytes stand for.
    package static func decodePayload(
        _ bytes: [UInt8], limits: Limits = .standard
    ) throws(SceneStoreError) -> Payload {
        try bytes.withUnsafeBufferPointer { bytes throws(SceneStoreError) in
            try decodePayload(UnsafeRawBufferPointer(bytes), limits: limits)
        }
    }
}
