import SceneStoreValues

/// Leads links to destinations, and destinations back to links.
///
/// A router is a value built of ``Route``s. Building a router checks all routes and reports every
/// problem at once, so a router that exists has none. It never matches a prefix, never guesses a
/// type and passes nothing on unless every declared parameter is valid.
///
/// ```swift
/// let router = try Router<Screen>(schemes: ["deeplink"], domains: ["video.example.com"]) {
///     Route("/videos", to: .videos)
///     Route("/videos/:id", .path("id"), open: Screen.video(id:), print: \.videoID)
/// }
/// let screen = try router.match("deeplink://videos/42").destination  // .video(id: "42")
/// let link = try router.link(to: .videos).text  // https://video.example.com/videos
/// ```
///
/// If several routes match a link, the one with the more literal segments in front takes it:
/// `/videos/new` before `/videos/:id` before `/videos/*rest`. Leading and trailing slashes don't
/// count, nor do fragments.
///
/// ## Topics
/// ### Building
/// - ``init(schemes:domains:policy:isStrict:_:)``
/// - ``problems(of:schemes:domains:)``
/// ### Following a link
/// - ``match(_:)-(String)``
/// - ``match(_:)-(CheckedLink)``
/// - ``explain(_:)``
/// ### Printing a link
/// - ``link(to:scheme:)``
public struct Router<Destination: Sendable>: Sendable {
    /// The app's own schemes, in lower case.
    public let schemes: [String]
    /// The hosts whose https links the router takes.
    public let domains: [AssociatedDomain]
    /// The rules for a link's form.
    public let policy: LinkPolicy
    /// Whether query items that a route doesn't declare are refused.
    public let isStrict: Bool
    package let routes: [Route<Destination>]
    package let tree: RouteTree

    /// Builds a router.
    ///
    /// - Parameters:
    ///   - schemes: The app's own schemes, such as those of ``SceneManifest/urlSchemes``. A route
    ///     whose pattern names a scheme or host applies there, even if it is not listed here.
    ///   - domains: The hosts of its https links, such as `example.com` or `*.example.com`.
    ///   - policy: The rules for a link's form. Hosts among `domains` that are not wildcards count
    ///     as listed.
    ///   - isStrict: Whether query items that a route doesn't declare are refused rather than
    ///     ignored.
    ///   - routes: The routes.
    /// - Throws: ``SceneStoreError/Code/invalidRoutes``, with every problem in its message.
    public init(
        schemes: [String] = [], domains: [String] = [], policy: LinkPolicy = LinkPolicy(),
        isStrict: Bool = false, @RouterBuilder<Destination> _ routes: () -> [Route<Destination>]
    ) throws(SceneStoreError) {
        let routes = routes()
        var check = RouterCheck(schemes: schemes, domains: domains)
        let tree = check.tree(of: routes)
        guard check.problems.isEmpty else {
            let list = check.problems.map { "\($0.path ?? "router"): \($0.message)" }
            throw SceneStoreError(
                .invalidRoutes,
                "\(list.count) problem\(list.count == 1 ? "" : "s") in the routes: "
                    + list.joined(separator: "; "))
        }
        self.schemes = check.schemes
        self.domains = check.domains
        self.routes = routes
        self.tree = tree
        self.isStrict = isStrict
        var policy = policy
        policy.listedHosts.formUnion(check.domains.filter { !$0.isWildcard }.map(\.host))
        policy.listedHosts.formUnion(routes.compactMap(\.pattern.host))
        self.policy = policy
    }

    /// Returns all problems of some routes; empty if a router can be built from them.
    public static func problems(
        of routes: [Route<Destination>], schemes: [String] = [], domains: [String] = []
    ) -> [Diagnostic] {
        var check = RouterCheck(schemes: schemes, domains: domains)
        _ = check.tree(of: routes)
        return check.problems
    }

    /// The patterns in the order of declaration.
    public var patterns: [String] {
        routes.map(\.pattern.text)
    }

    /// Checks a link and leads it to its destination.
    ///
    /// Match a stored link again when it comes back, because today's routes decide.
    public func match(_ link: String) throws(RouteFailure) -> RouteMatch<Destination> {
        try match(checked(link))
    }

    /// Leads a link to its destination.
    public func match(_ link: CheckedLink) throws(RouteFailure) -> RouteMatch<Destination> {
        let segments = link.segments
        guard let index = route(for: link, segments: segments) else {
            throw RouteFailure(.noRoute, "no route takes the link; explain(_:) says why")
        }
        return try match(link, segments: segments, with: routes[index])
    }

