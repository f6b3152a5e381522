import SceneStoreValues

/// The shape of a route: `/videos/:id`, `/files/*path`, `deeplink://account`,
/// `https://example.com/about`.
///
/// Without a scheme a pattern holds for every scheme and host of its router. For a custom scheme
/// the host is the first segment.
package struct RoutePattern: Hashable, Sendable {
    /// One segment.
    package enum Segment: Hashable, Sendable {
        /// This text, decoded.
        case literal(String)
        /// Any one text.
        case parameter(String)
        /// All texts that follow, at least one; always the last segment.
        case rest(String)
    }

    /// Where a route holds, when its pattern says so.
    package enum Origin: Hashable, Sendable {
        /// A custom scheme, in lower case.
        case scheme(String)
        /// The https links of a host, or of the hosts below one.
        case domain(AssociatedDomain)
    }

    /// The pattern as the app wrote it.
    package let text: String
    package let origin: Origin?
    package let segments: [Segment]
    /// What is wrong with it; a pattern with problems matches nothing.
    package let problems: [String]

    package init(_ text: String) {
        self.text = text
        var problems: [String] = []
        var origin: Origin?
        var path = text[...]
        if let colon = text.firstRange(of: "://") {
            let scheme = text[..<colon.lowerBound].lowercased()
            let rest = text[colon.upperBound...]
            if scheme == "https" {
                let end = rest.firstIndex(of: "/") ?? rest.endIndex
                if let domain = try? AssociatedDomain(String(rest[..<end])) {
                    origin = .domain(domain)
                } else {
                    problems.append("the host is not a domain name")
                }
                path = rest[end...]
            } else if let problem = Self.problem(ofScheme: scheme) {
                problems.append(problem)
                path = rest
            } else {
                origin = .scheme(scheme)
                path = rest
            }
        } else if !text.hasPrefix("/") {
            problems.append("begin it with / or with a scheme and ://")
        }
        while path.first == "/" {
            path.removeFirst()
        }
        if path.last == "/" {
            path.removeLast()
        }
        let texts = path.isEmpty ? [] : path.split(separator: "/", omittingEmptySubsequences: false)
        var segments: [Segment] = []
        for (index, text) in texts.enumerated() {
            segments.append(
                Self.segment(text, isLast: index == texts.count - 1, problems: &problems))
        }
        self.origin = origin
        self.segments = segments
        self.problems = problems
    }

    private static func segment(
        _ text: Substring, isLast: Bool, problems: inout [String]
    ) -> Segment {
        if text.first == ":" || text.first == "*" {
            let name = String(text.dropFirst())
            if !isName(name) {
                problems.append(
                    "\"\(text)\" needs a name of letters, digits and _, beginning with a letter")
            }
            if text.first == "*", !isLast {
                problems.append(
                    "\"\(text)\" takes all that follows, so it must be the last segment")
            }
            return text.first == ":" ? .parameter(name) : .rest(name)
        }
        if text.isEmpty {
            problems.append("a segment is empty")
        } else if text == "." || text == ".." {
            problems.append("links with the segment \"\(text)\" are refused")
        } else if text.contains(where: { "?#".contains($0) }) {
            problems.append("declare query items as parameters, not in the pattern")
        } else if text.contains(where: { "%*\\".contains($0) }) {
            problems.append("\"\(text)\": write a literal segment decoded, without %, * and \\")
        } else if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7f }) {
            problems.append("a segment holds a control character")
        }
        return .literal(String(text))
    }

    /// Whether a text can name a parameter.
    package static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, URLByte.isLetter(first) else {
            return false
        }
        return text.utf8.allSatisfy {
            URLByte.isLetter($0) || URLByte.isDigit($0) || $0 == UInt8(ascii: "_")
        }
    }

    /// Why links of a scheme never route, or `nil`.
    package static func problem(ofScheme scheme: String) -> String? {
        if scheme == "http" {
            return "http links are never routed; write https"
        }
        if LinkPolicy.forbiddenSchemes.contains(scheme) {
            return "links of the scheme \(scheme) never route"
        }
        guard let first = scheme.utf8.first, URLByte.isLetter(first),
            scheme.utf8.allSatisfy(URLByte.isScheme)
        else {
            return "the scheme is malformed"
        }
        return nil
    }

    /// The names of its parameters.
    package var names: [String] {
        segments.compactMap {
            switch $0 {
            case .literal: nil
            case .parameter(let name), .rest(let name): name
            }
        }
    }
}
