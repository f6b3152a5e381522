import SceneStoreValues

/// Looks at all routes of a router and collects what is wrong (K-20).
struct RouterCheck {
    private(set) var problems: [Diagnostic] = []
    private(set) var schemes: [String] = []
    private(set) var domains: [AssociatedDomain] = []

    init(schemes: [String], domains: [String]) {
        for scheme in schemes {
            let lower = scheme.lowercased()
            if lower == "https" {
                note(.routeBadOrigin, "https links come from domains, not from a scheme", scheme)
            } else if let problem = RoutePattern.problem(ofScheme: lower) {
                note(.routeBadOrigin, problem, scheme)
            } else if !self.schemes.contains(lower) {
                self.schemes.append(lower)
            }
        }
        for domain in domains {
            do throws(SceneStoreError) {
                self.domains.append(try AssociatedDomain(domain))
            } catch {
                note(.routeBadOrigin, error.message, domain)
            }
        }
    }

    private mutating func note(
        _ code: Diagnostic.Code, _ message: String, _ place: String, fix: String? = nil
    ) {
        problems.append(Diagnostic(code, .error, message, path: place, fix: fix))
    }

    /// The tree of all routes that have no problem of their own.
    mutating func tree<Destination>(of routes: [Route<Destination>]) -> RouteTree {
        var tree = RouteTree()
        for (index, route) in routes.enumerated() {
            let pattern = route.pattern
            for problem in pattern.problems {
                note(.routeBadPattern, problem, pattern.text)
            }
            checkNames(pattern, route.declarations)
            guard pattern.problems.isEmpty else {
                continue
            }
            if pattern.origin == nil, schemes.isEmpty, domains.isEmpty {
                note(
                    .routeUnreachable, "the router has neither schemes nor domains", pattern.text,
                    fix: "pass the app's schemes and domains, or name one in the pattern")
            }
            for earlier in tree.add(pattern, route: index) {
                compare(pattern, with: routes[earlier].pattern)
            }
        }
        let sound = routes.filter { $0.pattern.problems.isEmpty }
        let origins = Dictionary(grouping: sound.map(\.pattern), by: \.shape)
            .mapValues { $0.map(\.origin) }
        for route in sound {
            checkShadow(route, origins)
        }
        return tree
    }

    private mutating func checkNames(_ pattern: RoutePattern, _ declarations: [RouteDeclaration]) {
        var seen: Set<String> = []
        for name in pattern.names where !seen.insert(name).inserted {
            note(.routeBadName, "the pattern names \(name) twice", pattern.text)
        }
        var declared: Set<String> = []
        for declaration in declarations {
            let name = declaration.name
            if !declared.insert(name).inserted {
                note(.routeBadName, "the parameter \(name) is declared twice", pattern.text)
            }
            switch declaration.place {
            case .query:
                if name.isEmpty {
                    note(.routeBadName, "a query parameter has no name", pattern.text)
                } else if seen.contains(name) {
                    note(
                        .routeBadName, "\(name) is declared in the query and is in the path",
                        pattern.text, fix: "declare it with .path or .rest")
                }
            case .path where !pattern.segments.contains(.parameter(name)):
                note(
                    .routeBadName, "the pattern has no segment :\(name)", pattern.text,
                    fix: "name it in the pattern, or declare it with .query")
            case .rest where !pattern.segments.contains(.rest(name)):
                note(
                    .routeBadName, "the pattern does not end with *\(name)", pattern.text,
                    fix: "name it in the pattern, or declare it with .path")
            case .path, .rest:
                break
            }
        }
        for name in pattern.names where !declared.contains(name) {
            note(
                .routeBadName, "the parameter \(name) of the pattern is not declared",
                pattern.text, fix: "declare it, as in .path(\"\(name)\")")
        }
    }

    /// Two patterns of one shape: the same links, or some of them.
    private mutating func compare(_ pattern: RoutePattern, with earlier: RoutePattern) {
        if pattern.origin == earlier.origin {
            note(
                .routeDuplicate, "it takes the same links as \(earlier.text), which comes first",
                pattern.text, fix: "make one route of the two, with optional query parameters")
        } else if case .domain(let mine) = pattern.origin,
            case .domain(let other) = earlier.origin, other.isWildcard,
            other.contains(mine.host)
        {
            note(
                .routeShadowed, "\(earlier.text) comes first and takes all of its links",
                pattern.text, fix: "declare the narrower route first")
        }
    }

    /// Whether a route without an origin takes links of this one, too.
    private func isListed(_ origin: RoutePattern.Origin?) -> Bool {
        switch origin {
        case .scheme(let scheme): schemes.contains(scheme)
        case .domain(let domain): domains.contains(domain)
        case nil: true
        }
    }

    /// A route that others of higher precedence leave no link; `origins` are those of all routes,
    /// by their shape.
    private mutating func checkShadow<Destination>(
        _ route: Route<Destination>, _ origins: [[RoutePattern.Segment]: [RoutePattern.Origin?]]
    ) {
        let pattern = route.pattern
        let shape = pattern.shape
        let twins = origins[shape] ?? []
        if pattern.origin == nil, !schemes.isEmpty || !domains.isEmpty,
            schemes.allSatisfy({ twins.contains(.scheme($0)) }),
            domains.allSatisfy({ twins.contains(.domain($0)) })
        {
            note(
                .routeShadowed, "routes for each scheme and domain take all of its links",
                pattern.text, fix: "remove it, or the routes that name an origin")
        }
        // A parameter with few values, each of which is a literal segment elsewhere.
        for (index, segment) in pattern.segments.enumerated() {
            guard case .parameter(let name) = segment,
                let texts = route.declarations.first(where: { $0.name == name })?.texts,
                !texts.isEmpty
            else {
                continue
            }
            let isShadowed = texts.allSatisfy { text in
                var literal = shape
                literal[index] = .literal(text)
                return origins[literal]?.contains {
                    $0 == pattern.origin || $0 == nil && isListed(pattern.origin)
                } ?? false
            }
            if isShadowed {
                note(
                    .routeShadowed,
                    "every value of \(name) is a literal segment of another route",
                    pattern.text, fix: "remove it, or the routes with the literals")
            }
        }
    }
}

extension RoutePattern {
    /// The segments without the names.
    package var shape: [Segment] {
        segments.map {
            switch $0 {
            case .literal: $0
            case .parameter: .parameter("")
            case .rest: .rest("")
            }
        }
    }
}

extension Diagnostic.Code {
    /// A route's pattern is malformed.
    public static let routeBadPattern = Self("routeBadPattern")
    /// A route's parameters and its pattern don't fit together.
    public static let routeBadName = Self("routeBadName")
    /// A scheme or domain that can't be one.
    public static let routeBadOrigin = Self("routeBadOrigin")
    /// Two routes take the same links.
    public static let routeDuplicate = Self("routeDuplicate")
    /// Other routes take all links of a route.
    public static let routeShadowed = Self("routeShadowed")
    /// No link can reach a route.
    public static let routeUnreachable = Self("routeUnreachable")
}
