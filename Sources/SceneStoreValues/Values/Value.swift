#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value that an activity's or a session's `userInfo` can hold.
///
/// Two values are equal when they are stored as the same bytes: `true` is not `1`, `-0.0` is not
/// `0.0`, a NaN equals itself, and strings are compared by their UTF-8, not by canonical
/// equivalence. Every case comes back exactly as it was saved.
///
/// ```swift
/// let value: Value = ["title": "Shopping", "lines": [1, 2.5, true, nil]]
/// let title = value.dictionaryValue?["title"]?.stringValue  // "Shopping"
/// ```
public enum Value: Sendable {
    /// The explicit absence of a value.
    case null
    /// A Boolean, distinct from the integers 0 and 1.
    case boolean(Bool)
    /// A signed 64-bit integer.
    case integer(Int64)
    /// A 64-bit floating point number, kept bit by bit.
    case double(Double)
    /// Unicode text, kept byte by byte.
    case string(String)
    /// Bytes.
    case data(Data)
    /// A point in time, kept to the last bit of its `Double`.
    case date(Date)
    /// A URL, kept as its absolute string.
    case url(URL)
    /// A universally unique identifier.
    case uuid(UUID)
    /// A sequence of values.
    case array([Value])
    /// A collection of distinct values without an order.
    case set(Set<Value>)
    /// Values by string keys.
    case dictionary(ValueDictionary)
    /// A value of a kind that a newer version wrote; kept and written back unchanged.
    case opaque(OpaqueValue)
}

/// A value of a kind that this version does not know, as its encoded bytes.
///
/// It survives being read and saved again, and never appears as a value of another kind.
///
/// ```swift
/// for case (_, .opaque(let value)) in userInfo {
///     newer += value.encoded.count
/// }
/// ```
public struct OpaqueValue: Hashable, Sendable {
    /// One well-formed CBOR data item (RFC 8949).
    public let encoded: [UInt8]

    /// Only the decoder makes one, of bytes that it has checked.
    package init(encoded: [UInt8]) {
        self.encoded = encoded
    }
}

extension Value: Hashable {
    /// Compares what would be stored.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)):
            a.timeIntervalSinceReferenceDate.bitPattern
                == b.timeIntervalSinceReferenceDate.bitPattern
        case (.url(let a), .url(let b)):
            a.absoluteString.hasSameBytes(as: b.absoluteString)
        case (.uuid(let a), .uuid(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.set(let a), .set(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        case (.opaque(let a), .opaque(let b)): a == b
        default: false
        }
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.bitPattern)
        case .string(let value): hasher.combine(utf8: value)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value.timeIntervalSinceReferenceDate.bitPattern)
        case .url(let value): hasher.combine(utf8: value.absoluteString)
        case .uuid(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .set(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        case .opaque(let value): hasher.combine(value)
        }
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// Makes a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Makes an integer.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// Makes a floating point number.
    public init(floatLiteral value: Double) {
        self = .double(value)
    }

    /// Makes a Boolean.
    public init(booleanLiteral value: Bool) {
        self = .boolean(value)
    }

    /// Makes an array.
    public init(arrayLiteral elements: Value...) {
        self = .array(elements)
    }

    /// Makes a dictionary; of two equal keys the last one counts.
    public init(dictionaryLiteral elements: (String, Value)...) {
        var dictionary = ValueDictionary()
        for (key, value) in elements {
            dictionary[key] = value
        }
        self = .dictionary(dictionary)
    }

    /// Makes the null value.
    public init(nilLiteral: ()) {
        self = .null
    }
}

extension Value {
    /// The Boolean, if it is one.
    public var boolValue: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    /// The integer, if it is one.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The floating point number, if it is one.
    public var doubleValue: Double? {
        if case .double(let value) = self { value } else { nil }
    }

    /// The text, if it is text.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The bytes, if it is data.
    public var dataValue: Data? {
        if case .data(let value) = self { value } else { nil }
    }

    /// The date, if it is one.
    public var dateValue: Date? {
        if case .date(let value) = self { value } else { nil }
    }

