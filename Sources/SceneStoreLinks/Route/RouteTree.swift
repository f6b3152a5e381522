import SceneStoreValues

/// The patterns of a router as a tree of segments.
///
/// A lookup tries a literal before a parameter before a rest, segment by segment, so the first
/// route it comes to is the one with precedence (K-21). Each node can be reached in one way only,
/// so a lookup visits at most all nodes: linear in the routes, whatever the link.
package struct RouteTree: Sendable {
    private struct Node: Sendable {
        var literals: [String: Int] = [:]
        var parameter: Int?
        /// The routes whose pattern ends here, in the order of declaration.
        var routes: [Int] = []
        /// The routes whose rest begins here.
        var restRoutes: [Int] = []
    }

    private var nodes = [Node()]

    /// Adds the pattern of a route; returns the earlier routes of the same shape.
    package mutating func add(_ pattern: RoutePattern, route: Int) -> [Int] {
        var node = 0
        for segment in pattern.segments {
            switch segment {
            case .literal(let text):
                if let next = nodes[node].literals[text] {
                    node = next
                } else {
                    nodes[node].literals[text] = nodes.count
                    node = nodes.count
                    nodes.append(Node())
                }
            case .parameter:
                if let next = nodes[node].parameter {
                    node = next
                } else {
                    nodes[node].parameter = nodes.count
                    node = nodes.count
                    nodes.append(Node())
                }
            case .rest:
                defer { nodes[node].restRoutes.append(route) }
                return nodes[node].restRoutes
            }
        }
        defer { nodes[node].routes.append(route) }
        return nodes[node].routes
    }

    /// The route with precedence among those whose whole pattern has the segments.
    ///
    /// - Parameters:
    ///   - segments: Decoded.
    ///   - choose: Of routes of one shape, the one that takes the link, if any.
    ///   - work: The nodes visited are added.
    package func first(
        matching segments: [String], work: inout Int, choose: ([Int]) -> Int?
    ) -> Int? {
        search(0, segments[...], work: &work, choose: choose)
    }

    /// Recurses at most as deep as the longest pattern.
    private func search(
        _ index: Int, _ rest: ArraySlice<String>, work: inout Int, choose: ([Int]) -> Int?
    ) -> Int? {
        work &+= 1
        let node = nodes[index]
        guard let segment = rest.first else {
            return node.routes.isEmpty ? nil : choose(node.routes)
        }
        if let next = node.literals[segment],
            let route = search(next, rest.dropFirst(), work: &work, choose: choose)
        {
            return route
        }
        if let next = node.parameter, !segment.isEmpty,
            let route = search(next, rest.dropFirst(), work: &work, choose: choose)
        {
            return route
        }
        guard !node.restRoutes.isEmpty, !rest.contains("") else {
            return nil
        }
        return choose(node.restRoutes)
    }
}