    package func checked(_ link: String) throws(RouteFailure) -> CheckedLink {
        do throws(LinkRefusal) {
            return try CheckedLink(link, policy: policy)
        } catch {
            throw RouteFailure(error)
        }
    }

    /// The route that takes a link, by its shape alone.
    package func route(for link: CheckedLink, segments: [String]) -> Int? {
        var work = 0
        return route(for: link, segments: segments, work: &work)
    }

    package func route(for link: CheckedLink, segments: [String], work: inout Int) -> Int? {
        tree.first(matching: segments, work: &work) { candidates in
            // Of one shape, a route that names the link's origin outranks one that doesn't.
            candidates.first { takes(routes[$0].pattern.origin, link, isNamed: true) }
                ?? candidates.first { takes(routes[$0].pattern.origin, link, isNamed: false) }
        }
    }

    /// Whether links of an origin belong to a route that names it, or that names none.
    func takes(
        _ origin: RoutePattern.Origin?, _ link: CheckedLink, isNamed: Bool
    ) -> Bool {
        switch origin {
        case .scheme(let scheme):
            isNamed && scheme == link.scheme
        case .domain(let domain):
            isNamed && link.host.map(domain.contains) ?? false
        case nil:
            !isNamed
                && (link.host.map { host in domains.contains { $0.contains(host) } }
                    ?? schemes.contains(link.scheme))
        }
    }

    private func match(
        _ link: CheckedLink, segments: [String], with route: Route<Destination>
    ) throws(RouteFailure) -> RouteMatch<Destination> {
        let pattern = route.pattern
        var texts: [String: String] = [:]
        for (index, segment) in pattern.segments.enumerated() where index < segments.count {
            switch segment {
            case .literal: break
            case .parameter(let name): texts[name] = segments[index]
            case .rest(let name): texts[name] = segments[index...].joined(separator: "/")
            }
        }
        let declared = Set(route.declarations.lazy.filter { $0.place == .query }.map(\.name))
        if isStrict || !declared.isEmpty {
            for (name, value) in link.queryItems {
                guard declared.contains(name) else {
                    if isStrict {
                        throw RouteFailure(
                            .undeclaredParameter,
                            "a query item is not declared; \(pattern.text) is strict",
                            pattern: pattern.text, value: "\(name)=\(value)")
                    }
                    continue
                }
                guard texts.updateValue(value, forKey: name) == nil else {
                    throw RouteFailure(
                        .repeatedParameter, "the parameter \(name) is given twice",
                        pattern: pattern.text, parameter: name, value: value)
                }
            }
        }
        switch route.open({ texts[$0] }) {
        case .success(let destination):
            return RouteMatch(
                pattern: pattern.text, isDestructive: route.isDestructive, target: destination)
        case .failure(let failure):
            throw RouteFailure(
                failure, pattern: pattern.text, value: texts[failure.declaration.name])
        }
    }
}

extension RoutePattern {
    /// The one host that it names.
    package var host: String? {
        if case .domain(let domain) = origin, !domain.isWildcard { domain.host } else { nil }
    }
}

/// Gathers the routes of a ``Router``.
///
/// ```swift
/// let router = try Router<Screen>(schemes: ["deeplink"]) {
///     Route("/videos", to: .videos)
///     if showsAccount {
///         Route("/account", to: .account)
///     }
/// }
/// ```
@resultBuilder
public enum RouterBuilder<Destination: Sendable> {
    /// Takes a route.
    public static func buildExpression(_ route: Route<Destination>) -> [Route<Destination>] {
        [route]
    }

    /// Takes routes that were made elsewhere.
    public static func buildExpression(_ routes: [Route<Destination>]) -> [Route<Destination>] {
        routes
    }

    /// Puts statements together.
    public static func buildBlock(_ routes: [Route<Destination>]...) -> [Route<Destination>] {
        routes.flatMap(\.self)
    }

    /// Takes an `if` without an `else`.
    public static func buildOptional(_ routes: [Route<Destination>]?) -> [Route<Destination>] {
        routes ?? []
    }

    /// Takes an `if`.
    public static func buildEither(first: [Route<Destination>]) -> [Route<Destination>] {
        first
    }

    /// Takes an `else`.
    public static func buildEither(second: [Route<Destination>]) -> [Route<Destination>] {
        second
    }

    /// Takes a loop.
    public static func buildArray(_ routes: [[Route<Destination>]]) -> [Route<Destination>] {
        routes.flatMap(\.self)
    }
}
