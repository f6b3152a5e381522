/// UIKit's launch options.
struct LaunchKey {
    let swift: String
    let objectiveC: String
    /// What arrives with it; nil for what goes on being there with scenes.
    let payload: PayloadKind?

    static let all: [LaunchKey] = [
        LaunchKey(swift: "url", objectiveC: "UIApplicationLaunchOptionsURLKey", payload: .url),
        LaunchKey(
            swift: "sourceApplication",
            objectiveC: "UIApplicationLaunchOptionsSourceApplicationKey", payload: .url),
        LaunchKey(
            swift: "annotation", objectiveC: "UIApplicationLaunchOptionsAnnotationKey",
            payload: .url),
        LaunchKey(
            swift: "userActivityDictionary",
            objectiveC: "UIApplicationLaunchOptionsUserActivityDictionaryKey", payload: .activity),
        LaunchKey(
            swift: "userActivityType",
            objectiveC: "UIApplicationLaunchOptionsUserActivityTypeKey", payload: .activity),
        LaunchKey(
            swift: "shortcutItem", objectiveC: "UIApplicationLaunchOptionsShortcutItemKey",
            payload: .shortcut),
        LaunchKey(
            swift: "remoteNotification",
            objectiveC: "UIApplicationLaunchOptionsRemoteNotificationKey", payload: .notification),
        LaunchKey(
            swift: "localNotification",
            objectiveC: "UIApplicationLaunchOptionsLocalNotificationKey", payload: .notification),
        LaunchKey(
            swift: "location", objectiveC: "UIApplicationLaunchOptionsLocationKey", payload: nil),
        LaunchKey(
            swift: "bluetoothCentrals",
            objectiveC: "UIApplicationLaunchOptionsBluetoothCentralsKey", payload: nil),
        LaunchKey(
            swift: "bluetoothPeripherals",
            objectiveC: "UIApplicationLaunchOptionsBluetoothPeripheralsKey", payload: nil),
        LaunchKey(
            swift: "newsstandDownloads",
            objectiveC: "UIApplicationLaunchOptionsNewsstandDownloadsKey", payload: nil),
        LaunchKey(
            swift: "eventAttribution",
            objectiveC: "UIApplicationLaunchOptionsEventAttributionKey", payload: nil),
    ]

    /// The option of a name, in either language.
    static func named(_ name: String) -> LaunchKey? {
        all.first { $0.swift == name || $0.objectiveC == name || $0.objectiveC == name + "Key" }
    }
}
