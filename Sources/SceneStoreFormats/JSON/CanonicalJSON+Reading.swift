import SceneStoreValues

extension CanonicalJSON {
    /// What a text may cost at most.
    package struct ReadingLimits: Sendable {
        /// Bytes of the text.
        package var bytes: Int
        /// Levels of arrays and objects.
        package var depth: Int
        /// Values, keys not counted.
        package var nodes: Int

        /// Makes limits.
        package init(bytes: Int = 64 << 20, depth: Int = 64, nodes: Int = 1_000_000) {
            self.bytes = bytes
            self.depth = depth
            self.nodes = nodes
        }
    }

    /// Reads one value (RFC 8259) of text from outside, without recursion.
    ///
    /// Refused: bytes after the value, equal keys in one object, invalid UTF-8, lone surrogates,
    /// raw control characters in strings, numbers beyond a `Double`. A byte-order mark in front
    /// is skipped. A number without point and exponent that fits is an integer, `-0` and every
    /// other number floating point. The text need not be canonical.
    ///
    /// Throws ``SceneStoreError/Code/malformedJSON``, ``SceneStoreError/Code/duplicateKey`` or
    /// ``SceneStoreError/Code/limitExceeded``, each with line and column, of a text that is a
    /// line of a file with the column alone: the caller knows the line.
    package init(
        parsing bytes: [UInt8], limits: ReadingLimits = ReadingLimits(), isLine: Bool = false
    ) throws(SceneStoreError) {
        var reader = CanonicalJSONReader(bytes: bytes, limits: limits, isLine: isLine)
        self = try reader.readDocument()
    }

    /// Reads one value of text from outside; see ``init(parsing:limits:isLine:)``.
    package init(
        parsing text: String, limits: ReadingLimits = ReadingLimits()
    ) throws(SceneStoreError) {
        try self.init(parsing: Array(text.utf8), limits: limits)
    }
}

extension CanonicalJSON {
    /// The text, if it is text.
    package var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The integer, if it is one.
    package var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, if it is one.
    package var doubleValue: Double? {
        switch self {
        case .double(let value): value
        case .integer(let value): Double(value)
        default: nil
        }
    }

    /// The Boolean, if it is one.
    package var booleanValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The elements, if it is an array.
    package var arrayValue: [CanonicalJSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The value of a key, if it is an object that has it.
    package subscript(key: String) -> CanonicalJSON? {
        objectValue?[key]
    }

    /// The members, if it is an object.
    package var objectValue: Object? {
        if case .object(let value) = self { value } else { nil }
    }
}

extension CanonicalJSON.Object {
    /// Makes an object, or nil when two keys are equal.
    package init?(distinct members: [Member]) {
        self.init(members)
        guard self.members.count == members.count else {
            return nil
        }
    }

    /// The value of a key; setting nil removes it.
    package subscript(key: String) -> CanonicalJSON? {
        get {
            let index = lowerBound(of: key)
            guard index < members.count, members[index].key.hasSameBytes(as: key) else {
                return nil
            }
            return members[index].value
        }
        set {
            let others = members.filter { !$0.key.hasSameBytes(as: key) }
            self = Self(newValue.map { others + [(key, $0)] } ?? others)
        }
    }

    private func lowerBound(of key: String) -> Int {
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low + high) / 2
            if members[middle].key.utf8.lexicographicallyPrecedes(key.utf8) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension SceneStoreError.Code {
    /// Text that should be JSON is not.
    public static let malformedJSON = Self("malformedJSON")
    /// One JSON object has two equal keys.
    public static let duplicateKey = Self("duplicateKey")
}

/// Values are equal when their texts are. Strings are compared by their bytes.
extension CanonicalJSON: Hashable {
    /// Compares what would be written.
    package static func == (left: CanonicalJSON, right: CanonicalJSON) -> Bool {
        left.bytes == right.bytes
    }

    /// Hashes what ``==(_:_:)`` compares.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(bytes)
    }
}

extension CanonicalJSON: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
    package init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    package init(floatLiteral value: Double) {
        self = .double(value)
    }

    package init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }

    package init(arrayLiteral elements: CanonicalJSON...) {
        self = .array(elements)
    }

    package init(nilLiteral: ()) {
        self = .null
    }
}
