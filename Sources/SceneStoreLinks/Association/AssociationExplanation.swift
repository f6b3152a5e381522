import SceneStoreValues

/// The reasons for an association file's decision: what was tried, what failed, the closest miss.
///
/// It is for developers. Unlike errors it quotes the link, so it must not go into logs.
///
/// ```swift
/// let explanation = file.explain("https://example.com/vidoes/42")
/// let missed = explanation.closestMiss?.pattern  // "/videos/*"
/// ```
public struct AssociationExplanation: Hashable, Sendable {
    /// One rule that was tried.
    public struct Attempt: Hashable, Sendable {
        /// The rule's key path, such as `applinks.details[0].components[2]`.
        public var keyPath: String
        /// The key of the part that failed, such as `/`, `?`, `?.id` or `#`; `nil` for a match.
        public var failedPart: String?
        /// The pattern of that part.
        public var pattern: String?
        /// The text of the link at that place.
        public var found: String?
        /// A change that would make the rule match.
        public var hint: String?
        /// How near it came; greater is nearer.
        var score = 0
    }

    /// The decision.
    public var match: AssociationMatch
    /// The rule that decided, if one did.
    public var decidedBy: Attempt?
    /// The author's comment on that rule.
    public var comment: String?
    /// The number of rules that were tried.
    package var triedCount: Int
    /// The rule that came nearest, when none decided.
    public var closestMiss: Attempt?
    /// The reason why no rule was tried at all.
    public var obstacle: String?

    /// The explanation in lines.
    public var lines: [String] {
        var result: [String] = []
        if let obstacle {
            return ["no_match: \(obstacle)"]
        }
        if let decidedBy {
            var line = "\(match.decision.rawValue): \(decidedBy.keyPath) decides"
            if let comment {
                line += " (\"\(comment)\")"
            }
            result.append(line)
            result.append("rules before it that did not match: \(triedCount - 1)")
        } else {
            result.append("no_match: none of \(triedCount) rules matches")
        }
        if let closestMiss {
            var line = "closest miss: \(closestMiss.keyPath)"
            if let part = closestMiss.failedPart, let pattern = closestMiss.pattern {
                line += " wants \"\(part)\" to match \"\(pattern)\", found "
                line += closestMiss.found.map { $0.isEmpty ? "nothing" : "\"\($0)\"" } ?? "nothing"
            }
            result.append(line)
            if let hint = closestMiss.hint {
                result.append("hint: \(hint)")
            }
        }
        return result
    }
}

extension AssociationExplanation: CustomStringConvertible {
    /// The lines as one text.
    public var description: String {
        lines.joined(separator: "\n")
    }
}

extension AssociationFile {
    /// Returns the decision of ``match(_:appID:)``, and why.
    public func explain(_ link: String, appID: String? = nil) -> AssociationExplanation {
        let match = match(link, appID: appID)
        var result = AssociationExplanation(match: match, triedCount: 0)
        let chosen = detailIndices(appID: appID)
        if chosen.isEmpty {
            result.obstacle = "the file has no entry for this app; it names \(appIDs.count)"
            return result
        }
        var link = link
        var nearest: AssociationComponent?
        let isRead: Void? = link.withUTF8 { bytes in
            AssociationText.with(bytes, needsDecoding: true) { text in
                for index in chosen {
                    explain(index, text, into: &result, nearest: &nearest)
                    if result.decidedBy != nil {
                        return
                    }
                }
            }
        }
        if isRead == nil {
            result.obstacle =
                link.lowercased().hasPrefix("http:")
                ? "http links are never universal links; use https"
                : "only https links with a host, of at most \(Self.maximumLinkBytes) bytes, match"
        }
        if result.decidedBy != nil {
            result.closestMiss = nil
        } else if let nearest, let miss = result.closestMiss {
            result.closestMiss?.hint = hint(nearest, miss)
        }
        return result
    }

