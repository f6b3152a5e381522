/// UIKit's launch options.
struct LaunchKey {
    let swift: String
    let objectiveC: String
    /// What arrives with it; nil for what goes on being there with scenes.
    let payload: PayloadKind?

    static let all: [LaunchKey] = [
        LaunchKey("url", as: "URL", .url),
        LaunchKey("sourceApplication", .url),
        LaunchKey("annotation", .url),
        LaunchKey("userActivityDictionary", .activity),
        LaunchKey("userActivityType", .activity),
        LaunchKey("shortcutItem", .shortcut),
        LaunchKey("remoteNotification", .notification),
        LaunchKey("localNotification", .notification),
        LaunchKey("location", nil),
        LaunchKey("bluetoothCentrals", nil),
        LaunchKey("bluetoothPeripherals", nil),
        LaunchKey("newsstandDownloads", nil),
        LaunchKey("eventAttribution", nil),
    ]

    /// An option whose Objective-C name has the capitalized Swift one within it, or another part.
    private init(_ swift: String, as part: String? = nil, _ payload: PayloadKind?) {
        self.swift = swift
        self.payload = payload
        let part = part ?? swift.prefix(1).uppercased() + swift.dropFirst()
        objectiveC = "UIApplicationLaunchOptions\(part)Key"
    }

    /// The option of a name, in either language.
    static func named(_ name: String) -> LaunchKey? {
        all.first { $0.swift == name || $0.objectiveC == name || $0.objectiveC == name + "Key" }
    }
}
