import SceneStoreValues

/// One rule of an association file, with the defaults applied.
///
/// ```swift
/// for component in file.details.flatMap(\.components) where !component.isExcluded {
///     if case .items(let items) = component.query {
///         names += items.map(\.name)
///     }
/// }
/// ```
public struct AssociationComponent: Hashable, Sendable {
    /// The condition of a rule on the query.
    public enum Query: Hashable, Sendable {
        /// The complete query matches a pattern.
        case whole(String)
        /// Each named item matches its pattern; other items don't count.
        case items([Item])
    }

    /// One entry of a query dictionary.
    public struct Item: Hashable, Sendable {
        /// The item's name.
        public var name: String
        /// The pattern that all its values must match.
        public var pattern: String

        /// Makes an entry.
        package init(name: String, pattern: String) {
            self.name = name
            self.pattern = pattern
        }
    }

    /// The rule's key path, such as `applinks.details[0].components[2]`.
    public var keyPath: String
    /// The pattern for the path; `nil` matches every path.
    public var path: String?
    /// The condition on the query; `nil` matches every query.
    public var query: Query?
    /// The pattern for the fragment; `nil` matches every fragment.
    public var fragment: String?
    /// Whether a match keeps the link in the browser.
    public var isExcluded = false
    /// Whether letters are compared with case.
    public var isCaseSensitive = true
    /// Whether the link is compared as written; otherwise it is decoded first.
    public var isPercentEncoded = true
    /// The note of the file's author.
    public var comment: String?
    /// Whether the rule is an entry of the older `paths`, where `$(` means nothing.
    public var isLegacy = false
}

/// The apps of one entry of `details` with their rules.
///
/// ```swift
/// let rules = file.details.flatMap(\.components)
/// let apps = file.details.flatMap(\.appIDs)  // ["ABCDE12345.com.example.app"]
/// ```
public struct AssociationDetail: Hashable, Sendable {
    /// The entry's key path, such as `applinks.details[0]`.
    public var keyPath: String
    /// The apps: application identifiers, or Android's package names.
    public var appIDs: [String]
    /// The rules in their order; the first that matches decides.
    public var components: [AssociationComponent]
}

/// The decision of an association file about a link.
///
/// ```swift
/// let help = file.match("https://example.com/help/1")
/// let staysInTheBrowser = help.decision == .exclude  // true
/// ```
public enum AssociationDecision: String, Hashable, Sendable {
    /// The link opens the app.
    case match
    /// No rule matches.
    case noMatch = "no_match"
    /// A rule keeps the link in the browser.
    case exclude
}

/// The decision of an association file about a link, with the rule that decided.
///
/// ```swift
/// let match = file.match("https://example.com/videos/42?t=1")
/// if let detail = match.detail, let component = match.component {
///     rule = file.details[detail].components[component].keyPath
/// }
/// ```
public struct AssociationMatch: Hashable, Sendable {
    /// The decision.
    public var decision: AssociationDecision
    /// The entry of ``AssociationFile/details`` that decided.
    public var detail: Int?
    /// The rule in that entry that decided.
    public var component: Int?

    /// No rule decided.
    package static let none = AssociationMatch(decision: .noMatch)
}
