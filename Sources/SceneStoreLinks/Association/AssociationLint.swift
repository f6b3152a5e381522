import SceneStoreValues

/// Looks for rules that are read without complaint and yet don't do what they seem to (K-02).
package enum AssociationLint {
    /// Rules of one entry that are compared with every later one.
    private static let maximumCovering = 256

    package static func findings(in details: [AssociationDetail]) -> [Diagnostic] {
        var result: [Diagnostic] = []
        var firstPlace: [String: String] = [:]
        for detail in details {
            for app in detail.appIDs {
                if let first = firstPlace[app] {
                    result.append(
                        Diagnostic(
                            .associationRepeatedApp, .warning,
                            "an app of this entry is also in \(first), whose rules come first",
                            path: detail.keyPath, fix: "put an app's rules into one entry"))
                    break
                }
            }
            for app in detail.appIDs where firstPlace[app] == nil {
                firstPlace[app] = detail.keyPath
            }
            result += encoding(detail.components)
            result += reachability(detail.components)
        }
        return result
    }

    /// Patterns that no link can match, because links are compared in another spelling.
    private static func encoding(_ components: [AssociationComponent]) -> [Diagnostic] {
        var result: [Diagnostic] = []
        for component in components {
            for (key, pattern) in component.patterns {
                let place = component.isLegacy ? component.keyPath : "\(component.keyPath)\(key)"
                let isRaw = pattern.utf8.contains { $0 <= 0x20 || $0 >= 0x7f }
                if component.isPercentEncoded, isRaw, !pattern.contains("$(") {
                    result.append(
                        Diagnostic(
                            .associationNeverMatches, .warning,
                            "the pattern holds characters that links write as escapes",
                            path: place, fix: "escape them, or set \"percentEncoded\": false"))
                }
                if !component.isPercentEncoded, holdsEscape(pattern) {
                    result.append(
                        Diagnostic(
                            .associationNeverMatches, .warning,
                            "the pattern contains an escape, but links are decoded first",
                            path: place, fix: "write the character itself"))
                }
                if key == "[\"/\"]", pattern.contains("#") {
                    result.append(
                        Diagnostic(
                            .associationNeverMatches, .warning,
                            "a path can't contain #", path: place,
                            fix: "put what follows into \"#\""))
                }
                if key == "[\"/\"]", pattern.contains("?"), pattern.contains("=") {
                    result.append(
                        Diagnostic(
                            .associationNeverMatches, .warning,
                            "a ? in a path is a wildcard, not the beginning of the query",
                            path: place, fix: "put the query into \"?\""))
                }
                if key != "[\"/\"]", let mark = pattern.first, key == "[\"\(mark)\"]",
                    pattern.dropFirst().first != "*", mark == "#" || pattern.contains("=")
                {
                    result.append(
                        Diagnostic(
                            .associationNeverMatches, .warning,
                            "the pattern begins with '\(mark)'", path: place,
                            fix: "leave the leading \(mark) out"))
                }
            }
        }
        return result
    }

    private static func holdsEscape(_ pattern: String) -> Bool {
        let bytes = Array(pattern.utf8)
        return bytes.indices.dropLast(2).contains {
            bytes[$0] == UInt8(ascii: "%") && URLByte.hexadecimal(bytes[$0 + 1]) != nil
                && URLByte.hexadecimal(bytes[$0 + 2]) != nil
        }
    }

    /// What a rule compares, in a spelling in which equal rules are equal.
    private struct Shape: Hashable {
        var path: String
        var query: AssociationComponent.Query?
        var fragment: String
        var isCaseSensitive: Bool
        var isPercentEncoded: Bool
        var isLegacy: Bool

        init(_ component: AssociationComponent) {
            path = AssociationRules.normalized(component.path ?? "*")
            if path == "/*" {
                path = "*"
            }
            query = component.query == .whole("*") ? nil : component.query
            fragment = component.fragment ?? "*"
            isCaseSensitive = component.isCaseSensitive
            isPercentEncoded = component.isPercentEncoded
            isLegacy = component.isLegacy
        }

        /// The text that all paths begin with, when the rule asks for nothing else.
        var onlyPrefix: [UInt8]? {
            guard query == nil, fragment == "*", isCaseSensitive, isPercentEncoded,
                path.last == "*"
            else {
                return nil
            }
            let prefix = path.utf8.dropLast()
            return prefix.contains { "*?$".utf8.contains($0) } ? nil : Array(prefix)
        }
    }

    private static func reachability(_ components: [AssociationComponent]) -> [Diagnostic] {
        var result: [Diagnostic] = []
        var seen: [Shape: String] = [:]
        var covering: [(prefix: [UInt8], place: String)] = []
        var everything: String?
        for component in components {
            let shape = Shape(component)
            let place = component.keyPath
            if let everything {
                result.append(unreachable(place, everything, "matches every link"))
                continue
            }
            if let first = seen[shape] {
                result.append(unreachable(place, first, "is the same"))
            } else if shape.isCaseSensitive, shape.isPercentEncoded,
                let cover = covering.first(where: { shape.path.utf8.starts(with: $0.prefix) })
            {
                result.append(unreachable(place, cover.place, "matches all of its links"))
            }
            seen[shape] = seen[shape] ?? place
            if shape.path == "*", shape.query == nil || shape.query == .items([]),
                shape.fragment == "*"
            {
                everything = place
            } else if let prefix = shape.onlyPrefix, covering.count < maximumCovering {
                covering.append((prefix, place))
            }
        }
        return result
    }

    private static func unreachable(
        _ place: String, _ first: String, _ why: String
    ) -> Diagnostic {
        Diagnostic(
            .associationUnreachable, .warning, "the rule is never reached: \(first) \(why)",
            path: place, fix: "the first match decides, so put the narrower rule first")
    }
}

