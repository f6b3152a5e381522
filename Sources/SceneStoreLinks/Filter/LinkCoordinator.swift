import SceneStoreValues

/// Asks handlers and routers, one after the other, until one of them opens a link (K-23).
///
/// Not `Sendable`: it belongs to the isolation of its handlers, for most apps the main actor.
///
/// ```swift
/// var coordinator = LinkCoordinator()
/// coordinator.add(ImportHandler(importer: importer))
/// coordinator.add(router, name: "screens") { match in
///     shown.append(match.confirmed())
///     return true
/// }
/// let name = coordinator.open(link).openedBy  // "screens"
/// ```
public struct LinkCoordinator {
    /// The reaction of one handler or router.
    ///
    /// ```swift
    /// for case (let name, .cannotOpen) in coordinator.open(link).asked {
    ///     others.append(name)  // those whose links these are not
    /// }
    /// ```
    public enum Reaction: Sendable {
        /// The handler opened the link, and no other handler was asked.
        case opened
        /// It could have opened the link, and declined.
        case declined
        /// It is not for such links.
        case cannotOpen
        /// A route has the link's shape, but refuses it. No other handler is asked.
        ///
        /// A link that failed validation must not reach a handler that validates less.
        case refused(RouteFailure)
    }

    /// The outcome of a link.
    public struct Outcome: Sendable {
        /// The handlers that were asked, in order, with their reactions.
        public fileprivate(set) var asked: [(name: String, reaction: Reaction)] = []

        /// The name of the handler or router that opened the link.
        public var openedBy: String? {
            asked.first { if case .opened = $0.reaction { true } else { false } }?.name
        }

        /// The reason why a route refused it.
        public var failure: RouteFailure? {
            asked.lazy.compactMap {
                if case .refused(let failure) = $0.reaction { failure } else { nil }
            }.first
        }

        /// The outcome in lines.
        public var lines: [String] {
            asked.map { name, reaction in
                switch reaction {
                case .opened: "\(name): opened the link"
                case .declined: "\(name): declined"
                case .cannotOpen: "\(name): not for such links"
                case .refused(let failure): "\(name): refused, \(failure.message)"
                }
            } + (asked.isEmpty ? ["there is no handler to ask; add handlers or routers"] : [])
        }
    }

    private struct Entry {
        var name: String
        /// Opens a link, or only says whether it would.
        var react: (_ link: CheckedLink, _ opens: Bool) -> Reaction
    }

    private var entries: [Entry] = []

    /// Makes a coordinator without handlers.
    public init() {}

    /// Adds a handler after the existing ones.
    public mutating func add(_ handler: any LinkHandler) {
        entries.append(
            Entry(
                name: handler.linkHandlerName,
                react: { link, opens in
                    guard handler.canOpen(link) else {
                        return .cannotOpen
                    }
                    return !opens || handler.open(link) ? .opened : .declined
                }))
    }

    /// Adds a router after the existing handlers.
    ///
    /// - Parameters:
    ///   - router: Its destination goes to `open` when all parameters are valid.
    ///   - name: The router's name in results.
    ///   - open: Follows the match; false declines, and the next one is asked.
    public mutating func add<Destination>(
        _ router: Router<Destination>, name: String = "router",
        open: @escaping (RouteMatch<Destination>) -> Bool
    ) {
        entries.append(
            Entry(
                name: name,
                react: { link, opens in
                    do throws(RouteFailure) {
                        let match = try router.match(link)
                        return !opens || open(match) ? .opened : .declined
                    } catch {
                        return error.code == .noRoute ? .cannotOpen : .refused(error)
                    }
                }))
    }

    /// The names in the order in which they are asked.
    public var names: [String] {
        entries.map(\.name)
    }

    /// Returns whether a handler would open a link.
    public func canOpen(_ link: CheckedLink) -> Bool {
        ask(link, opens: false).openedBy != nil
    }

    /// Asks in order; the first that opens the link wins.
    public func open(_ link: CheckedLink) -> Outcome {
        ask(link, opens: true)
    }

    private func ask(_ link: CheckedLink, opens: Bool) -> Outcome {
        var outcome = Outcome()
        for entry in entries {
            let reaction = entry.react(link, opens)
            outcome.asked.append((entry.name, reaction))
            switch reaction {
            case .opened, .refused: return outcome
            case .declined, .cannotOpen: continue
            }
        }
        return outcome
    }
}
