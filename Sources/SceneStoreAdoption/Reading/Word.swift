/// The words that mean something here. A word's raw value is its number in the ``SymbolTable``.
///
/// An underscore at the end only keeps a name apart from one of Swift's keywords.
enum Word: Int32, CaseIterable {
    // Those down to `lastTrigger` make a file worth a closer look.
    case UIApplicationDelegate, UIApplicationMain, UIWindowSceneDelegate, UISceneDelegate
    case UIScene, UIWindowScene, UISceneSession, UISceneConfiguration, UISceneConnectionOptions
    case ConnectionOptions, connectionOptions, launchOptions, LaunchOptionsKey
    case UIWindow, keyWindow, NSUserActivity, UNUserNotificationCenterDelegate
    case UNUserNotificationCenter, UNNotificationResponse, UIApplicationShortcutItem
    case UIOpenURLContext, sharedApplication, UIApplication
    case encodeRestorableState, encodeRestorableStateWithCoder
    case decodeRestorableState, decodeRestorableStateWithCoder
    case stateRestorationActivity, persistentIdentifier, onOpenURL, UIApplicationDelegateAdaptor
    case applicationDidBecomeActive, applicationDidEnterBackground, applicationWillEnterForeground
    case applicationWillResignActive, CSSearchableItemActionType, NSUserActivityTypeBrowsingWeb
    case webpageURL, AppDelegate, SceneDelegate, becomeCurrent
    case isEligibleForSearch, isEligibleForPrediction, eligibleForSearch, eligibleForPrediction
    case suggestedInvocationPhrase, interaction, onContinueUserActivity, handleOpenURL
    case lastTrigger

    case class_, struct_, enum_, actor_, extension_, protocol_, func_, init_, deinit_, subscript_
    case var_, let_, typealias_, case_, static_, override_, if_, guard_, else_, for_, in_, while_
    case default_
    case switch_, return_, where_, async_, throws_, rethrows_, super_, self_, import_, some_, any_
    case operator_, precedencegroup_, nil_, do_, catch_, is_, as_, try_, await_, repeat_, defer_
    case available, unavailable, iOS, main, objc, interface, implementation, end, selector
    case property, optional, required, encode, const_, id_

    case App, UIResponder, NSObject, NSObjectProtocol, Sendable, ObservableObject
    case urlContexts, URLContexts, userActivities, shortcutItem, shortcutItems, notificationResponse
    case handoffUserActivityType, sourceApplication, cloudKitShareMetadata
    case isEmpty, count, first, post, postNotificationName, postNotification
    case delegate, window, windows, windowScene, setWindowScene, initWithWindowScene, shared, alloc,
        new, initWithFrame
    case frame, NSStringFromClass, delegateClass, requestSceneSessionActivation
    case activityType, initWithActivityType, objectForKey, objectForKeyedSubscript, contains
    case keys, willConnectTo, scenes, connectedScenes, forEach
    case setDelegate, rootViewController, makeKeyAndVisible
    case dispatch_async, asyncAfter, DispatchQueue, perform, Task

    var id: Int32 { rawValue }

    /// The text as it stands in sources.
    var text: String {
        let name = String(describing: self)
        return name.hasSuffix("_") ? String(name.dropLast()) : name
    }
}
