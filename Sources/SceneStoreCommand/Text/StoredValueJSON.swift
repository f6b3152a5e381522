#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreValues
import SceneStoreTesting

extension CanonicalJSON {
    /// A stored value as JSON that loses nothing: what JSON has no type for is an object of one
    /// key that begins with `$`: `$data` (Base64), `$date`, `$url`, `$uuid`, `$set`, `$cbor`
    /// (hexadecimal), `$redacted` (the kind of a value that is left out); `$dictionary` holds a
    /// dictionary that would look like one of them.
    init(stored value: SceneStoreValues.Value) {
        switch value {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .string(value)
        case .data(let value): self = Self.tagged("data", .string(value.base64EncodedString()))
        case .date(let value): self = Self.tagged("date", .string(ISO8601.text(of: value)))
        case .url(let value): self = Self.tagged("url", .string(value.absoluteString))
        case .uuid(let value): self = Self.tagged("uuid", .string(value.uuidString))
        case .array(let values): self = .array(values.map { CanonicalJSON(stored: $0) })
        case .set(let values):
            self = Self.tagged("set", .array(Self.sorted(values)))
        case .dictionary(let values): self = CanonicalJSON(stored: values)
        case .opaque where value.isRedacted: self = CanonicalJSON(redacted: value)
        case .opaque(let value):
            self = Self.tagged("cbor", .string(Hexadecimal.text(value.encoded)))
        }
    }

    /// A stored dictionary as JSON.
    init(stored values: ValueDictionary) {
        let object = Object(values.map { (key: $0.key, value: CanonicalJSON(stored: $0.value)) })
        let isAmbiguous = values.count == 1 && values.first?.key.utf8.first == 0x24
        self = isAmbiguous ? Self.tagged("dictionary", .object(object)) : .object(object)
    }

    private static func tagged(_ kind: String, _ value: CanonicalJSON) -> CanonicalJSON {
        .object(Object([("$" + kind, value)]))
    }

    /// The elements of a set in the order of their texts, so that equal sets look equal.
    private static func sorted(_ values: Set<SceneStoreValues.Value>) -> [CanonicalJSON] {
        values.map { value -> (text: String, json: CanonicalJSON) in
            let json = CanonicalJSON(stored: value)
            return (json.text, json)
        }.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }.map(\.json)
    }
}

/// Bytes as digits.
enum Hexadecimal {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
