#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreValues

/// The destination of a link, with every declared parameter valid.
///
/// ```swift
/// let match = try router.match("deeplink://videos/42")
/// if let screen = match.destination {
///     shown.append(screen)
/// } else {
///     questions.append("Delete the video?")  // then match.confirmed() is the screen
/// }
/// ```
public struct RouteMatch<Destination: Sendable>: Sendable {
    /// The pattern of the route.
    public let pattern: String
    /// Whether the route destroys something; see ``Route/destructive()``.
    public let isDestructive: Bool
    private let target: Destination

    package init(pattern: String, isDestructive: Bool, target: Destination) {
        self.pattern = pattern
        self.isDestructive = isDestructive
        self.target = target
    }

    /// The destination, unless the user must agree first.
    public var destination: Destination? {
        isDestructive ? nil : target
    }

    /// Returns the destination of any route.
    ///
    /// For a destructive route, call it once the user has agreed.
    public func confirmed() -> Destination {
        target
    }
}

/// The reason why a router doesn't route a link.
///
/// Its ``description`` and its ``error`` contain nothing of the link; ``value`` does, only for the
/// app.
///
/// ```swift
/// do {
///     _ = try router.match("deeplink://videos/forty-two")
/// } catch {
///     log.append(error.error.message)  // holds nothing of the link
/// }
/// ```
public struct RouteFailure: Error, Sendable {
    /// The kind of failure: ``SceneStoreError/Code/linkRefused``,
    /// ``SceneStoreError/Code/noRoute`` or one of a parameter's.
    public let code: SceneStoreError.Code
    /// The pattern of the route that would have taken the link.
    public let pattern: String?
    /// The parameter in question.
    public let parameter: String?
    /// The parameter's text, if there is one. It is private, and may be as long as a link.
    public let value: String?
    /// One line for people, free of the link's text.
    public let message: String
    /// The reason why the link was refused before any route was tried.
    public let refusal: LinkRefusal?

    package init(
        _ code: SceneStoreError.Code, _ message: String, pattern: String? = nil,
        parameter: String? = nil, value: String? = nil, refusal: LinkRefusal? = nil
    ) {
        self.code = code
        self.message = message
        self.pattern = pattern
        self.parameter = parameter
        self.value = value
        self.refusal = refusal
    }

    package init(_ refusal: LinkRefusal) {
        self.init(.linkRefused, "\(refusal)", refusal: refusal)
    }

    package init(_ failure: RouteParameterFailure, pattern: String, value: String?) {
        let declaration = failure.declaration
        let code: SceneStoreError.Code
        let what: String
        switch failure.trouble {
        case .missing: (code, what) = (.missingParameter, "is missing")
        case .malformed: (code, what) = (.malformedParameter, "is malformed")
        case .outOfRange: (code, what) = (.parameterOutOfRange, "is out of range")
        case .tooLong: (code, what) = (.parameterTooLong, "is too long")
        }
        self.init(
            code,
            "the parameter \(declaration.name) \(what); \(pattern) wants \(declaration.typeName)",
            pattern: pattern, parameter: declaration.name, value: value)
    }

    /// The failure as the package's error; its path is the parameter.
    public var error: SceneStoreError {
        SceneStoreError(code, message, path: parameter)
    }
}

extension RouteFailure: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The code and the message; never the value.
    public var description: String {
        error.description
    }

    /// The code and the message; never the value.
    public var debugDescription: String {
        description
    }

    /// The parts that may be shown; never the value.
    public var customMirror: Mirror {
        Mirror(self, children: ["code": code.rawValue, "message": message])
    }
}

extension RouteFailure: LocalizedError {
    /// The code and the message; never the value.
    public var errorDescription: String? { description }
    /// The description of the problem; never the value.
    public var failureReason: String? { message }
    /// The remedy, if the link was refused.
    public var recoverySuggestion: String? { refusal?.hint }
}

extension SceneStoreError.Code {
    /// No route has the shape of a link.
    public static let noRoute = Self("noRoute")
    /// A parameter that a route needs is not given.
    public static let missingParameter = Self("missingParameter")
    /// A parameter's text is not a value of its type.
    public static let malformedParameter = Self("malformedParameter")
    /// A parameter's value is not among the allowed ones.
    public static let parameterOutOfRange = Self("parameterOutOfRange")
    /// A parameter's text is longer than allowed.
    public static let parameterTooLong = Self("parameterTooLong")
    /// A declared parameter is given twice.
    public static let repeatedParameter = Self("repeatedParameter")
    /// A query item is not declared, and the router is strict.
    public static let undeclaredParameter = Self("undeclaredParameter")
    /// The routes of a router contradict each other, or one is malformed.
    public static let invalidRoutes = Self("invalidRoutes")
    /// No route prints a destination.
    public static let unprintableDestination = Self("unprintableDestination")
}
