import SceneStore
import SceneStoreExchange
import SceneStoreLinks

extension FuzzTarget {
    /// Links, the association files that decide about them, and the routes that they lead to.
    ///
    /// The first byte says what follows: `L` a link; `A` a link, NUL and an association file; `R` a
    /// link, NUL and route patterns, one a line; `C` a link, NUL and a pattern of an activation
    /// condition.
    static let links = FuzzTarget(
        "links", maximumBytes: 8 << 10,
        line: TimeLine(baseNanoseconds: 40_000_000, nanosecondsPerByte: 20_000)
    ) { bytes in
        var input = FuzzInput(bytes)
        let kind = input.byte()
        let link = String(decoding: input.field(), as: UTF8.self)
        switch kind {
        case UInt8(ascii: "A"): LinkChecks.association(link, input.remaining())
        case UInt8(ascii: "R"): LinkChecks.routes(link, input.remaining())
        case UInt8(ascii: "C"): LinkChecks.condition(link, input.remaining())
        default: LinkChecks.fixed(link)
        }
    }
}

/// What is promised of any link.
private enum LinkChecks {
    enum Quality: String, CaseIterable, Sendable {
        case low, high
    }

    enum Screen: Hashable {
        case videos, newVideo, account
        case video(id: String, seconds: Int?)
        case typed(Double, Bool, Quality)
        case files([String])
        case deleted(Int)
    }

    static let domain = "video.example.com"

    static let router: Router<Screen> = {
        do {
            // Long links too: every check is linear, whatever the limit.
            var policy = LinkPolicy()
            policy.maximumBytes = 1 << 20
            return try Router(schemes: ["deeplink"], domains: [domain], policy: policy) {
                Route("/videos", to: .videos)
                Route("/videos/new", to: .newVideo)
                Route("/account", to: .account)
                Route("/videos/:id", .path("id"), .query("t", optional: .integer(in: 0...86_400))) {
                    .video(id: $0, seconds: $1)
                } print: {
                    if case .video(let id, let seconds) = $0 { (id, seconds) } else { nil }
                }
                Route(
                    "/typed/:number", .path("number", .number), .query("flag", .boolean),
                    .query("quality", .oneOf(Quality.self), default: .low)
                ) {
                    .typed($0, $1, $2)
                } print: {
                    if case .typed(let a, let b, let c) = $0 { (a, b, c) } else { nil }
                }
                Route("/files/*path", .rest("path")) {
                    .files($0)
                } print: {
                    if case .files(let path) = $0 { path } else { nil }
                }
                Route("/projects/:id/delete", .path("id", .integer(in: 1...))) {
                    .deleted($0)
                } print: {
                    if case .deleted(let id) = $0 { id } else { nil }
                }
                .destructive()
            }
        } catch {
            fatalError("the routes are in order: \(error)")
        }
    }()

    static func fixed(_ link: String) {
        checked(link)
        follow(link, router)
    }

    /// A link that passes is what arrived, and the system reads it in the same way.
    static func checked(_ text: String) {
        guard let link = try? CheckedLink(text, policy: router.policy) else {
            return
        }
        require(link.text.utf8.elementsEqual(text.utf8), "a checked link is the link")
        require(
            link.url.absoluteString.utf8.elementsEqual(text.utf8), "the URL is the link")
        require(
            !link.segments.contains { $0.utf8.contains(UInt8(ascii: "/")) || $0 == ".." },
            "no segment holds a slash, none climbs")
        _ = link.queryItems
        require(
            LinkFilter(schemes: [link.scheme], policy: router.policy).decide(text).link == link,
            "a filter sees the same link")
    }

    /// A router's answer agrees with its explanation, and a printed link leads back (K-25, K-26).
    static func follow<Destination: Equatable>(_ link: String, _ router: Router<Destination>) {
        let explanation = router.explain(link)
        _ = explanation.lines
        let match: RouteMatch<Destination>
        do throws(RouteFailure) {
            match = try router.match(link)
        } catch {
            require(
                !explanation.attempts.contains(where: \.isMatch), "what is refused isn't explained")
            _ = error.description
            return
        }
        require(
            explanation.attempts.filter(\.isMatch).map(\.pattern) == [match.pattern],
            "one route takes the link, the explained one")
        let destination = match.confirmed()
        guard let printed = try? router.link(to: destination) else {
            return
        }
        require(
            (try? router.match(printed))?.confirmed() == destination,
            "a printed link leads to where it was printed for")
    }

    /// An association file's answers agree with each other.
    static func association(_ link: String, _ json: [UInt8]) {
        guard let file = try? AssociationFile(json) else {
            return
        }
        _ = file.isClean
        let match = file.match(link)
        let explanation = file.explain(link)
        _ = explanation.lines
        require(match == explanation.match, "an association file does what it explains")
        for app in file.appIDs.prefix(4) {
            require(
                file.match(link, appID: app) == file.matcher(appID: app).match(link),
                "a matcher says what its file says")
        }
        guard let domain = try? AssociatedDomain(domain) else {
            return
        }
        var filter = LinkFilter(schemes: ["deeplink"], domains: [domain])
        filter.add(file, for: domain)
        let decision = filter.decide(link)
        _ = decision.lines
        require(decision.isAccepted == (decision.refusal == nil), "a refusal is a no")
    }

    /// Routes of any patterns: either the router names their problems, or it works. Patterns are the
    /// developer's and short; only links are anybody's.
    static func routes(_ link: String, _ patterns: [UInt8]) {
        let lines = patterns.prefix(512).split(separator: UInt8(ascii: "\n")).prefix(8).map {
            String(decoding: $0, as: UTF8.self)
        }
        let routes = lines.enumerated().map { index, line in
            line.contains(":id")
                ? Route(line, .path("id"), open: { "\(index):\($0)" }, print: { _ in nil })
                : Route(line, to: "\(index)")
        }
        let problems = Router.problems(of: routes, schemes: ["deeplink"], domains: [domain])
        let router = try? Router(schemes: ["deeplink"], domains: [domain]) { routes }
        require((router != nil) == problems.isEmpty, "a router is made unless there are problems")
        if let router {
            follow(link, router)
        }
    }

    /// Conditions are data from a file, too.
    static func condition(_ link: String, _ pattern: [UInt8]) {
        let pattern = String(decoding: pattern, as: UTF8.self)
        let rules: [ActivationConditions.Rule] = [
            .equals(pattern), .hasPrefix(pattern), .hasSuffix(pattern), .contains(pattern),
            .matches(pattern),
        ]
        for rule in rules {
            require(
                rule.allows(link) != ActivationConditions.Rule.not(rule).allows(link),
                "not is the opposite")
        }
        require(
            ActivationConditions.Rule.any(rules).allows(link)
                == rules.contains { $0.allows(link) }, "any is any")
    }
}
