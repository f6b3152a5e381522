import Foundation
import SceneStore

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import SceneStoreUIKitStandIn
#endif

extension UIApplication.LaunchOptionsKey {
    /// Where `userActivityDictionary` holds the activity. UIKit has no constant for it.
    static let userActivity = Self(rawValue: "UIApplicationLaunchOptionsUserActivityKey")
    /// Where `userActivityDictionary` holds the activity's identifier. UIKit has no constant for it.
    static let userActivityIdentifier = Self(
        rawValue: "UIApplicationLaunchOptionsUserActivityIdentifierKey")
}

extension LaunchOptions {
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
    }

    /// The keys of options whose objects can't be stored as values.
    ///
    /// They are ``Key/localNotification``, ``Key/cloudKitShareMetadata``, ``Key/eventAttribution``
    /// and keys of newer systems.
    package var objectKeys: Set<Key> {
        get { Set(objectNames.map(Key.init)) }
        set { objectNames = Set(newValue.map(\.rawValue)) }
    }
}

extension LaunchOptions.Key {
    /// The key of UIKit's dictionary: `url` is `UIApplicationLaunchOptionsURLKey`.
    fileprivate var uiKit: UIApplication.LaunchOptionsKey {
        switch self {
        case .url: .url
        default:
            UIApplication.LaunchOptionsKey(
                rawValue: "UIApplicationLaunchOptions\(rawValue.prefix(1).uppercased())"
                    + "\(rawValue.dropFirst())Key")
        }
    }

    /// All that UIKit documents.
    package static let all: [Self] = [
        .url, .sourceApplication, .annotation, .userActivityDictionary, .userActivityType,
        .shortcutItem, .remoteNotification, .localNotification, .location, .bluetoothCentrals,
        .bluetoothPeripherals, .newsstandDownloads, .cloudKitShareMetadata, .eventAttribution,
    ]
}

extension LaunchOptions {
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

extension LaunchOptions {
    /// Makes launch options from the dictionary with which UIKit launched the app.
    ///
    /// Throws as ``Value/init(foundation:path:)`` does. UIKit's dictionary has only the `userInfo`
    /// of a notification: its identifier is empty, and its action is the plain tap.
    @MainActor
    public init(
        _ dictionary: [UIApplication.LaunchOptionsKey: Any]?
    ) throws(SceneStoreError) {
        self.init()
        let options = dictionary ?? [:]
        url = (options[.url] as? URL)?.absoluteString
        sourceApplication = options[.sourceApplication] as? String
        if let annotation = options[.annotation] {
            self.annotation = try Value(foundation: annotation, path: "annotation")
        }
        userActivityType = options[.userActivityType] as? String
        if let activity = options[.userActivityDictionary] as? [AnyHashable: Any] {
            try take(activity)
        }
        if let item = options[.shortcutItem] as? UIApplicationShortcutItem {
            shortcutItem = try ShortcutItem(item)
        }
        if let userInfo = options[.remoteNotification] as? [AnyHashable: Any] {
            remoteNotification = NotificationResponse(
                identifier: "",
                userInfo: try ValueDictionary(foundation: userInfo, path: "remoteNotification"))
        }
        isLocationEvent = options[.location] != nil
        bluetoothCentrals = options[.bluetoothCentrals] as? [String] ?? []
        bluetoothPeripherals = options[.bluetoothPeripherals] as? [String] ?? []
        newsstandDownloads = options[.newsstandDownloads] as? [String] ?? []
        let known = Set(keys.map(\.uiKit))
        for key in options.keys where !known.contains(key) {
            objectKeys.insert(Key.all.first { $0.uiKit == key } ?? Key(rawValue: key.rawValue))
        }
    }

    @MainActor
    private mutating func take(_ dictionary: [AnyHashable: Any]) throws(SceneStoreError) {
        let keys = UIApplication.LaunchOptionsKey.self
        let type = keys.userActivityType.rawValue
        userActivityType = dictionary[type] as? String ?? userActivityType
        userActivityIdentifier = dictionary[keys.userActivityIdentifier.rawValue] as? String
        if let activity = dictionary[keys.userActivity.rawValue] as? NSUserActivity {
            userActivity = try UserActivity(activity)
            userActivityType = userActivityType ?? activity.activityType
        }
    }

    /// Returns the dictionary with which UIKit would have launched the app, without the
    /// objects that can't be stored as values.
    ///
    /// Throws as ``UserActivity/makeUserActivity()`` does.
    @MainActor
    public func makeLaunchOptions() throws(SceneStoreError) -> [UIApplication.LaunchOptionsKey: Any]
    {
        var options: [UIApplication.LaunchOptionsKey: Any] = [:]
        options[.url] = url.flatMap { URL(string: $0) }
        options[.sourceApplication] = sourceApplication
        if let annotation {
            options[.annotation] = try annotation.foundationObject(path: "annotation")
        }
        options[.userActivityType] = userActivityType
        var activity: [AnyHashable: Any] = [:]
        let keys = UIApplication.LaunchOptionsKey.self
        activity[keys.userActivityType.rawValue] = userActivityType
        activity[keys.userActivityIdentifier.rawValue] = userActivityIdentifier
        if let userActivity {
            activity[keys.userActivity.rawValue] = try userActivity.makeUserActivity()
        }
        options[.userActivityDictionary] = activity.isEmpty ? nil : activity
        if let shortcutItem {
            options[.shortcutItem] = try shortcutItem.makeShortcutItem()
        }
        if let remoteNotification {
            options[.remoteNotification] = try remoteNotification.userInfo
                .foundationDictionary(path: "remoteNotification")
        }
        options[.location] = isLocationEvent ? NSNumber(value: true) : nil
        options[.bluetoothCentrals] = bluetoothCentrals.isEmpty ? nil : bluetoothCentrals
        options[.bluetoothPeripherals] = bluetoothPeripherals.isEmpty ? nil : bluetoothPeripherals
        options[.newsstandDownloads] = newsstandDownloads.isEmpty ? nil : newsstandDownloads
        return options
    }
}

extension UIScene.ConnectionOptions {
    /// The launch options that an app without scenes would get, with UIKit's own objects.
    ///
    /// They have the first payload of each kind, for code that reads
    /// `[UIApplication.LaunchOptionsKey: Any]`. UIKit's sets have no order: the first link is the
    /// one whose text comes first, the first activity the one whose type comes first.
    @MainActor
    public var launchOptions: [UIApplication.LaunchOptionsKey: Any] {
        var options: [UIApplication.LaunchOptionsKey: Any] = [:]
        let context = urlContexts.min { $0.url.absoluteString < $1.url.absoluteString }
        options[.url] = context?.url
        options[.sourceApplication] = context?.options.sourceApplication ?? sourceApplication
        options[.annotation] = context?.options.annotation
        let activity = userActivities.min { $0.activityType < $1.activityType }
        if let type = activity?.activityType ?? handoffUserActivityType {
            options[.userActivityType] = type
            var dictionary: [AnyHashable: Any] = [
                UIApplication.LaunchOptionsKey.userActivityType.rawValue: type
            ]
            dictionary[UIApplication.LaunchOptionsKey.userActivity.rawValue] = activity
            if let activity, let content = try? UserActivity(activity) {
                let key = UIApplication.LaunchOptionsKey.userActivityIdentifier.rawValue
                dictionary[key] = content.launchIdentifier
            }
            options[.userActivityDictionary] = dictionary
        }
        options[.shortcutItem] = shortcutItem
        options[.cloudKitShareMetadata] = cloudKitShareMetadata
        options[.remoteNotification] = notificationResponse?.notification.request.content.userInfo
        return options
    }
}
