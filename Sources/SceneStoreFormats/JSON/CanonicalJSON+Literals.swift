import SceneStoreValues

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
