/// A method that UIKit calls, under all its names.
struct Callback: Sendable {
    /// Names of Swift and of Objective-C.
    let names: [String]
    /// Names that count for an asynchronous method alone.
    var asyncNames: [String] = []

    /// The first name, for people.
    var title: String { names[0] }

    /// Whether it is told of the app's changes between foreground and background.
    var isLifeCycle: Bool { title.hasPrefix("application") && !title.hasPrefix("application(") }

    init(_ names: String..., async asyncNames: [String] = []) {
        self.names = names
        self.asyncNames = asyncNames
    }
}

extension Callback {
    // MARK: The application delegate

    static let willFinishLaunching = Callback(
        "application(_:willFinishLaunchingWithOptions:)",
        "application:willFinishLaunchingWithOptions:")
    static let didFinishLaunching = Callback(
        "application(_:didFinishLaunchingWithOptions:)",
        "application:didFinishLaunchingWithOptions:", "applicationDidFinishLaunching:",
        "applicationDidFinishLaunching(_:)")
    static let provider = Callback(
        "application(_:configurationForConnecting:options:)",
        "application:configurationForConnectingSceneSession:options:")
    static let didDiscard = Callback(
        "application(_:didDiscardSceneSessions:)", "application:didDiscardSceneSessions:")
    static let appOpen = Callback(
        "application(_:open:options:)", "application:openURL:options:",
        "application(_:open:sourceApplication:annotation:)",
        "application:openURL:sourceApplication:annotation:",
        "application(_:handleOpen:)", "application:handleOpenURL:")
    static let appContinue = Callback(
        "application(_:continue:restorationHandler:)",
        "application:continueUserActivity:restorationHandler:")
    static let appShortcut = Callback(
        "application(_:performActionFor:completionHandler:)",
        "application:performActionForShortcutItem:completionHandler:",
        async: ["application(_:performActionFor:)"])
    static let remoteNotification = Callback(
        "application(_:didReceiveRemoteNotification:fetchCompletionHandler:)",
        "application:didReceiveRemoteNotification:fetchCompletionHandler:",
        async: ["application(_:didReceiveRemoteNotification:)"])
    static let oldRemoteNotification = Callback(
        "application(_:didReceiveRemoteNotification:)", "application:didReceiveRemoteNotification:")
    static let response = Callback(
        "userNotificationCenter(_:didReceive:withCompletionHandler:)",
        "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:",
        async: ["userNotificationCenter(_:didReceive:)"])

    // MARK: The scene delegate

    static let willConnect = Callback(
        "scene(_:willConnectTo:options:)", "scene:willConnectToSession:options:")
    static let sceneOpen = Callback("scene(_:openURLContexts:)", "scene:openURLContexts:")
    static let sceneContinue = Callback("scene(_:continue:)", "scene:continueUserActivity:")
    static let sceneShortcut = Callback(
        "windowScene(_:performActionFor:completionHandler:)",
        "windowScene:performActionForShortcutItem:completionHandler:",
        async: ["windowScene(_:performActionFor:)"])
    static let save = Callback(
        "stateRestorationActivity(for:)", "stateRestorationActivityForScene:")
    static let restore = Callback(
        "scene(_:restoreInteractionStateWith:)", "scene:restoreInteractionStateWithUserActivity:")

    // MARK: State restoration of before scenes

    static let shouldSave = Callback(
        "application(_:shouldSaveSecureApplicationState:)",
        "application:shouldSaveSecureApplicationState:",
        "application(_:shouldSaveApplicationState:)", "application:shouldSaveApplicationState:")
    static let encodeState = Callback(
        "encodeRestorableState(with:)", "encodeRestorableStateWithCoder:")
}
