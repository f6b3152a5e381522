/// A change to the values of a state, for migrations that keep no older type.
///
/// ```swift
/// let migration = StateMigration.from(
///     1, .rename("body", to: "text"), .convert("cursor", to: .integer), .drop("draft"))
/// try activity.migrateState(to: 2, by: [migration])
/// ```
///
/// A missing value is no error, because it may be optional. A change that would lose a value, such
/// as a move to a key that has a value, throws ``SceneStoreError/Code/migrationFailed`` with the
/// key path; the state is withheld then.
public struct StateChange: Sendable {
    let apply: @Sendable (inout ValueDictionary) throws(SceneStoreError) -> Void

    /// Renames a value's key in the same dictionary.
    public static func rename(_ path: StatePath, to key: String) -> StateChange {
        move(path, to: StatePath(path.keys.dropLast() + [key]))
    }

    /// Moves a value somewhere else. Missing dictionaries on the new path are made.
    public static func move(_ old: StatePath, to new: StatePath) -> StateChange {
        StateChange { values throws(SceneStoreError) in
            var moved: Value?
            try old.update(&values) { (moved, $0) = ($0, nil) }
            guard let moved else {
                return
            }
            try new.update(&values) { value throws(SceneStoreError) in
                guard value == nil else {
                    throw new.failure("the key already has another value; drop or move it first")
                }
                value = moved
            }
        }
    }

    /// Removes a value.
    public static func drop(_ path: StatePath) -> StateChange {
        StateChange { values throws(SceneStoreError) in try path.update(&values) { $0 = nil } }
    }

    /// Adds a value where there is none.
    public static func add(_ path: StatePath, _ value: Value) -> StateChange {
        StateChange { values throws(SceneStoreError) in
            try path.update(&values) { $0 = $0 ?? value }
        }
    }

    /// Makes another value of one. If the closure throws, the state is withheld.
    public static func change(
        _ path: StatePath, _ change: @escaping @Sendable (Value) throws -> Value
    ) -> StateChange {
        StateChange { values throws(SceneStoreError) in
            try path.update(&values) { value throws(SceneStoreError) in
                do {
                    value = try value.map(change)
                } catch {
                    throw (error as? SceneStoreError)
                        ?? path.failure("the app's migration threw \(type(of: error))")
                }
            }
        }
    }

    /// A kind that ``convert(_:to:)`` makes.
    public enum Kind: Sendable {
        /// A Boolean, of 0 and 1.
        case boolean
        /// An integer, made from an integral number or from its digits.
        case integer
        /// A floating point number, of an integer that it holds exactly or of a number's text.
        case double
        /// Text, of a number or a Boolean.
        case string
    }

    /// Converts a value to another kind, if nothing is lost. Null stays null.
    public static func convert(_ path: StatePath, to kind: Kind) -> StateChange {
        change(path) { value throws(SceneStoreError) in
            guard let converted = value == .null ? value : value.converted(to: kind) else {
                throw path.failure("the value can't be converted without a loss")
            }
            return converted
        }
    }
}

/// A place in a state: a key, or the keys of dictionaries within each other, outermost first.
///
/// ```swift
/// let start: StatePath = ["selection", "start"]
/// try activity.migrateState(to: 2, by: [.from(1, .move("cursor", to: start))])
/// ```
public struct StatePath: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The keys, outermost first.
    package let keys: [String]

    /// Makes a path from keys, outermost first.
    public init(_ keys: [String]) {
        self.keys = keys
    }

    /// Makes the path of one key; a dot in the key has no meaning.
    public init(stringLiteral key: String) {
        keys = [key]
    }

    /// Makes a path from keys, outermost first.
    public init(arrayLiteral keys: String...) {
        self.keys = keys
    }

    /// Changes the value at the place, nil where there is none. For a new one, missing dictionaries on
    /// the way are made.
    func update(
        _ values: inout ValueDictionary, depth: Int = 0,
        _ change: (inout Value?) throws(SceneStoreError) -> Void
    ) throws(SceneStoreError) {
        guard depth < keys.count else {
            throw failure("a path needs a key")
        }
        let known = values[keys[depth]]
        var value = known
        if depth == keys.count - 1 {
            try change(&value)
        } else {
            var inner = ValueDictionary()
            if let known {
                guard case .dictionary(let dictionary) = known else {
                    throw failure("the value is not a dictionary", depth: depth + 1)
                }
                inner = dictionary
            }
            try update(&inner, depth: depth + 1, change)
            value = known == nil && inner.isEmpty ? nil : .dictionary(inner)
        }
        if value != known {
            values[keys[depth]] = value
        }
    }

    func failure(_ message: String, depth: Int? = nil) -> SceneStoreError {
        SceneStoreError(
            .migrationFailed, message,
            path: KeyPathText.text(
                root: "userInfo", steps: keys.prefix(depth ?? keys.count).map { .key($0) }))
    }
}

extension Value {
    /// The value as another kind; nil when that would lose something.
    fileprivate func converted(to kind: StateChange.Kind) -> Value? {
        switch (kind, self) {
        case (.boolean, .boolean), (.integer, .integer), (.double, .double), (.string, .string):
            self
        case (.boolean, .integer(0)): .boolean(false)
        case (.boolean, .integer(1)): .boolean(true)
        case (.integer, .boolean(let flag)): .integer(flag ? 1 : 0)
        case (.integer, .double(let number)): Int64(exactly: number).map { .integer($0) }
        case (.integer, .string(let text)):
            Int64(text).flatMap { String($0) == text ? .integer($0) : nil }
        case (.double, .integer(let number)): Double(exactly: number).map { .double($0) }
        case (.double, .string(let text)): Double(text).map { .double($0) }
        case (.string, .integer(let number)): .string(String(number))
        case (.string, .double(let number)): .string(String(number))
        case (.string, .boolean(let flag)): .string(String(flag))
        default: nil
        }
    }
}
