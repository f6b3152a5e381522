#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStoreValues

/// A value of a property list.
///
/// Its decoding recurses, and is safe behind ``PropertyListScan`` alone.
enum PropertyListValue: Decodable {
    case string(String)
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
    /// Something that stands in property lists but has no meaning outside of archives.
    case other

    /// A key of any name.
    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    init(from decoder: any Decoder) throws {
        if let value = try Self.scalar(decoder.singleValueContainer()) {
            self = value
        } else if let container = try? decoder.container(keyedBy: Key.self) {
            var dictionary: [String: PropertyListValue] = [:]
            for key in container.allKeys {
                dictionary[key.stringValue] = try container.decode(Self.self, forKey: key)
            }
            self = .dictionary(dictionary)
        } else if var container = try? decoder.unkeyedContainer() {
            var array: [PropertyListValue] = []
            while !container.isAtEnd {
                array.append(try container.decode(Self.self))
            }
            self = .array(array)
        } else {
            self = .other
        }
    }

    /// A value that holds no others. The reader takes a whole real number for an integer and an
    /// integer for a real number, but neither for a Boolean, nor a Boolean for a number.
    private static func scalar(_ container: any SingleValueDecodingContainer) -> Self? {
        if container.decodeNil() {
            // The reader's own spelling of nil.
            return .string("$null")
        }
        if let value = try? container.decode(String.self) {
            return .string(value)
        }
        if let value = try? container.decode(Bool.self) {
            return .boolean(value)
        }
        if let value = try? container.decode(Int64.self) {
            return .integer(value)
        }
        if let value = try? container.decode(Double.self) {
            return .real(value)
        }
        if let value = try? container.decode(Date.self) {
            return .date(value)
        }
        if let value = try? container.decode(Data.self) {
            return .data(value)
        }
        return nil
    }

    /// The same as a value; what has no meaning is null.
    var value: Value {
        switch self {
        case .string(let value): .string(value)
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .real(let value): .double(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .array(let values): .array(values.map(\.value))
        case .dictionary(let values): .dictionary(ValueDictionary(values.mapValues(\.value)))
        case .other: .null
        }
    }

    /// What it is, for people.
    var kind: String {
        switch self {
        case .string: "a string"
        case .boolean: "a Boolean"
        case .integer, .real: "a number"
        case .date: "a date"
        case .data: "data"
        case .array: "an array"
        case .dictionary: "a dictionary"
        case .other: "an archive's reference"
        }
    }
}

/// The entries of an Info.plist that are wanted; the others are not even decoded.
struct InfoPropertyList: Decodable {
    var entries: [String: PropertyListValue] = [:]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PropertyListValue.Key.self)
        for key in container.allKeys where ManifestKey.topLevel.contains(key.stringValue) {
            entries[key.stringValue] = try container.decode(PropertyListValue.self, forKey: key)
        }
    }
}
