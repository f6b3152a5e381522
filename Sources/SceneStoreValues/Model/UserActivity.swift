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
/// activity.isEligibleForSearch = true
/// try application.setStateRestorationActivity(activity, for: session.id)
/// ```
public struct UserActivity: Sendable, Hashable {
    /// The type of the activity, by convention in reverse-DNS form; never empty.
    public let activityType: String
    /// A title for people.
    public var title: String? { didSet { needsSave = true } }
    /// The state. Values round-trip exactly.
    public var userInfo: ValueDictionary = [:] { didSet { needsSave = true } }
    /// The version of the state's form, 1 unless the app sets another. It is stored with the state
    /// and decides which migrations the state needs when it is restored (L-54).
    public var stateVersion: Int = 1 { didSet { needsSave = true } }
    /// The keys that an activity offered for search or hand-off keeps; empty means all.
    public var requiredUserInfoKeys: Set<String> = [] { didSet { needsSave = true } }
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
    public var keywords: Set<String> = [] { didSet { needsSave = true } }
    /// The purposes for which the activity may be offered.
    package var eligibility = Eligibility.handoff { didSet { needsSave = true } }
    /// Whether the state changed since it was saved last; not part of what is stored.
    public var needsSave = false
    /// Stored fields that a newer version wrote: kept and written back as they are.
    package var unknownFields: ValueDictionary = [:]

    /// The purposes for which an activity may be offered.
    package struct Eligibility: OptionSet, Hashable, Sendable {
        /// The flags as bits.
        package let rawValue: UInt8

        /// Makes a set of flags.
        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// To be continued on another device.
        package static let handoff = Eligibility(rawValue: 1)
        /// To be found by on-device search.
        package static let search = Eligibility(rawValue: 2)
        /// To be found by everybody.
        package static let publicIndexing = Eligibility(rawValue: 4)
        /// To be predicted.
        package static let prediction = Eligibility(rawValue: 8)

        fileprivate mutating func set(_ flag: Eligibility, _ isSet: Bool) {
            if isSet { insert(flag) } else { remove(flag) }
        }
    }

    /// Whether the activity may be continued on another device; true unless the app says otherwise.
    public var isEligibleForHandoff: Bool {
        get { eligibility.contains(.handoff) }
        set { eligibility.set(.handoff, newValue) }
    }
    /// Whether on-device search may find the activity.
    public var isEligibleForSearch: Bool {
        get { eligibility.contains(.search) }
        set { eligibility.set(.search, newValue) }
    }
    /// Whether everybody may find the activity.
    public var isEligibleForPublicIndexing: Bool {
        get { eligibility.contains(.publicIndexing) }
        set { eligibility.set(.publicIndexing, newValue) }
    }
    /// Whether the activity may be predicted.
    public var isEligibleForPrediction: Bool {
        get { eligibility.contains(.prediction) }
        set { eligibility.set(.prediction, newValue) }
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
    }

    /// Sets or removes the page.
    ///
    /// Throws ``SceneStoreError/Code/invalidWebpageURL`` unless the scheme is http or https; the
    /// earlier page stays.
    public mutating func setWebpageURL(_ url: URL?) throws(SceneStoreError) {
        let scheme = url?.scheme?.lowercased()
        guard url == nil || scheme == "http" || scheme == "https" else {
            throw SceneStoreError(
                .invalidWebpageURL, "a webpage URL must be http or https", path: "webpageURL")
        }
        webpageURL = url
        needsSave = true
    }

