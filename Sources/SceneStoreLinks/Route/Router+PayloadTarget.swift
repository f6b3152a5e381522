import SceneStoreValues

extension Router {
    /// Returns the window for a payload, chosen by the route of its link (L-79).
    ///
    /// ```swift
    /// func target(for payload: Payload) -> PayloadTarget? {
    ///     router.target(for: payload) { destination in
    ///         switch destination {
    ///         case .note(let name): notes[name].map { .window($0) } ?? .new
    ///         case .settings: .role(.preferences)
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// Returns nil, so that the windows' conditions decide, if the payload has no link, no route
    /// takes the link, or the route needs a confirmation first. The payload is then delivered, also
    /// with a link that the router refuses. To refuse a payload, return ``PayloadTarget/handled``.
    /// If the payload has several links, the first counts.
    public func target(
        for payload: Payload, _ choose: (Destination) -> PayloadTarget?
    ) -> PayloadTarget? {
        guard let link = payload.firstLink else {
            return nil
        }
        do throws(RouteFailure) {
            return try match(link).destination.flatMap(choose)
        } catch {
            return nil
        }
    }
}

extension Payload {
    /// The link that a router would follow.
    fileprivate var firstLink: String? {
        switch self {
        case .urls(let contexts): contexts.first?.url
        case .activity(let activity, _): activity.webpageURL?.absoluteString
        case .shortcut, .notification: nil
        }
    }
}
