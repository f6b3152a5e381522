// Documented by Apple, where the addresses lead.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// UIKit's documented signatures, as far as SceneStoreUIKit calls them, for platforms without UIKit.
// The adapter is compiled and tested against them there; nothing else uses them.
import Foundation

/// The name that identifies an activity for deletion.
public typealias NSUserActivityPersistentIdentifier = String

/// https://developer.apple.com/documentation/foundation/nsuseractivity
open class NSUserActivity: NSObject {
    public let activityType: String
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var requiredUserInfoKeys: Set<String>?
    open var needsSave = false
    open var webpageURL: URL?
    open var referrerURL: URL?
    open var expirationDate: Date?
    open var keywords: Set<String> = []
    open var supportsContinuationStreams = false
    open weak var delegate: (any NSUserActivityDelegate)?
    open var targetContentIdentifier: String?
    open var isEligibleForHandoff = true
    open var isEligibleForSearch = false
    open var isEligibleForPublicIndexing = false
    open var isEligibleForPrediction = false
    open var persistentIdentifier: NSUserActivityPersistentIdentifier?

    public init(activityType: String) {
        self.activityType = activityType
    }

    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
        userInfo = (userInfo ?? [:]).merging(otherDictionary) { _, new in new }
    }
}

/// https://developer.apple.com/documentation/foundation/nsuseractivitydelegate
public protocol NSUserActivityDelegate: NSObjectProtocol {
    func userActivityWillSave(_ userActivity: NSUserActivity)
}
