#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A user's task, in a form that can be saved and continued (L-80).
///
/// The counterpart of
/// [NSUserActivity](https://developer.apple.com/documentation/foundation/nsuseractivity) as a
/// value: copying it copies its state. ``Scene`` saves one for each window, and links, hand-off and
/// search bring others in.
///
/// ```swift
/// var activity = try UserActivity(
///     activityType: "com.example.note", title: "Shopping", userInfo: ["line": 12])
/// activity.eligibility = [.handoff, .search]
/// try application.setStateRestorationActivity(activity, for: session.id)
/// ```
public struct UserActivity: Sendable, Hashable {
    /// The type of the activity, by convention in reverse-DNS form; never empty.
    public let activityType: String
    /// A title for people.
    public var title: String? { didSet { needsSave = true } }
    /// The state. Values round-trip exactly.
    public var userInfo: ValueDictionary { didSet { needsSave = true } }
    /// The version of the state's form, 1 unless the app sets another. It is stored with the state
    /// and decides which migrations the state needs when it is restored (L-54).
    public var stateVersion: Int = 1 { didSet { needsSave = true } }
    /// The keys that an activity offered for search or hand-off keeps; empty means all.
    public var requiredUserInfoKeys: Set<String> { didSet { needsSave = true } }
    /// A page that shows the same thing; always http or https.
    public private(set) var webpageURL: URL?
    /// The page that led here.
    public var referrerURL: URL? { didSet { needsSave = true } }
    /// The identifier of the activity's content, compared with ``ActivationConditions``.
    ///
    /// Setting it does not set ``needsSave``.
    public var targetContentIdentifier: String?
    /// Names the activity so that it can be deleted.
    public var persistentIdentifier: String? { didSet { needsSave = true } }
    /// The time after which the activity isn't offered any more. It still restores.
    public var expirationDate: Date? { didSet { needsSave = true } }
    /// Words for search.
    public var keywords: Set<String> { didSet { needsSave = true } }
    /// The purposes for which the activity may be offered.
    public var eligibility: Eligibility { didSet { needsSave = true } }
    /// Whether the state changed since it was saved last; not part of what is stored.
    public var needsSave: Bool
    /// Stored fields that a newer version wrote: kept and written back as they are.
    package var unknownFields: ValueDictionary = [:]

    /// The purposes for which an activity may be offered.
    public struct Eligibility: OptionSet, Hashable, Sendable {
        /// The flags as bits.
        public let rawValue: UInt8

        /// Makes a set of flags.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// To be continued on another device.
        public static let handoff = Eligibility(rawValue: 1)
        /// To be found by on-device search.
        public static let search = Eligibility(rawValue: 2)
        /// To be found by everybody.
        public static let publicIndexing = Eligibility(rawValue: 4)
        /// To be predicted.
        public static let prediction = Eligibility(rawValue: 8)
    }

    /// The type of an activity that opens a web page in the app: a universal link. Foundation's
    /// `NSUserActivityTypeBrowsingWeb`.
    public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

    /// Makes an activity that may be handed off, as UIKit's default is.
    ///
    /// Throws ``SceneStoreError/Code/invalidActivityType`` when the type is empty.
    public init(
        activityType: String,
        title: String? = nil,
        userInfo: ValueDictionary = [:]
    ) throws(SceneStoreError) {
        guard !activityType.isEmpty else {
            throw SceneStoreError(
                .invalidActivityType, "an activity needs a type; name one such as com.example.edit")
        }
        self.init(checkedType: activityType)
        self.title = title
        self.userInfo = userInfo
        needsSave = false
    }

    /// Makes an activity of a type that is known not to be empty.
    package init(checkedType: String) {
        activityType = checkedType
        userInfo = [:]
        requiredUserInfoKeys = []
        keywords = []
        eligibility = .handoff
        needsSave = false
    }

    /// Sets or removes the page.
    ///
    /// Throws ``SceneStoreError/Code/invalidWebpageURL`` unless the scheme is http or https; the
    /// earlier page stays.
    public mutating func setWebpageURL(_ url: URL?) throws(SceneStoreError) {
        if let url {
            guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
            else {
                throw SceneStoreError(
                    .invalidWebpageURL, "a webpage URL must be http or https", path: "webpageURL")
            }
        }
        webpageURL = url
        needsSave = true
    }

    /// Adds to the state; equal keys are replaced.
    public mutating func addUserInfoEntries(from other: ValueDictionary) {
        for (key, value) in other {
            userInfo[key] = value
        }
    }

    /// Returns the activity with only the keys in ``requiredUserInfoKeys`` (L-84).
    ///
    /// An activity is offered in this form for search or hand-off. Without required keys it is
    /// unchanged.
    public func prunedToRequiredKeys() -> UserActivity {
        guard !requiredUserInfoKeys.isEmpty else {
            return self
        }
        var pruned = self
        pruned.userInfo = userInfo.filter { requiredUserInfoKeys.contains($0.key) }
        pruned.needsSave = needsSave
        return pruned
    }

    /// The text that ``ActivationConditions`` are compared with: the target identifier, or else the
    /// page.
    public var activationIdentifier: String? {
        targetContentIdentifier ?? webpageURL?.absoluteString
    }
}

extension SceneStoreError.Code {
    /// An activity's type is empty.
    public static let invalidActivityType = Self("invalidActivityType")
    /// An activity's web page is neither http nor https.
    public static let invalidWebpageURL = Self("invalidWebpageURL")
}
