/// A callback by the short name that the lifecycle contract and scenarios use.
///
/// ```swift
/// let connect = CallShortName.connect
/// let name = connect.swiftName(in: .scene)  // "scene(_:willConnectTo:options:)"
/// ```
public enum CallShortName: String, Hashable, Sendable, CaseIterable {
    /// The process is about to finish launching.
    case will
    /// The process has launched.
    case did
    /// Sessions are gone for good.
    case discard
    /// The provider is asked for a configuration.
    case config
    /// A scene connects.
    case connect
    /// A scene restores its state.
    case restore
    /// A scene enters the foreground.
    case fg
    /// A scene becomes active.
    case active
    /// A scene resigns being active.
    case inactive
    /// A scene has entered the background.
    case bg
    /// A scene is asked for its state.
    case save
    /// A scene's activity is updated before it is written.
    case update
    /// A scene is gone.
    case disconnect
    /// A scene is to open links.
    case url
    /// An activity is on its way.
    case willContinue
    /// An activity is to be continued.
    case `continue`
    /// An activity didn't arrive.
    case failContinue
    /// A scene is to perform a quick action.
    case shortcut
    /// A notification was answered.
    case response
    /// An app without scenes is to open a link.
    case open
    /// An app without scenes is to perform a quick action.
    case performActionFor
    /// An app without scenes becomes active.
    case didBecomeActive
    /// An app without scenes enters the foreground.
    case willEnterForeground

    /// Whether the call is the app's and never a session's, in either profile.
    package var isOfApplication: Bool {
        switch self {
        case .will, .did, .open, .performActionFor, .didBecomeActive, .willEnterForeground: true
        default: false
        }
    }

    /// Returns the full Swift name of the delegate's method.
    ///
    /// Three names stand for a scene's method in one profile and for the app's in the other.
    public func swiftName(in profile: Scenario.Profile) -> String {
        switch (self, profile) {
        case (.willContinue, .application):
            "application(_:willContinueUserActivityWithType:)"
        case (.continue, .application):
            "application(_:continue:restorationHandler:)"
        case (.failContinue, .application):
            "application(_:didFailToContinueUserActivityWithType:error:)"
        default: swiftName
        }
    }

    private var swiftName: String {
        switch self {
        case .will: "application(_:willFinishLaunchingWithOptions:)"
        case .did: "application(_:didFinishLaunchingWithOptions:)"
        case .discard: "application(_:didDiscardSceneSessions:)"
        case .config: "application(_:configurationForConnecting:options:)"
        case .connect: "scene(_:willConnectTo:options:)"
        case .restore: "scene(_:restoreInteractionStateWith:)"
        case .fg: "sceneWillEnterForeground(_:)"
        case .active: "sceneDidBecomeActive(_:)"
        case .inactive: "sceneWillResignActive(_:)"
        case .bg: "sceneDidEnterBackground(_:)"
        case .save: "stateRestorationActivity(for:)"
        case .update: "scene(_:didUpdate:)"
        case .disconnect: "sceneDidDisconnect(_:)"
        case .url: "scene(_:openURLContexts:)"
        case .willContinue: "scene(_:willContinueUserActivityWithType:)"
        case .continue: "scene(_:continue:)"
        case .failContinue: "scene(_:didFailToContinueUserActivityWithType:error:)"
        case .shortcut: "windowScene(_:performActionFor:completionHandler:)"
        case .response: "userNotificationCenter(_:didReceive:withCompletionHandler:)"
        case .open: "application(_:open:options:)"
        case .performActionFor: "application(_:performActionFor:completionHandler:)"
        case .didBecomeActive: "applicationDidBecomeActive(_:)"
        case .willEnterForeground: "applicationWillEnterForeground(_:)"
        }
    }
}
