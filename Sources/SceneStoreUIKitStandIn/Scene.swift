// Documented by Apple, where the addresses lead.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

/// https://developer.apple.com/documentation/uikit/uiresponder
@MainActor
open class UIResponder: NSObject {
    open var userActivity: NSUserActivity?

    public override init() {}
}

/// https://developer.apple.com/documentation/uikit/uiscene
@MainActor
open class UIScene: UIResponder {
    public let session: UISceneSession
    open weak var delegate: (any UISceneDelegate)?
    open var title: String! = ""
    open var activationConditions = UISceneActivationConditions()
    public package(set) var activationState: ActivationState = .unattached

    public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
    }

    /// https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive = 0
        case foregroundInactive = 1
        case background = 2
    }

    /// https://developer.apple.com/documentation/uikit/uiscene/connectionoptions
    @MainActor
    open class ConnectionOptions: NSObject {
        open var urlContexts: Set<UIOpenURLContext> = []
        open var sourceApplication: String?
        open var handoffUserActivityType: String?
        open var userActivities: Set<NSUserActivity> = []
        open var notificationResponse: UNNotificationResponse?
        open var shortcutItem: UIApplicationShortcutItem?
        open var cloudKitShareMetadata: CKShare.Metadata?

        public override init() {}
    }

    /// https://developer.apple.com/documentation/uikit/uiscene/openurloptions
    @MainActor
    open class OpenURLOptions: NSObject {
        open var sourceApplication: String?
        open var annotation: Any?
        open var openInPlace = false

        public override init() {}
    }
}

/// https://developer.apple.com/documentation/uikit/uiwindowscene
@MainActor
open class UIWindowScene: UIScene {
    /// UIKit makes it; tests give it here.
    open var coordinateSpace: any UICoordinateSpace = Bounds()

    private final class Bounds: NSObject, UICoordinateSpace {
        let bounds = CGRect.zero
    }
}

/// https://developer.apple.com/documentation/uikit/uicoordinatespace
@MainActor
public protocol UICoordinateSpace: NSObjectProtocol {
    var bounds: CGRect { get }
}

/// https://developer.apple.com/documentation/uikit/uisceneactivationconditions
@MainActor
open class UISceneActivationConditions: NSObject {
    open var canActivateForTargetContentIdentifierPredicate = NSPredicate(value: true)
    open var prefersToActivateForTargetContentIdentifierPredicate = NSPredicate(value: false)

    public override init() {}
}

/// A predicate with a format, which Foundation doesn't make on Linux. Nobody evaluates it.
public final class FormattedPredicate: NSPredicate {
    fileprivate let text: String

    public init(format: String) {
        text = format
        super.init(value: true)
    }

    public required init?(coder: NSCoder) { nil }
}

extension NSPredicate {
    /// What `predicateFormat` is on other systems; it is deprecated on Linux.
    public var format: String {
        (self as? FormattedPredicate)?.text
            ?? (evaluate(with: nil) ? "TRUEPREDICATE" : "FALSEPREDICATE")
    }
}

/// https://developer.apple.com/documentation/uikit/uiscenesession
@MainActor
open class UISceneSession: NSObject {
    public let role: Role
    open var configuration: UISceneConfiguration
    open weak var scene: UIScene?
    open var userInfo: [String: Any]?
    public let persistentIdentifier: String
    open var stateRestorationActivity: NSUserActivity?

    /// UIKit makes sessions by itself; tests make them here.
    public init(persistentIdentifier: String, configuration: UISceneConfiguration) {
        self.persistentIdentifier = persistentIdentifier
        self.configuration = configuration
        role = configuration.role
    }

    /// https://developer.apple.com/documentation/uikit/uiscenesession/role-swift.struct
    public struct Role: Hashable, RawRepresentable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }
}

/// https://developer.apple.com/documentation/uikit/uistoryboard
@MainActor
open class UIStoryboard: NSObject {}

/// https://developer.apple.com/documentation/uikit/uisceneconfiguration
@MainActor
open class UISceneConfiguration: NSObject {
    public let name: String?
    public let role: UISceneSession.Role
    open var sceneClass: AnyClass?
    open var delegateClass: AnyClass?
    open var storyboard: UIStoryboard?

    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
    }
}

/// https://developer.apple.com/documentation/uikit/uiscenedelegate
@MainActor
public protocol UISceneDelegate: NSObjectProtocol {
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:willconnectto:options:)
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scenediddisconnect(_:)
    func sceneDidDisconnect(_ scene: UIScene)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scenedidbecomeactive(_:)
    func sceneDidBecomeActive(_ scene: UIScene)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scenewillresignactive(_:)
    func sceneWillResignActive(_ scene: UIScene)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scenewillenterforeground(_:)
    func sceneWillEnterForeground(_ scene: UIScene)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scenedidenterbackground(_:)
    func sceneDidEnterBackground(_ scene: UIScene)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/staterestorationactivity(for:)
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:openurlcontexts:)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:willcontinueuseractivitywithtype:)
    func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:continue:)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    /// https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:didfailtocontinueuseractivitywithtype:error:)
    func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error)
}

// UIKit's requirements are optional; here they have defaults.
extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
    }
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
    public func scene(
        _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String,
        error: any Error
    ) {}
}

/// https://developer.apple.com/documentation/uikit/uiwindowscenedelegate
@MainActor
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// https://developer.apple.com/documentation/uikit/uiwindowscenedelegate/windowscene(_:performactionfor:completionhandler:)
    func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void)
}

extension UIWindowSceneDelegate {
    public func windowScene(
        _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
        completionHandler: @escaping (Bool) -> Void
    ) {
        completionHandler(false)
    }
}
