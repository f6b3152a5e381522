import SceneStoreValues

/// The reasons for a router's result: what was tried, what failed, the closest miss (K-26).
///
/// It is for developers. Unlike errors it quotes the link, so it must not go into logs.
///
/// ```swift
/// let explanation = router.explain("deeplink://vidoes/42")
/// let missed = explanation.closestMiss?.pattern  // "/videos/:id"
/// ```
public struct RouteExplanation: Sendable {
    /// One route that was tried.
    public struct Attempt: Hashable, Sendable {
        /// The route's pattern.
        public var pattern: String
        /// Whether the route took the link.
        public var isMatch: Bool
        /// The result, for people.
        public var outcome: String
        /// How near it came; greater is nearer.
        var score: Int
    }

    /// The routes in the order of declaration.
    public var attempts: [Attempt]
    /// The route that took the link, or would have taken it with valid parameters.
    public var chosen: Attempt?
    /// The route that came nearest, when none took the link.
    public var closestMiss: Attempt?
    /// The reason why no route was tried.
    public var refusal: LinkRefusal?
    /// The parameter of the chosen route that failed.
    public var failure: RouteFailure?

    /// The explanation in lines.
    public var lines: [String] {
        if let refusal {
            return ["refused: \(refusal)"] + (refusal.hint.map { ["hint: \($0)"] } ?? [])
        }
        var result: [String] = []
        if let failure, let chosen {
            result.append("refused: \(chosen.pattern) takes the link, but \(failure.message)")
            if let value = failure.value {
                result.append("found: \"\(value.prefix(200))\"")
            }
        } else if let chosen {
            result.append("match: \(chosen.pattern)")
        } else {
            result.append("no route: none of \(attempts.count) takes the link")
            if let closestMiss {
                result.append("closest miss: \(closestMiss.pattern): \(closestMiss.outcome)")
            }
        }
        return result
    }
}

extension RouteExplanation: CustomStringConvertible {
    /// The lines as one text.
    public var description: String {
        lines.joined(separator: "\n")
    }
}

extension Router {
    /// Returns the result of ``match(_:)-(String)``, and why.
    public func explain(_ link: String) -> RouteExplanation {
        var result = RouteExplanation(attempts: [])
        let checked: CheckedLink
        do throws(RouteFailure) {
            checked = try self.checked(link)
        } catch {
            result.refusal = error.refusal
            return result
        }
        let segments = checked.segments
        let chosen = route(for: checked, segments: segments)
        for (index, route) in routes.enumerated() {
            var attempt = attempt(route, checked, segments)
            if index == chosen {
                attempt.isMatch = true
                attempt.outcome = "takes the link"
            } else if attempt.score == .max {
                attempt.outcome = "has the shape too, but a more literal route comes first"
            }
            result.attempts.append(attempt)
        }
        guard let chosen else {
            result.closestMiss = result.attempts.max { $0.score < $1.score }
            return result
        }
        do throws(RouteFailure) {
            _ = try match(checked)
        } catch {
            result.failure = error
            result.attempts[chosen].isMatch = false
            result.attempts[chosen].outcome = error.message
        }
        result.chosen = result.attempts[chosen]
        return result
    }

    private func attempt(
        _ route: Route<Destination>, _ link: CheckedLink, _ segments: [String]
    ) -> RouteExplanation.Attempt {
        let pattern = route.pattern
        func miss(_ outcome: String, _ score: Int) -> RouteExplanation.Attempt {
            RouteExplanation.Attempt(
                pattern: pattern.text, isMatch: false, outcome: outcome, score: score)
        }
        for (index, segment) in pattern.segments.enumerated() {
            let found = index < segments.count ? segments[index] : nil
            switch (segment, found) {
            case (.literal(let text), let found?):
                guard text == found else {
                    let near = Self.isNear(text, found)
                    return miss(
                        "segment \(index + 1) is \"\(found.prefix(100))\", not \"\(text)\""
                            + (near ? "; a typing mistake?" : ""),
                        (index * 4 + (near ? 3 : 0)) * 64
                            + Self.agreement(pattern.segments, segments, behind: index))
                }
            case (.parameter(let name), let found?):
                guard !found.isEmpty else {
                    return miss("segment \(index + 1), \(name), is empty", index * 4 * 64)
                }
            case (.rest, _?):
                break
            case (_, nil):
                return miss(
                    "the link has \(segments.count) of \(pattern.segments.count) segments",
                    (index * 4 + 2) * 64)
            }
        }
        let takesRest = if case .rest = pattern.segments.last { true } else { false }
        if segments.count > pattern.segments.count, !takesRest {
            return miss(
                "the link has \(segments.count) segments, the pattern \(pattern.segments.count); "
                    + "the complete path is compared", (pattern.segments.count * 4 + 1) * 64)
        }
        if takesRest, segments.contains("") {
            return miss("a segment is empty", (pattern.segments.count * 4 + 1) * 64)
        }
        return takes(pattern.origin, link, isNamed: pattern.origin != nil)
            ? miss("", .max)
            : miss(
                "the path fits, but \(link.origin) is not among the \(originNames(pattern.origin))",
                .max - 1)
    }

    /// How well the segments behind one fit, at most 63.
    private static func agreement(
        _ pattern: [RoutePattern.Segment], _ segments: [String], behind index: Int
    ) -> Int {
        let pairs = zip(pattern, segments).dropFirst(index + 1)
        let literals = pairs.filter { $0 == .literal($1) }.count
        return min(62, literals * 2) + (pattern.count == segments.count ? 1 : 0)
    }

    private func originNames(_ origin: RoutePattern.Origin?) -> String {
        switch origin {
        case .scheme(let scheme): "route's origins (\(scheme):)"
        case .domain(let domain): "route's origins (\(domain))"
        case nil:
            "router's origins ("
                + (schemes.map { "\($0):" } + domains.map(\.description)).joined(separator: ", ")
                + ")"
        }
    }

    /// Whether two short texts differ in case, or in at most two letters.
    private static func isNear(_ left: String, _ right: String) -> Bool {
        let a = Array(left.lowercased().utf8)
        let b = Array(right.lowercased().utf8)
        guard a.count <= 64, b.count <= 64, abs(a.count - b.count) <= 2 else {
            return false
        }
        var row = Array(0...b.count)
        for (i, byte) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in b.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count] <= min(2, max(a.count, b.count) / 2)
    }
}
