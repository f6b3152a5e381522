/// A JSON value (RFC 8259) whose text is the same bytes on every run and machine.
///
/// - Keys are sorted by their UTF-8 bytes and distinct; no blanks stand between tokens.
/// - Integers are written whole, floating point numbers as the shortest text that reads back as
///   the same number and always with a point or an exponent, so that `1` and `1.0` stay apart.
/// - JSON has no infinities and no NaN: they are the strings `"NaN"`, `"Infinity"` and
///   `"-Infinity"`.
/// - What a terminal would obey is written as `\uXXXX`; see ``TextEscaping``. Everything else is
///   UTF-8.
///
/// `SceneStoreFormats` reads and compares them.
package enum CanonicalJSON: Sendable {
    /// The explicit absence of a value.
    case null
    /// A Boolean.
    case boolean(Bool)
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A floating point number.
    case double(Double)
    /// Text.
    case string(String)
    /// Values in order.
    case array([CanonicalJSON])
    /// Values by keys.
    case object(Object)

    /// Values by distinct keys, sorted by the keys' UTF-8 bytes.
    package struct Object: Sendable {
        /// One key with its value.
        package typealias Member = (key: String, value: CanonicalJSON)

        /// Sorted, distinct.
        package private(set) var members: [Member]

        /// Makes an object; of equal keys the last one counts.
        package init(_ members: [Member] = []) {
            self.members = []
            self.members.reserveCapacity(members.count)
            // The sort is stable, so equal keys stay in the order in which they were given.
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for member in sorted {
                if let last = self.members.last, last.key.hasSameBytes(as: member.key) {
                    self.members.removeLast()
                }
                self.members.append(member)
            }
        }
    }
}

extension CanonicalJSON {
    /// The value as text.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The text's bytes.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Appends the value's text.
    package func append(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: String(value).utf8)
        case .double(let value) where value.isFinite:
            output.append(contentsOf: value.description.utf8)
        case .double(let value):
            Self.append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity", to: &output)
        case .string(let value): Self.append(value, to: &output)
        case .array(let elements):
            output.append(0x5B)
            for (index, element) in elements.enumerated() {
                if index > 0 {
                    output.append(0x2C)
                }
                element.append(to: &output)
            }
            output.append(0x5D)
        case .object(let object):
            output.append(0x7B)
            for (index, (key, value)) in object.members.enumerated() {
                if index > 0 {
                    output.append(0x2C)
                }
                Self.append(key, to: &output)
                output.append(0x3A)
                value.append(to: &output)
            }
            output.append(0x7D)
        }
    }

    private static func append(_ text: String, to output: inout [UInt8]) {
        output.append(0x22)
        TextEscaping.append(text, for: .json, to: &output)
        output.append(0x22)
    }
}

extension CanonicalJSON: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
    package init(stringLiteral value: String) {
        self = .string(value)
    }

    package init(dictionaryLiteral elements: (String, CanonicalJSON)...) {
        self = .object(Object(elements.map { (key: $0.0, value: $0.1) }))
    }
}
