import SceneStoreValues

/// A parameter that a route declares: its name, its place and its type (K-22, R-33).
///
/// ```swift
/// let id = RouteParameter.path("id")
/// let start = RouteParameter.query("t", .integer(in: 0...86_400), default: 0)
/// let route = Route<Screen>("/videos/:id", id, start) { id, _ in
///     .video(id: id)
/// } print: {
///     $0.videoID.map { ($0, 0) }
/// }
/// ```
///
/// ## Topics
/// - ``path(_:)``
/// - ``path(_:_:)``
/// - ``rest(_:)``
/// - ``query(_:_:)``
/// - ``query(_:optional:)``
/// - ``query(_:_:default:)``
public struct RouteParameter<Value: Sendable>: Sendable {
    package let declaration: RouteDeclaration
    package let parse: @Sendable (String?) -> Result<Value, RouteParameterTrouble>
    /// The text of a value; `.some(nil)` leaves the item out, `nil` means that it has no text.
    package let print: @Sendable (Value) -> String??

    private init(
        _ declaration: RouteDeclaration,
        parse: @escaping @Sendable (String?) -> Result<Value, RouteParameterTrouble>,
        print: @escaping @Sendable (Value) -> String??
    ) {
        self.declaration = declaration
        self.parse = parse
        self.print = print
    }

    private init(
        _ name: String, _ place: RouteDeclaration.Place, _ type: RouteParameterType<Value>
    ) {
        self.init(
            RouteDeclaration(
                name: name, place: place, typeName: type.name,
                texts: type.texts),
            parse: { text in
                guard let text else {
                    return .failure(.missing)
                }
                return Self.read(text, type)
            },
            print: { value in type.print(value).map { .some($0) } })
    }

    private static func read<Wrapped>(
        _ text: String, _ type: RouteParameterType<Wrapped>
    ) -> Result<Wrapped, RouteParameterTrouble> {
        type.parse(text).mapError {
            switch $0 {
            case .malformed: .malformed
            case .outOfRange: .outOfRange
            case .tooLong: .tooLong
            }
        }
    }

    private static func item(_ name: String, _ typeName: String) -> RouteDeclaration {
        RouteDeclaration(name: name, place: .query, typeName: typeName)
    }

    /// The value of a text, or which parameter has none.
    package func value(_ text: String?) throws(RouteParameterFailure) -> Value {
        switch parse(text) {
        case .success(let value): return value
        case .failure(let trouble):
            throw RouteParameterFailure(declaration: declaration, trouble: trouble)
        }
    }

    /// Returns a parameter for the segment that the pattern names `:name`.
    public static func path(_ name: String, _ type: RouteParameterType<Value>) -> Self {
        Self(name, .path, type)
    }

    /// Returns a parameter for a query item that must be given, once.
    public static func query(_ name: String, _ type: RouteParameterType<Value>) -> Self {
        Self(name, .query, type)
    }

    /// Returns a parameter for a query item that has a default value.
    ///
    /// A printed link always includes the item.
    public static func query(
        _ name: String, _ type: RouteParameterType<Value>, default value: Value
    ) -> Self {
        Self(
            item(name, type.name),
            parse: { $0.map { Self.read($0, type) } ?? .success(value) },
            print: { value in type.print(value).map { .some($0) } })
    }

    /// Returns a parameter for a query item that may be absent.
    public static func query<Wrapped>(
        _ name: String, optional type: RouteParameterType<Wrapped>
    ) -> Self where Value == Wrapped? {
        Self(
            item(name, type.name),
            parse: { text in
                guard let text else {
                    return .success(nil)
                }
                return Self.read(text, type).map { .some($0) }
            },
            print: { value in
                guard let value else {
                    return .some(nil)
                }
                return type.print(value).map { .some($0) }
            })
    }
}

extension RouteParameter where Value == String {
    /// Returns a parameter for the segment that the pattern names `:name`, as text.
    public static func path(_ name: String) -> Self {
        .path(name, .string)
    }
}

extension RouteParameter where Value == [String] {
    /// Returns a parameter for the segments that the pattern names `*name`, 1 to 64 of them.
    public static func rest(_ name: String) -> Self {
        Self(
            RouteDeclaration(name: name, place: .rest, typeName: "path"),
            parse: { text in
                guard let text else {
                    return .failure(.missing)
                }
                let segments = text.split(separator: "/", omittingEmptySubsequences: false)
                return segments.count > 64
                    ? .failure(.tooLong)
                    : segments.contains("")
                        ? .failure(.malformed) : .success(segments.map(String.init))
            },
            print: { segments in
                guard !segments.isEmpty, segments.count <= 64,
                    !segments.contains(where: { $0.isEmpty || $0.utf8.contains(UInt8(ascii: "/")) })
                else {
                    return nil
                }
                return .some(segments.joined(separator: "/"))
            })
    }
}