    private func explain(
        _ index: Int, _ text: AssociationText, into result: inout AssociationExplanation,
        nearest: inout AssociationComponent?
    ) {
        let rules = rules[index]
        var work = 0
        for rule in rules.rules {
            let component = details[index].components[Int(rule.component)]
            result.triedCount += 1
            guard
                let part = rules.failure(of: rule, text, patterns: patterns, work: &work)
            else {
                if result.match.detail == index, result.match.component == Int(rule.component) {
                    result.decidedBy = AssociationExplanation.Attempt(keyPath: component.keyPath)
                    result.comment = component.comment
                    return
                }
                continue
            }
            let attempt = attempt(component, part, rule.isDecoded ? text.decoded : text.written)
            if attempt.score > result.closestMiss?.score ?? -1 {
                result.closestMiss = attempt
                nearest = component
            }
        }
    }

    private func attempt(
        _ component: AssociationComponent, _ part: AssociationPart, _ view: AssociationText.View
    ) -> AssociationExplanation.Attempt {
        var attempt = AssociationExplanation.Attempt(keyPath: component.keyPath)
        // A later part beats all of an earlier one; within a part the common beginning counts.
        let stage: Int
        switch part {
        case .path:
            stage = 0
            attempt.failedPart = "/"
            attempt.pattern = component.path
            attempt.found = view.path.shown
        case .query:
            stage = 1
            attempt.failedPart = "?"
            if case .whole(let pattern) = component.query {
                attempt.pattern = pattern
            }
            attempt.found = view.query.shown
        case .queryItem(let index):
            stage = 1
            if case .items(let items) = component.query, items.indices.contains(index) {
                attempt.failedPart = "?.\(items[index].name)"
                attempt.pattern = items[index].pattern
                attempt.found = Self.value(of: items[index].name, in: view.query.shown)
            }
        case .fragment:
            stage = 2
            attempt.failedPart = "#"
            attempt.pattern = component.fragment
            attempt.found = view.fragment.shown
        }
        let pattern = attempt.pattern ?? ""
        let wanted = part == .path ? AssociationRules.normalized(pattern) : pattern
        // Case is what authors get wrong most, so it does not end the common beginning.
        let common = zip(wanted.utf8, (attempt.found ?? "").utf8).prefix {
            URLByte.lowercased($0) == URLByte.lowercased($1)
        }
        attempt.score = stage * Self.maximumLinkBytes * 2 + common.count
        return attempt
    }

    private static func value(of name: String, in query: String) -> String {
        let item = query.split(separator: "&").first {
            $0.split(separator: "=", omittingEmptySubsequences: false).first.map(String.init)
                == name
        }
        return item.map { String($0.dropFirst(name.count + 1)) } ?? ""
    }

    /// Tries the two switches that authors forget.
    private func hint(
        _ component: AssociationComponent, _ attempt: AssociationExplanation.Attempt
    ) -> String? {
        guard let found = attempt.found, let written = attempt.pattern else {
            return nil
        }
        let pattern = attempt.failedPart == "/" ? AssociationRules.normalized(written) : written
        func wouldMatch(_ text: String, isFolded: Bool) -> Bool {
            var table = URLPatternTable()
            guard
                let compiled = try? table.add(pattern, isFolded: isFolded, variables: variables)
            else {
                return false
            }
            var text = text
            var work = 0
            return text.withUTF8 {
                table.matches(compiled, $0, isASCII: false, work: &work)
            }
        }
        if component.isCaseSensitive, !component.isLegacy, wouldMatch(found, isFolded: true) {
            return "it differs in case only; \"caseSensitive\": false would match"
        }
        let decoded = String(decoding: PercentCoding.decoded(found.utf8), as: UTF8.self)
        if component.isPercentEncoded, !component.isLegacy, decoded != found,
            wouldMatch(decoded, isFolded: false)
        {
            return "it differs in escapes only; \"percentEncoded\": false would match"
        }
        if attempt.failedPart == "/", !pattern.contains(where: { "*?$".contains($0) }),
            found.hasPrefix(pattern)
        {
            return "the complete path is compared; \"\(pattern)*\" would match"
        }
        return nil
    }
}
