#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore
import SceneStoreFormats

/// Values as a scenario writes them: `KEY:T=VALUE`, `KEY=VALUE` for a string, and `KEY=` for none.
package enum ScenarioValue {
    /// The types of a value by their letters.
    enum Kind: String, CaseIterable {
        case string = "s"
        case integer = "i"
        case double = "d"
        case boolean = "b"
        case date = "t"
        case url = "u"
        case data = "x"
        case null = "n"
        case uuid

        /// How a value of the type is written, for messages.
        var notation: String {
            switch self {
            case .string: "text"
            case .integer: "a whole number from -9223372036854775808 to 9223372036854775807"
            case .double: "a number, nan, inf or -inf"
            case .boolean: "true or false"
            case .date: "a date such as 2026-01-31T09:30:00.5Z (ISO 8601, with Z or an offset)"
            case .url: "a URL; write what is not ASCII percent-encoded"
            case .data: "an even number of hexadecimal digits"
            case .null: "empty or null"
            case .uuid: "a UUID of 36 characters"
            }
        }
    }

    /// Reads pairs whose keys must differ.
    static func keyedValues(
        _ pairs: [ScenarioOption]
    ) throws(ScenarioStepError) -> [ScenarioStep.KeyedValue] {
        var keys: Set<ExactText> = []
        var result: [ScenarioStep.KeyedValue] = []
        for pair in pairs {
            let keyed = try keyedValue(pair)
            guard keys.insert(ExactText(keyed.key)).inserted else {
                throw ScenarioStepError(
                    column: pair.column,
                    message: "key \(ScenarioQuotation.quoted(keyed.key)) occurs twice here")
            }
            result.append(keyed)
        }
        return result
    }

    /// Reads one pair. Of several colons the last one is before the type.
    private static func keyedValue(
        _ pair: ScenarioOption
    ) throws(ScenarioStepError) -> ScenarioStep.KeyedValue {
        var key = pair.name
        guard !pair.value.isEmpty || key.utf8.contains(UInt8(ascii: ":")) || key.isEmpty else {
            return ScenarioStep.KeyedValue(key: key, value: nil, column: pair.column)
        }
        var kind = Kind.string
        if let colon = key.utf8.lastIndex(of: UInt8(ascii: ":")) {
            let letters = String(key[key.utf8.index(after: colon)...])
            guard let typed = Kind(rawValue: letters.keyword) else {
                let kinds = Kind.allCases.map(\.rawValue)
                throw ScenarioStepError(
                    column: pair.column,
                    message: "unknown type \(ScenarioQuotation.quoted(letters)); a type is "
                        + ScenarioQuotation.alternatives(kinds))
            }
            kind = typed
            key = String(key[..<colon])
        }
        guard !key.isEmpty else {
            throw ScenarioStepError(column: pair.column, message: "a key is missing before '='")
        }
        guard let value = value(of: pair.value, kind) else {
            throw ScenarioStepError(
                column: pair.column,
                message: "the value of \(ScenarioQuotation.quoted(key)) is not \(kind.notation)")
        }
        return ScenarioStep.KeyedValue(key: key, value: value, column: pair.column)
    }

    /// Reads a value of a type; nil when it is none.
    static func value(of text: String, _ kind: Kind) -> Value? {
        switch kind {
        case .string: return .string(text)
        case .integer: return Int64(text).map { .integer($0) }
        case .double: return double(text).map { .double($0) }
        case .boolean: return Bool(text.keyword).map { .boolean($0) }
        case .date: return ISO8601.date(of: text).map { .date($0) }
        case .url:
            // What the system would repair is not what was written.
            guard let url = URL(string: text, encodingInvalidCharacters: false),
                url.absoluteString.hasSameBytes(as: text)
            else {
                return nil
            }
            return .url(url)
        case .data: return data(text).map { .data($0) }
        case .null: return text.isEmpty || text.keyword == "null" ? .null : nil
        case .uuid: return UUID(uuidString: text).map { .uuid($0) }
        }
    }

    /// Reads a number; one that is too large for a `Double` is none.
    private static func double(_ text: String) -> Double? {
        guard let number = Double(text) else {
            return nil
        }
        let isWord = text.utf8.contains { $0 | 0x20 == UInt8(ascii: "i") }
        return number.isInfinite && !isWord ? nil : number
    }

    private static func data(_ text: String) -> Data? {
        guard text.utf8.count.isMultiple(of: 2) else {
            return nil
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let digit = hexadecimalDigit(character) else {
                return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return Data(bytes)
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension ScenarioValue {
    /// A key and its value as a scenario writes them, without quotes and harmless for a
    /// terminal; nil is written as nothing behind the key.
    ///
    /// Arrays, sets, dictionaries and values of newer versions, which no step can write, show as
    /// their kind and number of elements.
    package static func text(key: String, value: Value?) -> String {
        let key = TextEscaping.terminal(key)
        switch value {
        case nil: return "\(key) is absent"
        case .string(let text): return "\(key)=\(TextEscaping.terminal(text))"
        case .integer(let number): return "\(key):i=\(number)"
        case .double(let number): return "\(key):d=\(number)"
        case .boolean(let flag): return "\(key):b=\(flag)"
        case .date(let date): return "\(key):t=\(ISO8601.text(of: date))"
        case .url(let url): return "\(key):u=\(TextEscaping.terminal(url.absoluteString))"
        case .data(let data): return "\(key):x=\(hexadecimal(data))"
        case .null: return "\(key):n="
        case .uuid(let uuid): return "\(key):uuid=\(uuid.uuidString)"
        case .array(let elements): return "\(key) is an array of \(elements.count)"
        case .set(let elements): return "\(key) is a set of \(elements.count)"
        case .dictionary(let pairs): return "\(key) is a dictionary of \(pairs.count)"
        case .opaque: return "\(key) is of a newer version's kind"
        }
    }

    private static func hexadecimal(_ data: Data) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(data.count * 2)
        for byte in data {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
