import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A link whose bytes were checked, split by rules that repair nothing.
///
/// Every link from outside is checked here before other code sees it: its length, bytes and
/// escapes, then its scheme, host and path. At last the system's own parser must find the same
/// parts, because the app passes ``url`` to code that trusts that parser. A refusal is typed and
/// says which rule; see ``LinkRefusal``.
///
/// ```swift
/// let link = try CheckedLink("deeplink://videos/42?t=12")
/// let segments = link.segments  // ["videos", "42"]
/// let isOwn = link.kind == .customScheme  // true
/// ```
public struct CheckedLink: Hashable, Sendable {
    /// The kinds of links, each with its own rules.
    public enum Kind: Hashable, Sendable {
        /// A scheme of the app's own: the authority is the first segment of the path.
        case customScheme
        /// An https link: the host decides whose it is.
        case universalLink
    }

    /// The link as it arrived.
    public let text: String
    /// The link for the system's interfaces; it has the same parts.
    public let url: URL
    /// The kind of the link.
    public let kind: Kind
    /// The scheme in lower case.
    public let scheme: String
    /// The host in lower case, of a universal link.
    public let host: String?
    /// The path as written, still escaped.
    public let path: String
    /// The query as written, still escaped.
    public let query: String?
    /// The fragment as written, still escaped.
    public let fragment: String?
    /// The authority as written, of a link with a custom scheme.
    public let authority: String?

    /// Checks a link.
    ///
    /// - Parameters:
    ///   - text: The link as it arrived.
    ///   - policy: The limits and exceptions.
    /// - Throws: The first rule that the link breaks.
    public init(_ text: String, policy: LinkPolicy = LinkPolicy()) throws(LinkRefusal) {
        var text = text
        let checked = text.withUTF8 { bytes in
            Result { () throws(LinkRefusal) in try LinkByteCheck(bytes, policy: policy).parts() }
        }
        let parts = try checked.get()
        let utf8 = text.utf8
        func part(_ range: Range<Int>?) -> String? {
            guard let range else {
                return nil
            }
            let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
            let end = utf8.index(start, offsetBy: range.count)
            return String(text[start..<end])
        }
        scheme = part(parts.scheme)?.lowercased() ?? ""
        kind = scheme == "https" ? .universalLink : .customScheme
        host = kind == .universalLink ? part(parts.host)?.lowercased() : nil
        authority = kind == .customScheme ? part(parts.authority) : nil
        path = part(parts.path) ?? ""
        query = part(parts.query)
        fragment = part(parts.fragment)
        self.text = text
        url = try Self.agreed(text, parts: parts, part: part)
    }

    /// The system's URL, when it has the same parts.
    private static func agreed(
        _ text: String, parts: LinkParts, part: (Range<Int>?) -> String?
    ) throws(LinkRefusal) -> URL {
        let refusal = LinkRefusal(
            .parserDisagrees, "the system's URL parser reads the link differently",
            hint: "write the link as RFC 3986 demands, with escapes for all other characters")
        guard
            let components = URLComponents(string: text, encodingInvalidCharacters: false),
            let url = URL(string: text, encodingInvalidCharacters: false),
            url.absoluteString.hasSameBytes(as: text)
        else {
            throw refusal
        }
        func same(_ mine: String?, _ theirs: String?) -> Bool {
            mine.map { $0.utf8.elementsEqual((theirs ?? "\u{0}").utf8) } ?? (theirs == nil)
        }
        var userInfo = components.percentEncodedUser
        if let password = components.percentEncodedPassword {
            userInfo = (userInfo ?? "") + ":" + password
        }
        let port = part(parts.port).map { Int($0) ?? -1 }
        guard same(part(parts.scheme), components.scheme),
            same(part(parts.userInfo), userInfo),
            // Where the system knows internationalised names, one of the two spells them out.
            same(part(parts.host), components.encodedHost)
                || same(part(parts.host), components.percentEncodedHost),
            port == components.port,
            same(part(parts.path), components.percentEncodedPath),
            same(part(parts.query), components.percentEncodedQuery),
            same(part(parts.fragment), components.percentEncodedFragment)
        else {
            throw refusal
        }
        return url
    }

    /// The segments that a router compares: decoded once, after splitting.
    ///
    /// For a custom scheme the authority is the first one. Slashes in front of the first segment
    /// and behind the last one don't count; an empty segment in between stays.
    public var segments: [String] {
        var result: [String] = []
        if let authority, !authority.isEmpty {
            result.append(Self.decoded(authority.utf8[...]))
        }
        var rest = path.utf8[...]
        while rest.first == UInt8(ascii: "/") {
            rest.removeFirst()
            if !result.isEmpty {
                break
            }
        }
        while rest.last == UInt8(ascii: "/") {
            rest.removeLast()
        }
        if !rest.isEmpty {
            result += rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map(Self.decoded)
        }
        return result
    }

    /// The items of the query in their order, name and value decoded once, after splitting.
    ///
    /// An item without `=` has an empty value. A plus sign stays a plus sign.
    public var queryItems: [(name: String, value: String)] {
        guard let query, !query.isEmpty else {
            return []
        }
        return query.utf8.split(separator: UInt8(ascii: "&")).map { item in
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else {
                return (Self.decoded(item), "")
            }
            return (Self.decoded(item[..<equals]), Self.decoded(item[item.index(after: equals)...]))
        }
    }

    /// The scheme and, for a universal link, the host: the only parts that may be in a log.
    public var origin: String {
        host.map { "\(scheme)://\($0)" } ?? "\(scheme):"
    }

    /// The check has seen that the escapes are UTF-8.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        PercentCoding.decodedText(text) ?? String(Substring(text))
    }
}

extension CheckedLink: CustomStringConvertible {
    /// The scheme and the host; never the rest, which is private.
    public var description: String {
        origin
    }
}
