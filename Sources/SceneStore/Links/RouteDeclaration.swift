/// A declared parameter without its type.
struct RouteDeclaration: Hashable, Sendable {
    /// Where the text stands.
    enum Place: Hashable, Sendable {
        case path
        case rest
        case query
    }

    var name: String
    var place: Place
    /// What explanations call the type.
    var typeName: String
    /// All texts that parse, when they are few enough to be listed.
    var texts: [String]?
}

/// Why a parameter has no value.
enum RouteParameterTrouble: Error, Hashable, Sendable {
    case missing
    case malformed
    case outOfRange
    case tooLong
}

/// Which parameter has no value, and why.
struct RouteParameterFailure: Error, Hashable, Sendable {
    var declaration: RouteDeclaration
    var trouble: RouteParameterTrouble
}
