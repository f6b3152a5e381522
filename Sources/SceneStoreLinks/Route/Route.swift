import SceneStoreValues

/// A link pattern, its typed parameters, and the destination that they lead to.
///
/// ```swift
/// let account = Route<Screen>("/account", to: .account)
/// let video = Route<Screen>(
///     "/videos/:id", .path("id"), open: Screen.video(id:), print: \.videoID)
/// let problems = Router.problems(of: [account, video], schemes: ["deeplink"])
/// ```
///
/// The first closure gets values of the declared types, in the order of the declaration; it is
/// called only when all of them are valid. The second one takes a destination apart again, so that
/// the router can print links.
///
/// ## Topics
/// ### Making routes
/// - ``init(_:to:)``
/// - ``init(_:_:open:print:)``
/// - ``destructive()``
public struct Route<Destination: Sendable>: Sendable {
    /// A destination taken apart, by its parameters.
    package typealias Texts = [(name: String, text: String?)]

    package let pattern: RoutePattern
    package let declarations: [RouteDeclaration]
    /// Whether the app must confirm before it follows such a link; see ``destructive()``.
    public private(set) var isDestructive = false
    /// The destination for the texts of the declared parameters.
    package let open: @Sendable ((String) -> String?) -> Result<Destination, RouteParameterFailure>
    /// The texts of a destination; `nil` when it isn't this route's, or has no text.
    package let print: @Sendable (Destination) -> Texts?

    /// Makes a route without parameters.
    ///
    /// - Parameters:
    ///   - pattern: Such as `/videos/new`, `deeplink://account` or `https://example.com/about`.
    ///   - destination: Where the link leads.
    public init(_ pattern: String, to destination: Destination) where Destination: Equatable {
        self.pattern = RoutePattern(pattern)
        declarations = []
        open = { _ in .success(destination) }
        print = { $0 == destination ? [] : nil }
    }

    /// Makes a route with parameters.
    ///
    /// - Parameters:
    ///   - pattern: Such as `/videos/:id` or `/files/*path`. Each `:name` and `*name` needs a
    ///     parameter of that name.
    ///   - parameters: The parameters of the path and the query with their types.
    ///   - open: The destination that the values lead to.
    ///   - print: The values that lead to a destination, or `nil` when it isn't this route's.
    public init<each Value: Sendable>(
        _ pattern: String, _ parameters: repeat RouteParameter<each Value>,
        open: @escaping @Sendable (repeat each Value) -> Destination,
        print: @escaping @Sendable (Destination) -> (repeat each Value)?
    ) {
        self.pattern = RoutePattern(pattern)
        var declarations: [RouteDeclaration] = []
        repeat declarations.append((each parameters).declaration)
        self.declarations = declarations
        self.open = { text in
            do throws(RouteParameterFailure) {
                return .success(
                    open(
                        repeat try (each parameters).value(
                            text((each parameters).declaration.name))))
            } catch {
                return .failure(error)
            }
        }
        self.print = { destination in
            guard let values = print(destination) else {
                return nil
            }
            var texts: [(name: String, text: String?)] = []
            var isWhole = true
            func add<One>(_ parameter: RouteParameter<One>, _ value: One) {
                if let text = parameter.print(value) {
                    texts.append((parameter.declaration.name, text))
                } else {
                    isWhole = false
                }
            }
            repeat add(each parameters, each values)
            return isWhole ? texts : nil
        }
    }

    /// Returns the same route, marked as destructive.
    ///
    /// Anybody can make a user follow a link. The destination of such a route is therefore
    /// available only by ``RouteMatch/confirmed()``, which the app calls once the user has agreed.
    public func destructive() -> Route {
        var copy = self
        copy.isDestructive = true
        return copy
    }
}
