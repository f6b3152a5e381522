/// The bodies of a file's functions, so that those around a token are found without a look at all:
/// hostile sources have many functions, and many places.
struct FunctionBodies {
    /// Where a function stands among the declarations.
    struct Place {
        /// The index among ``Declarations/types``, or -1 outside of types.
        var type: Int
        var index: Int
    }

    private struct Body {
        var range: Range<Int>
        var place: Place
        /// The last body before it that may reach into it, or -1.
        var outer = -1
    }

    /// By where they begin, the longest first.
    private var bodies: [Body] = []

    init(_ declarations: Declarations) {
        func add(_ functions: [Function], type: Int) {
            for (index, function) in functions.enumerated() {
                if let range = function.body, !range.isEmpty {
                    bodies.append(Body(range: range, place: Place(type: type, index: index)))
                }
            }
        }
        add(declarations.functions, type: -1)
        for (type, declaration) in declarations.types.enumerated() {
            add(declaration.functions, type: type)
        }
        bodies.sort {
            ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
        }
        var open: [Int] = []
        for index in bodies.indices {
            while let last = open.last,
                bodies[last].range.upperBound <= bodies[index].range.lowerBound
            {
                open.removeLast()
            }
            bodies[index].outer = open.last ?? -1
            open.append(index)
        }
    }

    /// The functions whose body holds a token, the innermost first.
    func around(_ token: Int) -> [Place] {
        var found: [Place] = []
        var index = bodies.partitionPoint { $0.range.lowerBound <= token } - 1
        while index >= 0 {
            if bodies[index].range.contains(token) {
                found.append(bodies[index].place)
            }
            index = bodies[index].outer
        }
        return found
    }
}