    /// The URL, if it is one.
    public var urlValue: URL? {
        if case .url(let value) = self { value } else { nil }
    }

    /// The UUID, if it is one.
    public var uuidValue: UUID? {
        if case .uuid(let value) = self { value } else { nil }
    }

    /// The elements, if it is an array.
    public var arrayValue: [Value]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The dictionary, if it is one.
    public var dictionaryValue: ValueDictionary? {
        if case .dictionary(let value) = self { value } else { nil }
    }
}

/// Integers that only `UInt64` has: their CBOR, which no other kind has, kept whole.
extension Value {
    /// The value of an integer above `Int64.max`.
    init(unsigned number: UInt64) {
        self = .opaque(
            OpaqueValue(
                encoded: [CBOR.Major.unsigned << 5 | 27]
                    + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }))
    }

    /// The integer, if it is one above `Int64.max`.
    package var unsignedValue: UInt64? {
        guard case .opaque(let value) = self, value.encoded.count == 9,
            value.encoded[0] == CBOR.Major.unsigned << 5 | 27
        else {
            return nil
        }
        return value.encoded.dropFirst().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension String {
    /// Whether both are the same UTF-8 bytes; `==` would take canonical equivalents for equal.
    package func hasSameBytes(as other: String) -> Bool {
        // By their storage: the views would be walked byte by byte, each with a check.
        let areSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { right in
                left.count == right.count
                    && UnsafeRawBufferPointer(left).isEqual(to: UnsafeRawBufferPointer(right))
            }
        }
        return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether another one that is as long has the same bytes, asked in words, which may overlap.
    @inline(__always)
    func isEqual(to other: Self) -> Bool {
        if count >= 8 {
            var place = 0
            while place &+ 8 < count {
                guard load(place, UInt64.self) == other.load(place, UInt64.self) else {
                    return false
                }
                place &+= 8
            }
            return load(count &- 8, UInt64.self) == other.load(count &- 8, UInt64.self)
        }
        if count >= 4 {
            return load(0, UInt32.self) == other.load(0, UInt32.self)
                && load(count &- 4, UInt32.self) == other.load(count &- 4, UInt32.self)
        }
        var place = 0
        while place < count {
            guard self[place] == other[place] else {
                return false
            }
            place &+= 1
        }
        return true
    }

    @inline(__always)
    func load<Word: FixedWidthInteger>(_ place: Int, _ type: Word.Type) -> Word {
        loadUnaligned(fromByteOffset: place, as: type)
    }
}

extension Hasher {
    /// Feeds a string's UTF-8, in step with ``Swift/String/hasSameBytes(as:)``.
    package mutating func combine(utf8 text: String) {
        for byte in text.utf8 {
            combine(byte)
        }
        combine(UInt8(0xff))
    }
}

/// The limits of stored values (L-83).
///
/// An app may lower them. Raising a limit above its default has no effect, because every version
/// must be able to read what was written.
///
/// ```swift
/// var storeOptions = SceneSessionStore.Options()
/// storeOptions.limits.sessionBytes = 1 << 20
/// ```
public struct Limits: Sendable, Hashable {
    /// Levels of arrays, sets and dictionaries in a value, including the outermost; 64.
    public var depth: Int = 64
    /// Values in one activity or dictionary, keys not counted; 1 000 000.
    public var nodes: Int = 1_000_000
    /// Bytes of a single string or data value; 16 MiB.
    public var valueBytes: Int = 16 << 20
    /// Bytes of a session's encoded state, and of its userInfo; 16 MiB each.
    public var sessionBytes: Int = 16 << 20
    /// Bytes of a title, an identifier, a name or a key; 64 KiB.
    public var keyBytes: Int = 64 << 10
    /// Open sessions in a container; 100 000.
    public var sessions: Int = 100_000

    /// Bytes of a compositor's token for a window; 4 096, which no app can change.
    public static let platformTokenBytes = 4_096

    /// The defaults, which are also the greatest values.
    package static let standard = Limits()

    /// Makes the default limits.
    public init() {}

    /// These limits, none above its default or below one.
    package var clamped: Limits {
        var result = self
        let most = Limits.standard
        result.depth = min(max(depth, 1), most.depth)
        result.nodes = min(max(nodes, 1), most.nodes)
        result.valueBytes = min(max(valueBytes, 1), most.valueBytes)
        result.sessionBytes = min(max(sessionBytes, 1), most.sessionBytes)
        result.keyBytes = min(max(keyBytes, 1), most.keyBytes)
        result.sessions = min(max(sessions, 1), most.sessions)
        return result
    }
}

extension SceneStoreError.Code {
    /// A value is nested too deeply, too large, or there are too many; see ``Limits``.
    public static let limitExceeded = Self("limitExceeded")
    /// A value's kind is not allowed at its place.
    public static let unsupportedValue = Self("unsupportedValue")
    /// Encoded bytes are not what the format allows.
    public static let malformedValue = Self("malformedValue")
}

/// A place in a tree of values, written as people read it: `userInfo.tabs[3].link`.
package struct KeyPathText {
    /// One step down.
    package enum Step {
        case key(String)
        case index(Int)
        /// Into a set, whose elements have no place.
        case element
    }

    /// The text of a root and the steps from it, outermost first.
    package static func text(root: String, steps: some Sequence<Step>) -> String {
        steps.reduce(into: root) { append($1, to: &$0) }
    }

    /// The text of a path one step longer.
    package static func text(_ path: String, _ step: Step) -> String {
        var text = path
        append(step, to: &text)
        return text
    }

    private static func append(_ step: Step, to text: inout String) {
        // What lies deeper is found from here.
        guard text.utf8.count < longestPath else {
            text += text.hasSuffix("…") ? "" : "…"
            return
        }
        switch step {
        case .index(let index): text += "[\(index)]"
        case .element: text += "[*]"
        case .key(let key) where isPlain(key):
            if !text.isEmpty {
                text += "."
            }
            text += key
        case .key(let key):
            text += "[\""
            for scalar in key.unicodeScalars.prefix(longest) {
                if scalar == "\"" || scalar == "\\" {
                    text += "\\"
                }
                text.unicodeScalars.append(scalar)
            }
            text += key.unicodeScalars.count > longest ? "…\"]" : "\"]"
        }
    }

    /// Scalars of a key that are shown.
    private static let longest = 64
    /// Bytes of a path after which no step follows.
    private static let longestPath = 256

    /// Whether a key can stand behind a dot without being mistaken for something else.
    private static func isPlain(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= longest
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// Whether a session's `userInfo` holds property-list values only (L-81).
///
/// What a newer version wrote and this one does not understand passes: it was checked then, and
/// must survive.
package enum PropertyListCheck {
    /// Throws ``SceneStoreError/Code/unsupportedValue`` with the key path of the first URL, UUID,
    /// null or set, or ``SceneStoreError/Code/limitExceeded`` where nesting is too deep.
    package static func check(
        _ dictionary: ValueDictionary, path: String = "userInfo", limits: Limits = .standard
    ) throws(SceneStoreError) {
        try check(.dictionary(dictionary), levels: limits.clamped.depth, path: path)
    }

    private static func check(
        _ value: Value, levels: Int, path: @autoclosure () -> String
    ) throws(SceneStoreError) {
        let kind: String
        switch value {
        case .boolean, .integer, .double, .string, .data, .date, .opaque: return
        case .array where levels <= 0, .dictionary where levels <= 0:
            throw SceneStoreError(
                .limitExceeded, "the value is nested too deeply; flatten it", path: path())
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                try check(
                    element, levels: levels - 1, path: KeyPathText.text(path(), .index(index)))
            }
            return
        case .dictionary(let dictionary):
            for pair in dictionary.pairs {
                try check(
                    pair.value, levels: levels - 1, path: KeyPathText.text(path(), .key(pair.key)))
            }
            return
        case .null: kind = "null"
        case .url: kind = "a URL"
        case .uuid: kind = "a UUID"
        case .set: kind = "a set"
        }
        throw SceneStoreError(
            .unsupportedValue,
            "a session's userInfo holds property-list values only, not \(kind); use a string or "
                + "an array, or put it into an activity",
            path: path())
    }
}
