import SceneStoreValues

/// A declared parameter without its type.
package struct RouteDeclaration: Hashable, Sendable {
    /// Where the text stands.
    package enum Place: Hashable, Sendable {
        case path
        case rest
        case query
    }

    package var name: String
    package var place: Place
    /// What explanations call the type.
    var typeName: String
    /// All texts that parse, when they are few enough to be listed.
    package var texts: [String]?
}

/// Why a parameter has no value.
package enum RouteParameterTrouble: Error, Hashable, Sendable {
    case missing
    case malformed
    case outOfRange
    case tooLong
}

/// Which parameter has no value, and why.
package struct RouteParameterFailure: Error, Hashable, Sendable {
    package var declaration: RouteDeclaration
    package var trouble: RouteParameterTrouble
}
