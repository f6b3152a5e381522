import SceneStoreValues

/// The rules of one entry, compiled once and matched many times (K-03, K-10).
///
/// Every rule has a literal that each path it matches begins with (perhaps an empty one). These
/// prefixes lie sorted in a table; a binary search and a walk along shorter prefixes find the few
/// rules that can match at all, so a link costs about as much against 1 000 rules as against ten.
/// Rules without a prefix are found the same way by the literal that their paths end with. No rule is
/// looked at twice, which bounds the worst case, where a rule has neither.
package struct AssociationRules: Sendable {
    /// A compiled rule. Patterns of `nil` match everything.
    package struct Rule: Sendable {
        /// Where the rule stands in the entry.
        package var component: Int32
        var isExcluded: Bool
        package var isFolded: Bool
        var isDecoded: Bool
        package var path: URLPattern?
        /// For a pattern that ends with `/*`: what it is without that.
        package var parent: URLPattern?
        package var query: URLPattern?
        package var fragment: URLPattern?
        /// The query dictionary: a range of `predicates`.
        var predicates: Range<Int32>
    }

    /// One entry of a query dictionary.
    struct Predicate: Sendable {
        var name: [UInt8]
        var pattern: URLPattern
    }

    package private(set) var rules: [Rule] = []
    private(set) var predicates: [Predicate] = []
    private var tables: [PrefixTable] = []
    /// Whether a rule wants the link decoded.
    private(set) var needsDecoding = false

    /// Compiles the rules that can match.
    package init(
        _ detail: AssociationDetail, variables: SubstitutionVariables,
        patterns: inout URLPatternTable, findings: inout [Diagnostic]
    ) {
        for (index, component) in detail.components.enumerated() {
            compile(
                component, index: index, variables: variables, patterns: &patterns,
                findings: &findings)
        }
        needsDecoding = rules.contains(where: \.isDecoded)
        for (isFolded, isDecoded) in [(false, false), (true, false), (false, true), (true, true)] {
            let chosen = rules.indices.filter {
                rules[$0].isFolded == isFolded && rules[$0].isDecoded == isDecoded
            }
            for isReversed in [false, true] {
                let texts = chosen.compactMap { index in
                    rules[index].key(in: patterns, isReversed: isReversed).map {
                        (text: $0, value: Int32(clamping: index))
                    }
                }
                if !texts.isEmpty {
                    tables.append(
                        PrefixTable(
                            texts, isFolded: isFolded, isDecoded: isDecoded,
                            isReversed: isReversed))
                }
            }
        }
    }

    private mutating func compile(
        _ component: AssociationComponent, index: Int, variables: SubstitutionVariables,
        patterns: inout URLPatternTable, findings: inout [Diagnostic]
    ) {
        let variables = component.isLegacy ? nil : variables
        let isFolded = !component.isCaseSensitive
        do throws(URLPatternTable.Failure) {
            var rule = Rule(
                component: Int32(clamping: index), isExcluded: component.isExcluded,
                isFolded: isFolded, isDecoded: !component.isPercentEncoded,
                predicates: 0..<0)
            func add(_ text: String) throws(URLPatternTable.Failure) -> URLPattern {
                try patterns.add(text, isFolded: isFolded, variables: variables)
            }
            if let path = component.path.map(Self.normalized) {
                rule.path = try add(path)
                rule.parent = path.hasSuffix("/*") ? try add(String(path.dropLast(2))) : nil
            }
            if let fragment = component.fragment {
                rule.fragment = try add(fragment)
            }
            let first = Int32(clamping: predicates.count)
            switch component.query {
            case .whole(let pattern): rule.query = try add(pattern)
            case .items(let items):
                var list: [Predicate] = []
                for item in items {
                    let name = Array(item.name.utf8)
                    list.append(
                        Predicate(
                            name: isFolded ? CaseFolding.folded(name) : name,
                            pattern: try add(item.pattern)))
                }
                predicates += list
            case nil: break
            }
            rule.predicates = first..<Int32(clamping: predicates.count)
            rules.append(rule)
        } catch {
            findings.append(Self.finding(error, at: component.keyPath, variables))
        }
    }

    private static func finding(
        _ failure: URLPatternTable.Failure, at path: String, _ variables: SubstitutionVariables?
    ) -> Diagnostic {
        switch failure {
        case .undefinedVariable(let name):
            let likely = variables?.names.first { $0.lowercased() == name.lowercased() }
            return Diagnostic(
                .associationUndefinedVariable, .error,
                "$(\(name)) is not defined, so the rule never matches", path: path,
                fix: likely.map { "names are case-sensitive: did you mean $(\($0))?" }
                    ?? "define it in applinks.substitutionVariables")
        case .tooLarge:
            return Diagnostic(
                .associationPatternTooLarge, .error,
                "the pattern and its variables are too large, so the rule never matches",
                path: path, fix: "split the rule, or use * instead of long lists of values")
        }
    }

    /// A path pattern with one leading slash and no trailing one (K-05).
    ///
    /// A pattern that begins with `*` stays: its first character may stand for the slash.
    static func normalized(_ pattern: String) -> String {
        var rest = pattern[...]
        while rest.utf8.last == UInt8(ascii: "/") {
            rest.removeLast()
        }
        guard !rest.isEmpty, rest.utf8.first != UInt8(ascii: "*") else {
            return String(rest)
        }
        while rest.utf8.first == UInt8(ascii: "/") {
            rest.removeFirst()
        }
        return "/" + rest
    }

    /// The first rule that matches, by its place among the rules.
    func firstMatch(
        _ text: AssociationText, patterns: URLPatternTable, work: inout Int
    ) -> Rule? {
        var best = Int32.max
        for table in tables {
            let view = table.isDecoded ? text.decoded : text.written
            table.forEachPrefix(of: view.path, isASCII: view.isASCII, work: &work) {
                candidates, work in
                for candidate in candidates {
                    guard candidate < best else {
                        break
                    }
                    let rule = rules[Int(candidate)]
                    if failure(of: rule, text, patterns: patterns, work: &work) == nil {
                        best = candidate
                    }
                }
            }
        }
        return best == .max ? nil : rules[Int(best)]
    }

    /// Which part of a link a rule refuses; `nil` when it matches.
    package func failure(
        of rule: Rule, _ text: AssociationText, patterns: URLPatternTable,
        work: inout Int
    ) -> AssociationPart? {
        let view = rule.isDecoded ? text.decoded : text.written
        func matches(_ pattern: URLPattern?, _ bytes: URLBytes) -> Bool {
            guard let pattern else {
                return true
            }
            return patterns.matches(pattern, bytes, isASCII: view.isASCII, work: &work)
        }
        guard
            matches(rule.path, view.path) || (rule.parent != nil && matches(rule.parent, view.path))
        else {
            return .path
        }
        guard matches(rule.query, view.query) else {
            return .query
        }
        for index in rule.predicates {
            let predicate = predicates[Int(index)]
            guard text.allItems(match: predicate, of: rule, patterns: patterns, work: &work) else {
                return .queryItem(Int(index - rule.predicates.lowerBound))
            }
        }
        return matches(rule.fragment, view.fragment) ? nil : .fragment
    }
}

extension AssociationRules.Rule {
    /// The literal that every path begins with that the rule matches.
    package func prefix(in patterns: URLPatternTable) -> ArraySlice<UInt8> {
        guard let path else {
            return []
        }
        return patterns.literalPrefix(of: parent ?? path).prefix(PrefixTable.maximumBytes)
    }

    /// The literal that every path ends with that the rule matches.
    private func suffix(in patterns: URLPatternTable) -> ArraySlice<UInt8> {
        // One with a parent ends with `/*`.
        guard let path, parent == nil else {
            return []
        }
        return patterns.literalSuffix(of: path).suffix(PrefixTable.maximumBytes)
    }

    /// By what the rule is found; nil when the other table has it.
    fileprivate func key(in patterns: URLPatternTable, isReversed: Bool) -> ArraySlice<UInt8>? {
        let prefix = prefix(in: patterns)
        let suffix = prefix.isEmpty ? suffix(in: patterns) : []
        return isReversed ? suffix.isEmpty ? nil : suffix : suffix.isEmpty ? prefix : nil
    }
}

/// A part of a link that a rule looks at.
package enum AssociationPart: Hashable, Sendable {
    case path
    case query
    /// An entry of the query dictionary, by its place.
    case queryItem(Int)
    case fragment
}
