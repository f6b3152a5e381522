/// A parameter of a function.
struct Parameter {
    /// The label, or -1 for none.
    var label: Int32
    /// The name inside the function; -1 when it has none.
    var name: Int32
    /// The tokens of its type.
    var type: Range<Int>
}

/// A function, method, initializer or accessor of a source file.
struct Function {
    /// The type that it belongs to, or -1.
    var owner: Int32
    /// The first word of its name.
    var base: Int32
    /// `application(_:open:options:)`, `application:openURL:options:`.
    var name: String
    var parameters: [Parameter] = []
    var isAsync = false
    var isStatic = false
    /// The token of its name.
    var place: Int
    /// The tokens between the braces; nil when it has none.
    var body: Range<Int>?
    /// Whether it is the value or the accessors of a property.
    var isAccessor = false
    /// Of a function that makes a SwiftUI view, what the view consists of.
    var parts: [ViewPart] = []
}

/// A stored or computed property.
struct Property {
    var name: Int32
    /// The tokens behind the name, at most to the end of the line.
    var rest: Range<Int>
    var place: Int
    var isStatic: Bool
    var isVariable: Bool
}

/// One declaration of a type, or an extension of it.
struct TypeDeclaration {
    enum Kind {
        case class_, value, protocol_, extension_
    }

    var kind: Kind
    var name: Int32
    /// Superclass and protocols, as they stand there; `A.B` is `B`.
    var supers: [Int32] = []
    /// Whether its methods stand here: not in an interface without its implementation.
    var isImplementation = false
    /// Whether it overrides something, so that the first of ``supers`` is a class.
    var hasOverrides = false
    /// `@main`, `@UIApplicationMain`.
    var isMain = false
    /// The name that Objective-C knows it by, or -1.
    var otherName: Int32 = -1
    var place: Int
    var functions: [Function] = []
    var properties: [Property] = []
}

/// What a file declares.
struct Declarations {
    var types: [TypeDeclaration] = []
    /// Functions outside of types.
    var functions: [Function] = []
    /// `typealias A = B & C`.
    var aliases: [(name: Int32, targets: [Int32])] = []
    /// `let name = "text"`, wherever it stands.
    var constants: [(name: Int32, text: Int32)] = []
    /// The call of `UIApplicationMain`.
    var main: MainCall?
}

/// A scope that is still to be read: its tokens, and the type that it belongs to.
struct PendingScope {
    var range: Range<Int>
    /// The index among ``Declarations/types``, or -1 outside of types.
    var type: Int
}