extension AssociationComponent {
    /// Its patterns with the keys that they stand under.
    package var patterns: [(key: String, pattern: String)] {
        var result: [(String, String)] = []
        if let path {
            result.append(("[\"/\"]", path))
        }
        switch query {
        case .whole(let pattern): result.append(("[\"?\"]", pattern))
        case .items(let items):
            result += items.map { ("[\"?\"][\"\($0.name)\"]", $0.pattern) }
        case nil: break
        }
        if let fragment {
            result.append(("[\"#\"]", fragment))
        }
        return result
    }
}

extension Diagnostic.Code {
    /// A part of an association file is missing.
    public static let associationMissingPart = Self("associationMissingPart")
    /// A part of an association file is of the wrong type and counts as absent.
    public static let associationMalformedPart = Self("associationMalformedPart")
    /// A key that has no effect.
    public static let associationUnknownKey = Self("associationUnknownKey")
    /// `applinks.apps` holds something.
    public static let associationAppsNotEmpty = Self("associationAppsNotEmpty")
    /// `details` is a dictionary.
    public static let associationLegacyDetails = Self("associationLegacyDetails")
    /// An entry has `paths` in addition to `components`.
    public static let associationPathsIgnored = Self("associationPathsIgnored")
    /// Both `appID` and `appIDs`.
    public static let associationBothAppKeys = Self("associationBothAppKeys")
    /// An application identifier that isn't a team identifier, a dot and a bundle identifier.
    public static let associationBadAppID = Self("associationBadAppID")
    /// An app with several entries.
    public static let associationRepeatedApp = Self("associationRepeatedApp")
    /// A substitution variable that is of no use.
    public static let associationBadVariable = Self("associationBadVariable")
    /// A pattern names a variable that nothing defines.
    public static let associationUndefinedVariable = Self("associationUndefinedVariable")
    /// A pattern exceeds the limits.
    public static let associationPatternTooLarge = Self("associationPatternTooLarge")
    /// A query dictionary that is ignored because of one of its predicates.
    public static let associationQueryIgnored = Self("associationQueryIgnored")
    /// A pattern that no link matches.
    public static let associationNeverMatches = Self("associationNeverMatches")
    /// A rule that an earlier one hides.
    public static let associationUnreachable = Self("associationUnreachable")
}
