import Foundation
import SceneStore

#if canImport(UIKit) && !os(watchOS)
    import UIKit
    import UserNotifications
#else
    import SceneStoreUIKitStandIn
#endif

extension OpenURLContext {
    /// The link that UIKit asks the app to open.
    @MainActor
    public init(_ context: UIOpenURLContext) {
        self.init(
            url: context.url.absoluteString, sourceApplication: context.options.sourceApplication,
            openInPlace: context.options.openInPlace)
    }
}

extension ShortcutItem {
    /// The quick action that the user chose. Throws as ``Value/init(foundation:path:)`` does.
    @MainActor
    public init(_ item: UIApplicationShortcutItem) throws(SceneStoreError) {
        self.init(
            type: item.type, targetContentIdentifier: item.targetContentIdentifier as? String,
            userInfo: try ValueDictionary(foundation: item.userInfo ?? [:]),
            localizedTitle: item.localizedTitle, localizedSubtitle: item.localizedSubtitle)
    }

    /// Returns an equal quick action of UIKit's type, without an icon.
    ///
    /// Throws as ``UserActivity/makeUserActivity()`` does.
    @MainActor
    public func makeShortcutItem() throws(SceneStoreError) -> UIApplicationShortcutItem {
        var info: [String: any NSSecureCoding] = [:]
        for (key, object) in try userInfo.foundationDictionary() {
            guard let object = (object as AnyObject) as? any NSSecureCoding else {
                throw Value.unsupported("userInfo.\(key)", "a quick action can't hold the value")
            }
            info[key] = object
        }
        let item = UIMutableApplicationShortcutItem(
            type: type, localizedTitle: localizedTitle, localizedSubtitle: localizedSubtitle,
            icon: nil, userInfo: info.isEmpty ? nil : info)
        item.targetContentIdentifier = targetContentIdentifier
        return item
    }
}

extension NotificationResponse {
    /// Makes a value from the user's response to a notification.
    ///
    /// Throws as ``Value/init(foundation:path:)`` does.
    public init(_ response: UNNotificationResponse) throws(SceneStoreError) {
        let request = response.notification.request
        self.init(
            identifier: request.identifier, actionIdentifier: response.actionIdentifier,
            targetContentIdentifier: request.content.targetContentIdentifier,
            userInfo: try ValueDictionary(foundation: request.content.userInfo),
            date: response.notification.date)
    }
}

extension ConnectionOptions {
    /// Makes a value from the options of a connection.
    ///
    /// UIKit's sets have no order: links are sorted by their text, activities by their type and
    /// target. Throws as ``Value/init(foundation:path:)`` does.
    @MainActor
    public init(_ options: UIScene.ConnectionOptions) throws(SceneStoreError) {
        self.init()
        urlContexts = options.urlContexts.map { OpenURLContext($0) }.sorted { $0.url < $1.url }
        for activity in options.userActivities {
            userActivities.append(try UserActivity(activity))
        }
        userActivities.sort {
            ($0.activityType, $0.targetContentIdentifier ?? "")
                < ($1.activityType, $1.targetContentIdentifier ?? "")
        }
        if let item = options.shortcutItem {
            shortcutItem = try ShortcutItem(item)
        }
        if let response = options.notificationResponse {
            notificationResponse = try NotificationResponse(response)
        }
        handoffUserActivityType = options.handoffUserActivityType
        sourceApplication = options.sourceApplication
    }
}

extension SceneConfiguration {
    /// The configuration that UIKit made a session with; classes by their names.
    @MainActor
    public init(_ configuration: UISceneConfiguration) {
        self.init(
            name: configuration.name,
            role: SceneSessionRole(rawValue: configuration.role.rawValue))
        sceneClassName = configuration.sceneClass.map { String(reflecting: $0) }
        delegateClassName = configuration.delegateClass.map { String(reflecting: $0) }
    }

    /// Returns a configuration of the same name and role, which UIKit completes from the manifest.
    @MainActor
    public func makeSceneConfiguration() -> UISceneConfiguration {
        UISceneConfiguration(name: name, sessionRole: UISceneSession.Role(rawValue: role.rawValue))
    }
}
