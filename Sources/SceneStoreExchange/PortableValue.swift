import SceneStoreFormats
import SceneStoreValues

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stored values as JSON that loses nothing, for exports.
///
/// What JSON has no type for is an object of one key that begins with `$`: `$data` (Base64), `$date`
/// (seconds since 2001-01-01), `$url`, `$uuid`, `$set`, `$cbor` (a value of a newer version, in
/// hexadecimal), `$double` (the bits of one that JSON cannot write), `$redacted` (the kind of a value
/// that is left out). A dictionary that would look like one of these stands in `$dictionary`.
extension CanonicalJSON {
    /// A stored value.
    package init(portable value: SceneStoreValues.Value) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = Self.portable(value)
        case .string(let value): self = .string(value)
        case .data(let value): self = Self.marked("data", .string(value.base64EncodedString()))
        case .date(let value):
            self = Self.marked("date", Self.portable(value.timeIntervalSinceReferenceDate))
        case .url(let value): self = Self.marked("url", .string(value.absoluteString))
        case .uuid(let value): self = Self.marked("uuid", .string(value.uuidString))
        case .array(let values): self = .array(values.map { CanonicalJSON(portable: $0) })
        case .set(let values):
            let texts = values.map { CanonicalJSON(portable: $0) }.map { ($0.text, $0) }
            let sorted = texts.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            self = Self.marked("set", .array(sorted.map(\.1)))
        case .dictionary(let values): self = CanonicalJSON(portable: values)
        case .opaque where value.isRedacted:
            self = CanonicalJSON(redacted: value)
        case .opaque(let value):
            self = Self.marked("cbor", .string(HexText.text(value.encoded)))
        }
    }

    /// Whether an export left a value out here.
    var isRedactionMark: Bool {
        guard let object = objectValue, object.members.count == 1 else {
            return false
        }
        return object.members[0].key == "$redacted"
    }

    /// A stored dictionary.
    package init(portable values: ValueDictionary) {
        let object = Object(
            values.map { (key: $0.key, value: CanonicalJSON(portable: $0.value)) })
        let looksMarked = values.count == 1 && values.first?.key.utf8.first == 0x24
        self = looksMarked ? Self.marked("dictionary", .object(object)) : .object(object)
    }

    private static func portable(_ number: Double) -> CanonicalJSON {
        guard !number.isFinite else {
            return .double(number)
        }
        return marked("double", .string(String(number.bitPattern, digits: 16, radix: 16)))
    }

    private static func marked(_ kind: String, _ value: CanonicalJSON) -> CanonicalJSON {
        .object(Object([("$" + kind, value)]))
    }

    /// A value with its structure and its keys, and of each single value only the type.
    package init(redacted value: SceneStoreValues.Value) {
        switch value {
        case .array(let values): self = .array(values.map { CanonicalJSON(redacted: $0) })
        case .dictionary(let values):
            self = .object(
                Object(
                    values.map { (key: $0.key, value: CanonicalJSON(redacted: $0.value)) }))
        default: self = Self.marked("redacted", .string(value.kindName))
        }
    }
}

extension Value {
    /// The type in a word.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer: "integer"
        case .double: "double"
        case .string: "string"
        case .data: "data"
        case .date: "date"
        case .url: "url"
        case .uuid: "uuid"
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        case .opaque:
            switch redactedContent {
            // Behind one mark and no further: nobody says how many a file has.
            case .opaque, nil: "opaque"
            case .some(let content): content.kindName
            }
        }
    }

    /// Reads a value that an export wrote.
    ///
    /// Throws ``SceneStoreError/Code/malformedValue`` with the key path of what stands for nothing.
    package init(portable json: CanonicalJSON, path: String) throws(SceneStoreError) {
        switch json {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(try Self.values(values, path))
        case .object(let object):
            guard object.members.count == 1, let member = object.members.first,
                member.key.utf8.first == 0x24
            else {
                self = .dictionary(try ValueDictionary(portable: object, path: path))
                return
            }
            self = try Self.marked(member.key, member.value, path)
        }
    }

    private static func values(
        _ values: [CanonicalJSON], _ path: String
    ) throws(SceneStoreError) -> [Value] {
        var result: [Value] = []
        result.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            result.append(
                try Value(portable: value, path: KeyPathText.text(path, .index(index))))
        }
        return result
    }

    private static func marked(
        _ key: String, _ json: CanonicalJSON, _ path: String
    ) throws(SceneStoreError) -> Value {
        let value: Value? =
            switch key {
            case "$data": json.stringValue.flatMap { Data(base64Encoded: $0) }.map { .data($0) }
            case "$date":
                try number(json, path).map {
                    .date(Date(timeIntervalSinceReferenceDate: $0))
                }
            case "$double": bits(json).map { .double($0) }
            case "$url": json.stringValue.flatMap(Self.url)
            case "$uuid": json.stringValue.flatMap { UUID(uuidString: $0) }.map { .uuid($0) }
            case "$set": try set(json, path)
            case "$cbor": json.stringValue.flatMap(opaque)
            case "$dictionary":
                try json.objectValue.map { object throws(SceneStoreError) in
                    .dictionary(try ValueDictionary(portable: object, path: path))
                }
            default: nil
            }
        guard let value else {
            throw SceneStoreError(
                .malformedValue, "this isn't a value", path: path.isEmpty ? nil : path)
        }
        return value
    }

    private static func number(
        _ json: CanonicalJSON, _ path: String
    ) throws(SceneStoreError) -> Double? {
        if let number = json.doubleValue {
            return number
        }
        guard case .double(let number) = try Value(portable: json, path: path) else {
            return nil
        }
        return number
    }

    private static func bits(_ json: CanonicalJSON) -> Double? {
        guard let text = json.stringValue, text.utf8.count == 16,
            let bits = UInt64(text, radix: 16)
        else {
            return nil
        }
        return Double(bitPattern: bits)
    }

    /// A URL that this system's parser leaves as it is.
    private static func url(_ text: String) -> Value? {
        guard let url = URL(string: text), url.absoluteString.hasSameBytes(as: text) else {
            return nil
        }
        return .url(url)
    }

    private static func set(
        _ json: CanonicalJSON, _ path: String
    ) throws(SceneStoreError) -> Value? {
        guard let elements = json.arrayValue else {
            return nil
        }
        let values = Set(try values(elements, path))
        return values.count == elements.count ? .set(values) : nil
    }

    /// A value of a newer version, which the decoder has to take as such.
    private static func opaque(_ text: String) -> Value? {
        guard let bytes = HexText.bytes(text), let value = try? ValueCodec.decode(bytes),
            case .opaque = value
        else {
            return nil
        }
        return value
    }
}

extension ValueDictionary {
    /// Reads a dictionary that an export wrote, without the keys whose values it left out.
    package init(
        portable object: CanonicalJSON.Object, path: String
    ) throws(SceneStoreError) {
        self.init()
        for member in object.members where !member.value.isRedactionMark {
            self[member.key] = try Value(
                portable: member.value, path: KeyPathText.text(path, .key(member.key)))
        }
    }
}
