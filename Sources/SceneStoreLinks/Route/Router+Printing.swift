import SceneStoreValues

/// Prints the link that leads to a route (K-25).
extension Router {
    /// Returns the link to a destination.
    ///
    /// The link is checked by the same rules as a link from outside. The router also checks that it
    /// leads back to the route that printed it, so following the link gives the destination again.
    ///
    /// - Parameters:
    ///   - destination: The destination of the link.
    ///   - scheme: One of the app's schemes, or `https`. Without it the route's own origin is used,
    ///     or else the first domain that is not a wildcard, or else the first scheme.
    /// - Throws: ``SceneStoreError/Code/unprintableDestination`` when no route prints it, when a
    ///   value has no text that a link can hold, or when the router has no such origin.
    public func link(
        to destination: Destination, scheme: String? = nil
    ) throws(SceneStoreError) -> CheckedLink {
        var reason = "no route can print the destination"
        for (index, route) in routes.enumerated() {
            guard let texts = route.print(destination) else {
                continue
            }
            guard let origin = origin(of: route, scheme: scheme?.lowercased()) else {
                reason = "\(route.pattern.text) has no scheme or host to print"
                continue
            }
            guard let text = Self.text(route, texts, origin) else {
                reason = "a value of \(route.pattern.text) can't be in a path"
                continue
            }
            do throws(LinkRefusal) {
                let link = try CheckedLink(text, policy: policy)
                if self.route(for: link, segments: link.segments) == index,
                    (try? match(link)) != nil
                {
                    return link
                }
                reason = "the link of \(route.pattern.text) would lead to another route"
            } catch {
                reason = "the link of \(route.pattern.text) would be refused: \(error.message)"
            }
        }
        throw SceneStoreError(.unprintableDestination, reason)
    }

    /// What a link begins with, and whether the first segment follows at once.
    private func origin(of route: Route<Destination>, scheme: String?) -> String? {
        func concrete(_ domains: [AssociatedDomain]) -> String? {
            domains.first { !$0.isWildcard }.map { "https://\($0.host)/" }
        }
        switch route.pattern.origin {
        case .scheme(let own):
            return scheme ?? own == own ? "\(own)://" : nil
        case .domain(let domain):
            guard scheme ?? "https" == "https" else {
                return nil
            }
            return concrete([domain]) ?? concrete(domains.filter { domain.contains($0.host) })
        case nil:
            if let scheme {
                return scheme == "https"
                    ? concrete(domains) : schemes.contains(scheme) ? "\(scheme)://" : nil
            }
            return concrete(domains) ?? schemes.first.map { "\($0)://" }
        }
    }

    private static func text(
        _ route: Route<Destination>, _ texts: Route<Destination>.Texts, _ origin: String
    ) -> String? {
        var segments: [String] = []
        for segment in route.pattern.segments {
            switch segment {
            case .literal(let text):
                segments.append(text)
            case .parameter(let name):
                guard let text = texts.first(where: { $0.name == name })?.text, !text.isEmpty else {
                    return nil
                }
                segments.append(text)
            case .rest(let name):
                guard let text = texts.first(where: { $0.name == name })?.text else {
                    return nil
                }
                segments += text.split(separator: "/", omittingEmptySubsequences: false)
                    .map(String.init)
            }
        }
        let names = Set(route.declarations.lazy.filter { $0.place == .query }.map(\.name))
        let items = texts.compactMap { name, text in
            names.contains(name)
                ? text.map { "\(PercentCoding.encoded(name))=\(PercentCoding.encoded($0))" } : nil
        }
        return origin + segments.map(PercentCoding.encoded).joined(separator: "/")
            + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }
}
