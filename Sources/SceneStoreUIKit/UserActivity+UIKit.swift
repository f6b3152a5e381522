import Foundation
import SceneStore

#if canImport(UIKit) && !os(watchOS)
    import UIKit
#else
    import SceneStoreUIKitStandIn
#endif

extension UserActivity {
    /// The value of an `NSUserActivity`: everything that it holds and that outlives the process.
    ///
    /// Throws as ``Value/init(foundation:path:)`` does,
    /// ``SceneStoreError/Code/invalidActivityType`` for an empty type, and
    /// ``SceneStoreError/Code/invalidWebpageURL`` for a web page that is neither http nor https.
    public init(_ activity: NSUserActivity) throws(SceneStoreError) {
        try self.init(activityType: activity.activityType)
        title = activity.title
        userInfo = try ValueDictionary(foundation: activity.userInfo ?? [:])
        if let version = userInfo[Self.versionKey]?.integerValue.flatMap(Int.init(exactly:)) {
            stateVersion = version
            userInfo[Self.versionKey] = nil
        }
        requiredUserInfoKeys = (activity.requiredUserInfoKeys ?? []).subtracting([Self.versionKey])
        try setWebpageURL(activity.webpageURL)
        referrerURL = activity.referrerURL
        targetContentIdentifier = activity.targetContentIdentifier
        persistentIdentifier = activity.persistentIdentifier
        expirationDate = activity.expirationDate
        keywords = activity.keywords
        eligibility = activity.eligibility
        needsSave = activity.needsSave
    }

    /// Where ``stateVersion`` is in an `NSUserActivity`, which has no place for it, unless it is 1.
    private static let versionKey = "SceneStoreStateVersion"

    /// Returns an equal `NSUserActivity`.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` for a value that a newer version wrote, for
    /// a NaN with a payload, which `NSNumber` drops, and for a set or dictionary in which
    /// Foundation would merge members: it treats `true`, `1` and `1.0` as equal, and strings that
    /// are canonically equivalent.
    public func makeUserActivity() throws(SceneStoreError) -> NSUserActivity {
        let activity = NSUserActivity(activityType: activityType)
        activity.title = title
        var (info, required) = (userInfo, requiredUserInfoKeys)
        if stateVersion != 1 {
            info[Self.versionKey] = .integer(Int64(stateVersion))
            if !required.isEmpty {
                required.insert(Self.versionKey)
            }
        }
        activity.userInfo = info.isEmpty ? nil : try info.foundationDictionary()
        activity.requiredUserInfoKeys = required.isEmpty ? nil : required
        activity.webpageURL = webpageURL
        activity.referrerURL = referrerURL
        activity.targetContentIdentifier = targetContentIdentifier
        activity.persistentIdentifier = persistentIdentifier
        activity.expirationDate = expirationDate
        activity.keywords = keywords
        activity.isEligibleForHandoff = eligibility.contains(.handoff)
        activity.isEligibleForSearch = eligibility.contains(.search)
        activity.isEligibleForPublicIndexing = eligibility.contains(.publicIndexing)
        activity.isEligibleForPrediction = eligibility.contains(.prediction)
        activity.needsSave = needsSave
        return activity
    }
}

extension NSUserActivity {
    fileprivate var eligibility: UserActivity.Eligibility {
        var result: UserActivity.Eligibility = []
        if isEligibleForHandoff {
            result.insert(.handoff)
        }
        if isEligibleForSearch {
            result.insert(.search)
        }
        if isEligibleForPublicIndexing {
            result.insert(.publicIndexing)
        }
        if isEligibleForPrediction {
            result.insert(.prediction)
        }
        return result
    }
}
