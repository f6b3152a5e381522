import Foundation

#if canImport(UIKit) && !os(watchOS)
    import CloudKit
    import UIKit
    import UserNotifications
#else
    import SceneStoreUIKitStandIn
#endif

// UIKit's requirements are optional; the stand-in's have defaults. Here both are called alike.
extension UIApplicationDelegate {
    func willFinishLaunching(_ app: UIApplication, _ options: [UIApplication.LaunchOptionsKey: Any])
        -> Bool
    {
        #if canImport(UIKit) && !os(watchOS)
            application?(app, willFinishLaunchingWithOptions: options) ?? true
        #else
            application(app, willFinishLaunchingWithOptions: options)
        #endif
    }

    func didFinishLaunching(_ app: UIApplication, _ options: [UIApplication.LaunchOptionsKey: Any])
        -> Bool
    {
        #if canImport(UIKit) && !os(watchOS)
            application?(app, didFinishLaunchingWithOptions: options) ?? true
        #else
            application(app, didFinishLaunchingWithOptions: options)
        #endif
    }

    func willEnterForeground(_ app: UIApplication) {
        #if canImport(UIKit) && !os(watchOS)
            applicationWillEnterForeground?(app)
        #else
            applicationWillEnterForeground(app)
        #endif
    }

    func didBecomeActive(_ app: UIApplication) {
        #if canImport(UIKit) && !os(watchOS)
            applicationDidBecomeActive?(app)
        #else
            applicationDidBecomeActive(app)
        #endif
    }

    func willResignActive(_ app: UIApplication) {
        #if canImport(UIKit) && !os(watchOS)
            applicationWillResignActive?(app)
        #else
            applicationWillResignActive(app)
        #endif
    }

    func didEnterBackground(_ app: UIApplication) {
        #if canImport(UIKit) && !os(watchOS)
            applicationDidEnterBackground?(app)
        #else
            applicationDidEnterBackground(app)
        #endif
    }

    func open(_ app: UIApplication, _ url: URL, _ options: [UIApplication.OpenURLOptionsKey: Any])
        -> Bool
    {
        #if canImport(UIKit) && !os(watchOS)
            application?(app, open: url, options: options) ?? false
        #else
            application(app, open: url, options: options)
        #endif
    }

    func willContinue(_ app: UIApplication, _ type: String) -> Bool {
        #if canImport(UIKit) && !os(watchOS)
            application?(app, willContinueUserActivityWithType: type) ?? false
        #else
            application(app, willContinueUserActivityWithType: type)
        #endif
    }

    func continueActivity(
        _ app: UIApplication, _ activity: NSUserActivity,
        _ handler: @escaping ([any UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        #if canImport(UIKit) && !os(watchOS)
            application?(app, continue: activity, restorationHandler: handler) ?? false
        #else
            application(app, continue: activity, restorationHandler: handler)
        #endif
    }

    func failContinue(_ app: UIApplication, _ type: String, _ error: any Error) {
        #if canImport(UIKit) && !os(watchOS)
            application?(app, didFailToContinueUserActivityWithType: type, error: error)
        #else
            application(app, didFailToContinueUserActivityWithType: type, error: error)
        #endif
    }

    func didUpdate(_ app: UIApplication, _ activity: NSUserActivity) {
        #if canImport(UIKit) && !os(watchOS)
            application?(app, didUpdate: activity)
        #else
            application(app, didUpdate: activity)
        #endif
    }

    func acceptShare(_ app: UIApplication, _ share: CKShare.Metadata) {
        #if canImport(UIKit) && !os(watchOS)
            application?(app, userDidAcceptCloudKitShareWith: share)
        #else
            application(app, userDidAcceptCloudKitShareWith: share)
        #endif
    }

    /// Without the method, the action was not performed.
    func performAction(
        _ app: UIApplication, _ item: UIApplicationShortcutItem,
        _ completionHandler: @escaping (Bool) -> Void
    ) {
        #if canImport(UIKit) && !os(watchOS)
            if application?(app, performActionFor: item, completionHandler: completionHandler)
                == nil
            {
                completionHandler(false)
            }
        #else
            application(app, performActionFor: item, completionHandler: completionHandler)
        #endif
    }
}

extension UNUserNotificationCenterDelegate {
    /// Without the method, there is nothing to wait for.
    func didReceive(
        _ center: UNUserNotificationCenter, _ response: UNNotificationResponse,
        _ completionHandler: @escaping () -> Void
    ) {
        #if canImport(UIKit) && !os(watchOS)
            if userNotificationCenter?(
                center, didReceive: response, withCompletionHandler: completionHandler) == nil
            {
                completionHandler()
            }
        #else
            userNotificationCenter(
                center, didReceive: response, withCompletionHandler: completionHandler)
        #endif
    }
}
