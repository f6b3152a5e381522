#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The payloads that launched a pre-scene app.
///
/// Empty in an app with scenes, whose payloads are in a scene's ``ConnectionOptions``.
///
/// ```swift
/// let options = LaunchOptions(ConnectionOptions(payloads: payloads))
/// let isLink = options.url != nil  // true
/// ```
public struct LaunchOptions: Hashable, Sendable {
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
    /// The names in Swift of UIKit's options whose objects can't be stored as values.
    package var objectNames: Set<String> = []

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