    /// Returns the activity with only the keys in ``requiredUserInfoKeys`` (L-84).
    ///
    /// An activity is offered in this form for search or hand-off. Without required keys it is
    /// unchanged.
    package func prunedToRequiredKeys() -> UserActivity {
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

/// The state of an app as its own type.
extension ValueDictionary {
    /// Encodes a value whose type has keys, such as a struct.
    ///
    /// Throws ``SceneStoreError/Code/unsupportedValue`` for a value that has no keys, and
    /// ``SceneStoreError/Code/encodingFailed`` if the value's own encoding throws.
    package init(encoding state: some Encodable) throws(SceneStoreError) {
        guard case .dictionary(let encoded) = try ValueCoder.encode(state, path: "userInfo")
        else {
            throw SceneStoreError(
                .unsupportedValue, "a state needs keys; wrap the value in a struct",
                path: "userInfo")
        }
        self = encoded
    }
}

/// An activity's stored form: a map whose fields are absent when they have their default (L-04).
///
/// Fields that this version does not know, and fields of a newer version's form, are kept in
/// `unknownFields` and written back. `needsSave` is not stored.
extension UserActivity {
    /// The fields with their keys, in stored order, each named as its property.
    enum Field: String, CaseIterable {
        /// The version of the form; absent means 1.
        case version = "v"
        case persistentIdentifier = "id"
        case userInfo = "info"
        case activityType = "type"
        case title
        case targetContentIdentifier = "target"
        case expirationDate = "expires"
        case webpageURL = "webpage"
        case eligibility = "eligible"
        case keywords
        case referrerURL = "referrer"
        case requiredUserInfoKeys = "required"
        case stateVersion

        /// All fields, made once.
        static let all = allCases
    }

    /// The version of the stored form that this code writes.
    package static let formVersion: Int64 = 1

    // MARK: - Reading

    /// Makes an activity of its stored fields.
    ///
    /// Throws ``SceneStoreError/Code/malformedValue`` with the field's key path when a field is
    /// missing or not of the form that it should have.
    package init(storedFields fields: ValueDictionary, path: String = "") throws(SceneStoreError) {
        // By going through them: a search by halving costs more with so few.
        let pairs = fields.pairs
        guard case .string(let type) = pairs.first(where: { $0.key == "type" })?.value,
            !type.isEmpty
        else {
            throw Self.malformed("type", path)
        }
        self.init(checkedType: type)
        let isNewer = pairs.first { $0.key == "v" }?.value.integerValue ?? 0 > Self.formVersion
        var unknown: [ValueDictionary.Pair] = []
        for pair in pairs {
            guard let field = Field(rawValue: pair.key) else {
                unknown.append(pair)
                continue
            }
            if take(field, pair.value) {
                continue
            }
            // Only a newer version may give a field another form, and only a URL may be one that
            // this system's parser does not take.
            guard isNewer || Self.isForeignURL(field, pair.value) else {
                throw Self.malformed(pair.key, path)
            }
            unknown.append(pair)
        }
        unknownFields = ValueDictionary(sortedPairs: unknown)
        needsSave = false
    }

    /// Takes a field over; false when its value has another form.
    private mutating func take(_ field: Field, _ value: Value) -> Bool {
        switch (field, value) {
        case (.version, .integer(let version)): return version <= Self.formVersion
        case (.activityType, .string): break
        case (.userInfo, .dictionary(let dictionary)): userInfo = dictionary
        case (.title, .string(let text)): title = text
        case (.targetContentIdentifier, .string(let text)): targetContentIdentifier = text
        case (.persistentIdentifier, .string(let text)): persistentIdentifier = text
        case (.expirationDate, .date(let date)): expirationDate = date
        case (.referrerURL, .url(let url)): referrerURL = url
        case (.webpageURL, .url(let url)): return (try? setWebpageURL(url)) != nil
        case (.eligibility, .integer(let bits)):
            return Self.set(&eligibility, UInt8(exactly: bits).map(Eligibility.init(rawValue:)))
        case (.keywords, .array(let words)): return Self.set(&keywords, Self.names(words))
        case (.requiredUserInfoKeys, .array(let words)):
            return Self.set(&requiredUserInfoKeys, Self.names(words))
        case (.stateVersion, .integer(let version)):
            return Self.set(&stateVersion, Int(exactly: version))
        default: return false
        }
        return true
    }

    /// Sets a property; false without a value.
    private static func set<Content>(_ property: inout Content, _ value: Content?) -> Bool {
        property = value ?? property
        return value != nil
    }

    private static func isForeignURL(_ field: Field, _ value: Value) -> Bool {
        if case .opaque = value { field == .webpageURL || field == .referrerURL } else { false }
    }

    private static func names(_ values: [Value]) -> Set<String>? {
        let names = values.compactMap(\.stringValue)
        return names.count == values.count ? Set(names) : nil
    }

    private static func malformed(_ key: String, _ path: String) -> SceneStoreError {
        SceneStoreError(
            .malformedValue, "a field of the stored activity is missing or malformed",
            path: KeyPathText.text(path, .key(key)))
    }

    // MARK: - Writing

    /// Whether a field has to be written.
    fileprivate func isStored(_ field: Field) -> Bool {
        switch field {
        case .version: false
        case .persistentIdentifier: persistentIdentifier != nil
        case .userInfo: !userInfo.isEmpty
        case .activityType: true
        case .title: title != nil
        case .targetContentIdentifier: targetContentIdentifier != nil
        case .expirationDate: expirationDate != nil
        case .webpageURL: webpageURL != nil
        case .eligibility: eligibility != .handoff
        case .keywords: !keywords.isEmpty
        case .referrerURL: referrerURL != nil
        case .requiredUserInfoKeys: !requiredUserInfoKeys.isEmpty
        case .stateVersion: stateVersion != 1
        }
    }
}

extension CBORWriter {
    /// Appends an activity; false when something in it is not allowed.
    package mutating func append(_ activity: UserActivity) -> Bool {
        guard takeNode() else {
            return false
        }
        // What a newer version wrote goes between, unless the app has set the field anew.
        var unknown = activity.unknownFields.pairs.filter { pair in
            Field(rawValue: pair.key).map { !activity.isStored($0) } ?? true
        }[...]
        appendMapHead(unknown.count + Field.all.count { activity.isStored($0) })
        for field in Field.all where activity.isStored(field) {
            while let pair = unknown.first, ValueDictionary.precedes(pair.key, field.rawValue) {
                guard appendPair(unknown.removeFirst()) else {
                    return false
                }
            }
            appendKey(field.rawValue)
            guard appendField(field, of: activity) else {
                // Who encodes knows the property, not its key in the stored form.
                return note(.key("\(field)"))
            }
        }
        return unknown.allSatisfy { appendPair($0) }
    }

    private typealias Field = UserActivity.Field

    private mutating func appendField(_ field: Field, of activity: UserActivity) -> Bool {
        switch field {
        case .version: true
        case .activityType: appendName(activity.activityType)
        case .title: appendName(activity.title ?? "")
        case .targetContentIdentifier: appendName(activity.targetContentIdentifier ?? "")
        case .persistentIdentifier: appendName(activity.persistentIdentifier ?? "")
        case .userInfo: append(activity.userInfo)
        case .expirationDate: append(activity.expirationDate.map { .date($0) } ?? .null)
        case .webpageURL: append(activity.webpageURL.map { .url($0) } ?? .null)
        case .referrerURL: append(activity.referrerURL.map { .url($0) } ?? .null)
        case .eligibility: append(.integer(Int64(activity.eligibility.rawValue)))
        case .keywords: appendNames(activity.keywords)
        case .requiredUserInfoKeys: appendNames(activity.requiredUserInfoKeys)
        case .stateVersion: append(.integer(Int64(activity.stateVersion)))
        }
    }

    /// Appends names as an array, in the order of keys.
    private mutating func appendNames(_ names: Set<String>) -> Bool {
        appendArray(names.sorted(by: ValueDictionary.precedes)) { $0.appendName($1) }
    }
}
