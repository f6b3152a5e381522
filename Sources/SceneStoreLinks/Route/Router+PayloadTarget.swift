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
    /// Returns nil, which asks the windows' conditions, when the payload has no link, no route takes it,
    /// or the route needs a confirmation first. Of several links the first counts.
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
