/// The content that a session can show, and the content that it prefers, as data.
///
/// The counterpart of
/// [UISceneActivationConditions](https://developer.apple.com/documentation/uikit/uisceneactivationconditions).
/// The conditions are data that is stored with the session, so they also apply to disconnected
/// sessions after a relaunch. By default a session can show anything and prefers nothing.
///
/// ```swift
/// let conditions = ActivationConditions(
///     canActivate: .hasPrefix("note/"), prefersToActivate: .equals("note/12"))
/// try scene.setActivationConditions(conditions)
/// let takes7 = conditions.canActivate.allows("note/7")  // true
/// ```
public struct ActivationConditions: Hashable, Sendable {
    /// Whether the session can show a target.
    public var canActivate: Rule
    /// Whether the session wants to show a target.
    public var prefersToActivate: Rule

    /// Makes conditions; the defaults are UIKit's.
    public init(canActivate: Rule = .always, prefersToActivate: Rule = .never) {
        self.canActivate = canActivate
        self.prefersToActivate = prefersToActivate
    }

    /// A question about a target identifier.
    public indirect enum Rule: Hashable, Sendable {
        /// Yes, also without an identifier.
        case always
        /// No.
        case never
        /// The identifier is this text.
        case equals(String)
        /// The identifier begins with this text.
        case hasPrefix(String)
        /// The identifier ends with this text.
        case hasSuffix(String)
        /// The identifier holds this text.
        case contains(String)
        /// The identifier matches a pattern: `*` any run, `?` one character.
        case matches(String)
        /// One of the rules says yes.
        case any([Rule])
        /// All of the rules say yes.
        case all([Rule])
        /// The rule says no. Without an identifier only `always` says yes, so this says no too.
        case not(Rule)

        /// Returns whether the rule allows an identifier.
        ///
        /// A missing identifier is allowed only by ``always``, and by rules that `any` and `all`
        /// make from ``always``.
        public func allows(_ identifier: String?) -> Bool {
            switch self {
            case .always: return true
            case .never: return false
            case .any(let rules): return rules.contains { $0.allows(identifier) }
            case .all(let rules):
                return !rules.isEmpty && rules.allSatisfy { $0.allows(identifier) }
            case .not(let rule):
                return identifier != nil && !rule.allows(identifier)
            default: break
            }
            guard let identifier else {
                return false
            }
            switch self {
            case .equals(let text): return identifier.hasSameBytes(as: text)
            case .hasPrefix(let text): return identifier.utf8.starts(with: text.utf8)
            case .hasSuffix(let text):
                return identifier.utf8.reversed().starts(with: text.utf8.reversed())
            case .contains(let text):
                return ByteSearch.contains(text, in: identifier)
            case .matches(let pattern):
                return Glob.matches(pattern: pattern, identifier)
            default: return false
            }
        }
    }
}

/// Wildcards: `*` is any run of characters, also none, `?` exactly one.
enum Glob {
    /// Whether a pattern matches a whole text, by its scalars; at most as many steps as the product
    /// of both lengths, because a mismatch goes back to the last `*` alone.
    static func matches(pattern: String, _ text: String) -> Bool {
        let (pattern, text) = (Array(pattern.unicodeScalars), Array(text.unicodeScalars))
        var (place, next) = (0, 0)
        // Behind the last `*`, and where the text goes on behind what it stands for.
        var retry: (place: Int, next: Int)?
        while next < text.count {
            if place < pattern.count, pattern[place] == "*" {
                place += 1
                retry = (place, next)
            } else if place < pattern.count, pattern[place] == "?" || pattern[place] == text[next] {
                place += 1
                next += 1
            } else if let last = retry {
                retry = (last.place, last.next + 1)
                (place, next) = (last.place, last.next + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == "*" }
    }
}

/// Finding bytes in bytes, in linear time (Knuth, Morris and Pratt).
enum ByteSearch {
    /// Whether a text's UTF-8 stands in another's.
    static func contains(_ needle: String, in text: String) -> Bool {
        let wanted = Array(needle.utf8)
        guard !wanted.isEmpty else {
            return true
        }
        var failure = [Int](repeating: 0, count: wanted.count)
        var length = 0
        for index in wanted.indices.dropFirst() {
            while length > 0, wanted[index] != wanted[length] {
                length = failure[length - 1]
            }
            if wanted[index] == wanted[length] {
                length += 1
            }
            failure[index] = length
        }
        length = 0
        for byte in text.utf8 {
            while length > 0, byte != wanted[length] {
                length = failure[length - 1]
            }
            if byte == wanted[length] {
                length += 1
            }
            if length == wanted.count {
                return true
            }
        }
        return false
    }
}
